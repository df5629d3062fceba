import { ServiceError } from '../wire/serviceError';
import { systemFailureOf } from './systemFailure';
import { redact } from '../wire/redaction';
import { outcomeIsUnknown } from './retry';
import type { RequestPurpose } from './retry';

/** Whatever was thrown while a request was under way, as a failure of one kind. */
export function failureOf(thrown: unknown): ServiceError {
	for (const link of chainOf(thrown)) {
		if (link instanceof ServiceError) return link;
	}
	const failure = systemFailureOf([...chainOf(thrown)]);
	if (failure) return failure;
	// Nothing of the network: what was thrown before anything was sent, such as a credential that is missing.
	const message = textOf(thrown, 'message') ?? 'The request could not be sent';
	return new ServiceError({ kind: 'input', message, description: textOf(thrown, 'description') });
}

/**
 * The failure as it is thrown at last: without secrets, and with a word on what may have happened when
 * nobody knows whether a write was carried out.
 */
export function finalFailure(
	failure: ServiceError,
	purpose: RequestPurpose,
	attempts: number,
	secrets: readonly string[],
): ServiceError {
	const clean = (text?: string) => (text === undefined ? undefined : redact(text, secrets));
	const notes: string[] = [];
	const isDoubtful = purpose === 'write' && outcomeIsUnknown(failure);
	if (isDoubtful) {
		notes.push(
			'It is not known whether the change was made. It was not sent again; look at the record before you run this again.',
		);
	}
	if (failure.details.description) notes.push(failure.details.description);
	if (attempts > 1) notes.push(`Tried ${attempts} times.`);
	return new ServiceError({
		...failure.details,
		...(isDoubtful ? { isDoubtful } : {}),
		message: redact(failure.message, secrets),
		description: notes.length > 0 ? redact(notes.join(' '), secrets) : undefined,
		serviceMessage: clean(failure.details.serviceMessage),
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

function textOf(link: unknown, key: 'message' | 'description'): string | undefined {
	if (typeof link !== 'object' || link === null || !(key in link)) return undefined;
	const value: unknown = Reflect.get(link, key);
	return typeof value === 'string' ? value : undefined;
}
