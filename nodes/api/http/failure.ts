import { InputError } from '../values/inputError';
import { ServiceError } from './serviceError';
import { systemFailureOf, textMember } from './networkErrors';
import { redacting } from './redaction';
import { outcomeIsUnknown, readPolicy, type RetryPolicy } from './policies';

/** Whatever was thrown while a request was under way, as a failure of one kind. */
export function failureOf(thrown: unknown): ServiceError {
	for (const link of chainOf(thrown)) {
		if (link instanceof ServiceError) return link;
	}
	const failure = systemFailureOf([...chainOf(thrown)]);
	if (failure) return failure;
	// Nothing of the network: what was thrown before anything was sent, such as a credential that is missing.
	const said = textMember(thrown, 'message');
	const description = textMember(thrown, 'description');
	const message = said ?? 'The request could not be sent';
	const quoted = [said, description].filter((text) => text !== undefined);
	const remedy = thrown instanceof InputError ? thrown.remedy : undefined;
	return new ServiceError({ kind: 'unsent', message, description, remedy, quoted });
}

/**
 * The failure as it is thrown at last: without secrets, and with a word on what may have happened when
 * nobody knows whether a write was carried out.
 */
export function finalFailure(
	failure: ServiceError,
	secrets: readonly string[],
	{ policy = readPolicy, attempts = 1 }: { policy?: RetryPolicy; attempts?: number } = {},
): ServiceError {
	const { quoted = [], ...details } = failure.details;
	const clean = redacting([...quoted, details.serviceMessage ?? ''], secrets);
	const notes: string[] = [];
	const isDoubtful = policy.isWrite === true && outcomeIsUnknown(failure);
	if (isDoubtful) {
		notes.push(
			'It is not known whether the change was made. It was not sent again; look at the record before you run this again.',
		);
	}
	if (details.description) notes.push(clean(details.description));
	if (attempts > 1) notes.push(`Tried ${attempts} times.`);
	return new ServiceError({
		...details,
		...(isDoubtful ? { isDoubtful } : {}),
		message: clean(details.message),
		description: notes.length > 0 ? notes.join(' ') : undefined,
		serviceMessage: details.serviceMessage && clean(details.serviceMessage),
	});
}

/** The thrown thing and its causes, the outermost first. */
function* chainOf(thrown: unknown): Generator<unknown> {
	let link = thrown;
	for (let depth = 0; depth < 6 && typeof link === 'object' && link !== null; depth++) {
		yield link;
		link = 'cause' in link ? link.cause : undefined;
	}
}
