import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { textMember } from '../api/http/failure';
import { failureKinds, ServiceError, type FailureKind } from '../api/http/serviceError';
import { InputError, type Remedy } from '../api/values/inputError';

type ItemError = NodeApiError | NodeOperationError;

/** Returns what was thrown as an error of n8n, made from redacted data: the thrown one may hold the request with its credential. */
export function nodeError(node: INode, thrown: unknown, itemIndex: number): ItemError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
		thrown.context.itemIndex ??= itemIndex;
		return thrown;
	}
	if (!(thrown instanceof ServiceError)) {
		const message = shownMessage(thrown instanceof Error ? thrown.message : String(thrown));
		const input = thrown instanceof InputError ? thrown : undefined;
		const description = describe(textMember(thrown, 'description'), input?.remedy);
		const cause = input?.isPassing ? 'temporarily-unavailable' : 'configuration-invalid';
		const declared = input && ({ failure: { cause } } as const);
		return new NodeOperationError(node, message, { ...declared, itemIndex, description });
	}
	const { kind, status, code, serviceMessage, remedy } = thrown.details;
	const message = shownMessage(thrown.message);
	const description = describe(thrown.details.description, remedy);
	const declared = { ...causeOf(thrown), itemIndex, description };
	if (kind === 'unsent') return new NodeOperationError(node, message, declared);
	// What n8n shows as the error code: a refusal inside an HTTP 200 has one of the service's own.
	const shownCode = code ?? (status === 200 ? undefined : status);
	const httpCode = shownCode === undefined ? undefined : String(shownCode);
	const plain = { message, ...(httpCode && { httpCode }), ...serviceWords(code, serviceMessage) };
	return new NodeApiError(node, plain, { ...declared, message, httpCode });
}

const wrongCredential: readonly FailureKind[] = ['authentication', 'sessionExpired', 'noAccess'];
const wrongAddress: readonly FailureKind[] = ['notFound', 'redirected', 'untrusted'];
/** Wrong account, path or sheet, and a sheet that cannot be loaded. */
const addressCodes = [101, 102, 103, 104, 108];

/** Returns the cause by which n8n decides when a trigger is tried again; versions before 2.36 do not know it. */
function causeOf({ kind, details }: ServiceError) {
	const { code = 0, retryAfterSeconds: seconds } = details;
	if (failureKinds[kind].reads !== undefined || kind === 'tooSlow' || kind === 'timeout') {
		const cause = kind === 'tooFrequent' ? 'rate-limited' : 'temporarily-unavailable';
		const retryAfter = seconds !== undefined && { retryAfterMs: seconds * 1000 };
		return { failure: { cause, ...retryAfter } as const };
	}
	if (wrongAddress.includes(kind) || addressCodes.includes(code)) {
		return { failure: { cause: 'configuration-invalid' } as const };
	}
	return wrongCredential.includes(kind) && { failure: { cause: 'credential-invalid' } as const };
}

/** Returns what to do about an error, and what else is known of it. */
export function describe(description?: string, remedy?: Remedy): string | undefined {
	const sentences = [remedy && remedyTexts[remedy], description].filter(Boolean);
	return sentences.join(' ') || undefined;
}

/** n8n takes an error whose message holds the word 'canceled' for a cancelled execution. */
function shownMessage(message: string): string {
	return message.replace(/canceled/g, 'cancelled');
}

/** Returns the JSON of a failed item that stays among the others. */
export function errorJson({ message, description }: ItemError, thrown: unknown): IDataObject {
	const { status, code, serviceMessage } = thrown instanceof ServiceError ? thrown.details : {};
	const details = {
		...(description && { description }),
		...(status !== undefined && { httpStatus: status }),
		...serviceWords(code, serviceMessage),
	};
	return { error: message, details };
}

/** Returns the JSON for the error output: older n8n sends there what has `error` alone, and other keys would hide the input's. */
export function errorOutputJson(error: ItemError, thrown: unknown): IDataObject {
	const { details } = thrown instanceof ServiceError ? thrown : {};
	const { status = 200, code, serviceMessage: msg } = details ?? {};
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

function serviceWords(code?: number, msg?: string) {
	return { ...(code !== undefined && { code }), ...(msg !== undefined && { msg }) };
}

/** What to do, in the words of the editor. */
const remedyTexts: Record<Remedy, string> = {
	getRows:
		"The row may have been deleted. To get the row IDs, use the operation 'Get Many' of the resource 'Subtable Row'.",
	numberNewRows:
		"Leave the IDs out, so that the rows are new, and number the rows in 'Files': -1, -2, …",
	readInformation:
		"Read the record with the option 'Include Record Information' before you change it.",
	checkAccount: "'Account' is the first part of the path when a sheet is open in the browser.",
	checkAddress: "Check 'Base URL' and 'Account' in the credential, and the sheet.",
	checkBaseUrl: "Check 'Base URL' in the credential.",
	checkConnection:
		"Check the host and port of 'Base URL' in the credential, and whether n8n's host can connect to it.",
	checkProxy:
		"Check 'Base URL' in the credential, and whether there is a proxy between n8n and the service.",
	checkSheet:
		"Choose the sheet again: it may have been moved or deleted. If it exists, check 'Base URL' and 'Account' in the credential.",
	followAccount: "If the account has moved, set 'Base URL' in the credential to its new address.",
	setBaseUrl: "Set 'Base URL' in the credential to https://host, e.g. https://www.example.com.",
	trustCertificate:
		"Check 'Base URL' in the credential. For a private certificate authority, set NODE_EXTRA_CA_CERTS of n8n to its certificate. If that is impossible and you trust the network, turn on 'Ignore SSL Issues (Insecure)' in the credential. If the certificate has expired or is not valid yet, check the clock of n8n's host.",
	unlockRecord:
		"Unlock the record first with the operation 'Unlock' of the resource 'Lock', or turn off 'Check Lock'.",
	waitLonger:
		"To continue waiting, use the operation 'Wait' of the resource 'Task' with this task ID, or increase 'Timeout'.",
};
