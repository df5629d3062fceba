import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { textMember } from '../api/http/failure';
import { ServiceError, type FailureKind } from '../api/http/serviceError';
import { InputError, type Remedy } from '../api/values/inputError';
import { remedyTexts } from './remedies';

type ItemError = NodeApiError | NodeOperationError;

/** Returns what was thrown as an error of n8n, made from redacted data: the thrown one may hold the request with its credential. */
export function nodeError(node: INode, thrown: unknown, itemIndex: number): ItemError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
		thrown.context.itemIndex ??= itemIndex;
		return thrown;
	}
	if (!(thrown instanceof ServiceError)) {
		const message = shownMessage(thrown instanceof Error ? thrown.message : String(thrown));
		const { remedy, isPassing } = thrown instanceof InputError ? thrown : {};
		const description = describe(textMember(thrown, 'description'), remedy);
		const cause = isPassing ? 'temporarily-unavailable' : 'configuration-invalid';
		const declared = thrown instanceof InputError ? { failure: { cause } as const } : {};
		return new NodeOperationError(node, message, { ...declared, itemIndex, description });
	}
	const { kind, status, code, serviceMessage, remedy } = thrown.details;
	const declared = { ...causeOf(thrown), itemIndex };
	const description = describe(thrown.details.description, remedy);
	const message = shownMessage(thrown.details.message);
	if (kind === 'unsent') return new NodeOperationError(node, message, { ...declared, description });
	// What n8n shows as the error code: a refusal inside an HTTP 200 has one of the service's own.
	const shownCode = code ?? (status === 200 ? undefined : status);
	const httpCode = shownCode === undefined ? undefined : String(shownCode);
	const plain = {
		message,
		...(httpCode ? { httpCode } : {}),
		...serviceWords(code, serviceMessage),
	};
	return new NodeApiError(node, plain, { ...declared, message, description, httpCode });
}

type Cause = Partial<Record<FailureKind, 'credential-invalid' | 'configuration-invalid'>>;
const lastingCauses: Cause = {
	authentication: 'credential-invalid',
	sessionExpired: 'credential-invalid',
	noAccess: 'credential-invalid',
	notFound: 'configuration-invalid',
	redirected: 'configuration-invalid',
	untrusted: 'configuration-invalid',
};
/** Wrong account, path or sheet, and a sheet that cannot be loaded. */
const addressCodes = [101, 102, 103, 104, 108];
const passing: readonly FailureKind[] = [
	...(['server', 'unreachable', 'connectionLost', 'malformed', 'tooSlow', 'timeout'] as const),
];

/** Returns the cause by which n8n decides when a trigger is tried again; versions before 2.36 do not know it. */
function causeOf({ kind, details }: ServiceError) {
	const { code = 0, retryAfterSeconds } = details;
	const hasHint = retryAfterSeconds !== undefined;
	const retryAfter = hasHint ? { retryAfterMs: retryAfterSeconds * 1000 } : {};
	if (kind === 'tooFrequent') return { failure: { cause: 'rate-limited', ...retryAfter } as const };
	if (passing.includes(kind)) {
		return { failure: { cause: 'temporarily-unavailable', ...retryAfter } as const };
	}
	const cause = addressCodes.includes(code) ? 'configuration-invalid' : lastingCauses[kind];
	return cause ? { failure: { cause } } : {};
}

/** Returns what to do about an error, and what else is known of it. */
export function describe(
	description: string | undefined,
	remedy: Remedy | undefined,
): string | undefined {
	const sentences = [remedy && remedyTexts[remedy], description].filter(Boolean);
	return sentences.join(' ') || undefined;
}

/** n8n takes an error whose message holds the word 'canceled' for a cancelled execution. */
function shownMessage(message: string): string {
	return message.replace(/canceled/g, 'cancelled');
}

/** Returns the JSON of a failed item that stays among the others. */
export function errorJson(error: ItemError, thrown: unknown): IDataObject {
	const details = thrown instanceof ServiceError ? thrown.details : undefined;
	return {
		error: error.message,
		details: {
			...(error.description ? { description: error.description } : {}),
			...(details?.status === undefined ? {} : { httpStatus: details.status }),
			...serviceWords(details?.code, details?.serviceMessage),
		},
	};
}

/**
 * Returns the JSON of a failed item for the error output, in one text: older versions of n8n send an item there only if
 * `error` is its one key, and other keys would hide those of the input item, which n8n adds.
 */
export function errorOutputJson(error: ItemError, thrown: unknown): IDataObject {
	const details = thrown instanceof ServiceError ? thrown.details : undefined;
	const { code, msg } = serviceWords(details?.code, details?.serviceMessage);
	const status = details?.status ?? 200;
	const text = [error.message, error.description ?? ''].filter(Boolean).map(sentence).join(' ');
	const words = [
		status === 200 || text.includes(`HTTP ${status}`) ? '' : `HTTP ${status}.`,
		code === undefined || new RegExp(`code ${code}\\b`, 'i').test(text) ? '' : `Code ${code}.`,
		msg === undefined || text.includes(msg) ? '' : sentence(`The service said: ${msg}`),
	];
	return { error: [text, ...words].filter(Boolean).join(' ') };
}

function sentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function serviceWords(code?: number, serviceMessage?: string): { code?: number; msg?: string } {
	return {
		...(code === undefined ? {} : { code }),
		...(serviceMessage === undefined ? {} : { msg: serviceMessage }),
	};
}
