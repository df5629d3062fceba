import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { withCodeFirst } from '../api/http/errorCodes';
import { textMember } from '../api/http/failure';
import { failureKinds, ServiceError, type FailureKind } from '../api/http/serviceError';
import { InputError, type Remedy } from '../api/values/inputError';
import { asSentence } from '../api/values/text';

type ItemError = NodeApiError | NodeOperationError;

/**
 * Returns any thrown error as an error of n8n. It is built from redacted data, because the thrown error may contain the request
 * with its credential. An error that already is of n8n is returned itself, with the item index.
 */
export function nodeError(node: INode, thrown: unknown, itemIndex: number): ItemError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
		thrown.context.itemIndex ??= itemIndex;
		return thrown;
	}
	return thrown instanceof ServiceError
		? errorOfService(node, thrown, itemIndex)
		: errorOfNode(node, thrown, itemIndex);
}

/** Returns the error for anything but a failed request, such as wrong input. */
function errorOfNode(node: INode, thrown: unknown, itemIndex: number): ItemError {
	const message = shownMessage(thrown instanceof Error ? thrown.message : String(thrown));
	const input = thrown instanceof InputError ? thrown : undefined;
	const description = describe(textMember(thrown, 'description'), input?.remedy);
	const cause = input?.isPassing ? 'temporarily-unavailable' : 'configuration-invalid';
	const failure = input && ({ failure: { cause } } as const);
	const options = { ...failure, itemIndex, description };
	return withMessage(new NodeOperationError(node, message, options), message);
}

/** Returns the error for a failed request: NodeOperationError if it was not sent (kind `unsent`), otherwise NodeApiError. */
function errorOfService(node: INode, failure: ServiceError, itemIndex: number): ItemError {
	const { kind, status, code, serviceMessage, remedy } = failure.details;
	const message = shownMessage(failure.message);
	const description = describe(failure.details.description, remedy, code);
	const options = { ...causeOf(failure), itemIndex, description };
	if (kind === 'unsent') {
		return withMessage(new NodeOperationError(node, message, options), message);
	}
	// n8n shows `httpCode` as the error code. Prefer the code of the service, and omit HTTP 200, which says nothing.
	const httpStatus = status === 200 ? undefined : status;
	const httpCode = (code ?? httpStatus)?.toString();
	const response = {
		message,
		...(httpCode && { httpCode }),
		...serviceWords(code, serviceMessage),
	};
	return withMessage(new NodeApiError(node, response, { ...options, message, httpCode }), message);
}

const wrongCredential: readonly FailureKind[] = ['authentication', 'sessionExpired', 'noAccess'];
const wrongAddress: readonly FailureKind[] = ['notFound', 'redirected', 'untrusted'];
/** Error codes for a wrong account, path or sheet, and for a sheet that cannot be loaded. */
const addressCodes = [101, 102, 103, 104, 108];

/** Returns the cause of a failure, from which n8n decides when to repeat a trigger. Versions before 2.36 ignore it. */
function causeOf({ kind, details }: ServiceError) {
	const { code = 0, retryAfterSeconds: seconds } = details;
	if (failureKinds[kind].isTemporary || kind === 'tooSlow' || kind === 'taskUnfinished') {
		const cause = kind === 'tooFrequent' ? 'rate-limited' : 'temporarily-unavailable';
		const retryAfter = seconds !== undefined && { retryAfterMs: seconds * 1000 };
		return { failure: { cause, ...retryAfter } as const };
	}
	if (wrongAddress.includes(kind) || addressCodes.includes(code)) {
		return { failure: { cause: 'configuration-invalid' } as const };
	}
	return wrongCredential.includes(kind) && { failure: { cause: 'credential-invalid' } as const };
}

/** Returns the advice of a remedy, followed by the description. The sentence about the code, if any, comes first. */
export function describe(description?: string, remedy?: Remedy, code?: number): string | undefined {
	const sentences = [remedy && remedyTexts[remedy], description].filter(Boolean);
	return withCodeFirst(sentences.join(' '), code) || undefined;
}

/** Returns the message without the word 'canceled', because n8n treats an error that contains it as a cancelled execution. */
function shownMessage(message: string): string {
	return message.replace(/canceled/g, 'cancelled');
}

/** Sets the message of an error. The constructors of n8n replace a message that contains a code such as ECONNRESET or, within a word, EEXIST. */
function withMessage<AnyError extends ItemError>(error: AnyError, message: string): AnyError {
	error.message = message;
	return error;
}

/** Adds the advice of an error to its message. n8n passes only the message to the model of a tool, and to a user who publishes a workflow. */
export function withAdvice(error: ItemError): ItemError {
	const { message, description } = error;
	if (!description || message.includes(description)) return error;
	return withMessage(error, shownMessage(`${asSentence(message)} ${description}`));
}

/** Returns the error of a tool, with its advice in the message. n8n makes a NodeOperationError of any other error, with another message. */
export function toolError(node: INode, error: ItemError, itemIndex: number): NodeOperationError {
	const { message } = withAdvice(error);
	return withMessage(new NodeOperationError(node, error, { itemIndex }), message);
}

/** Returns the JSON of a failed item in the regular output: the message in `error`, and all other facts in `details`. */
export function errorJson({ message, description }: ItemError, thrown: unknown): IDataObject {
	const { status, code, serviceMessage } = thrown instanceof ServiceError ? thrown.details : {};
	const details = {
		...(description && { description }),
		...(status !== undefined && { httpStatus: status }),
		...serviceWords(code, serviceMessage),
	};
	return { error: message, details };
}

/**
 * Returns the JSON of a failed item in the error output. It only has `error`, a text with all facts: older n8n requires this, and
 * other keys would replace those of the input.
 */
export function errorOutputJson(error: ItemError, thrown: unknown): IDataObject {
	const { details } = thrown instanceof ServiceError ? thrown : {};
	const { serviceMessage: msg } = details ?? {};
	const { message, description } = error;
	const text = [message, description ?? ''].join(' ');
	const facts = numbersMissingIn(text, details);
	const quoted = msg === undefined || text.includes(msg) ? '' : `The service said: ${msg}`;
	// The numbers come before the advice, so that the text does not end in one.
	const happened = [asSentence(message), facts.length > 0 && `(${facts.join(', ')})`];
	const sentences = [
		...happened,
		quoted && asSentence(quoted),
		description && asSentence(description),
	];
	return { error: sentences.filter(Boolean).join(' ') };
}

/** Returns the HTTP status and the code of a failure, as far as the text does not contain them. */
function numbersMissingIn(
	text: string,
	{ status = 200, code }: { status?: number; code?: number } = {},
): string[] {
	const isCodeMissing = code !== undefined && !new RegExp(`code ${code}\\b`, 'i').test(text);
	return [
		...(status === 200 || text.includes(`HTTP ${status}`) ? [] : [`HTTP ${status}`]),
		...(isCodeMissing ? [`code ${code}`] : []),
	];
}

function serviceWords(code?: number, msg?: string) {
	return { ...(code !== undefined && { code }), ...(msg !== undefined && { msg }) };
}

/** Advice for users, with the labels of the editor. */
const remedyTexts: Record<Remedy, string> = {
	getRows:
		"The row may have been deleted. Check 'Row ID', or _rowId in the item. To get the row IDs, use the operation 'Get Many' of the resource 'Subtable Row'.",
	numberNewRows:
		"Leave the IDs out, so that the rows are new, and number the rows in 'Files': -1, -2, …",
	readInformation:
		"Read the record with the option 'Include Record Information' before you change it.",
	checkAccount:
		"Correct 'Account' in the credential: it is the first part of the path when a sheet is open in the browser.",
	checkAddress: "Check 'Base URL' and 'Account' in the credential, and the sheet.",
	checkBaseUrl: "Check 'Base URL' in the credential.",
	checkConnection:
		"Check the host and port of 'Base URL' in the credential, and whether n8n's host can connect to it. If n8n uses a proxy (HTTPS_PROXY), check that it runs.",
	checkButton: "Choose the button again from the list in 'Action Button'.",
	checkIdentity: 'Check the credential, and test its connection.',
	checkLogin:
		"Check 'Email' and 'Password' in the credential. Log in with them in the browser to see whether the user is still active.",
	checkSession:
		"The service accepts the login, but not the session that it opens. Change 'Send Session In' in the credential, or correct 'Cookie Name'.",
	checkTemplate:
		"Check 'Template ID'. To find it, download such a document manually: the number follows cid or …TemplateId in the address.",
	checkView:
		"Check 'Shared View ID': the view must be a shared view of this sheet, and may have been deleted.",
	chooseTimeZone:
		'Choose another time zone in the settings of the workflow, e.g. Europe/Berlin. If it is the default, correct GENERIC_TIMEZONE of n8n.',
	copyKey:
		"Copy the complete API key again from your personal settings in the service, and enter it as 'API Key' in the credential.",
	checkProxy:
		"Check 'Base URL' in the credential, and whether there is a proxy between n8n and the service.",
	checkRagicSpelling:
		"Check the record and 'Template ID'. The report was requested in Ragic's spelling: for another service, set 'Service Dialect' in the credential to 'Standard'.",
	checkStandardSpelling:
		"Check the record and 'Template ID'. The report was requested in the standard spelling: for a Ragic server, set 'Service Dialect' in the credential to 'Ragic'.",
	checkSheet:
		"Choose the sheet again: it may have been moved or deleted. If it exists, check 'Base URL' and 'Account' in the credential. A path begins after the account, e.g. sales/orders/1.",
	followAccount: "If the account has moved, set 'Base URL' in the credential to its new address.",
	ignoreError:
		"The item comes from an error output. Enter error in the option 'Ignore Field Names or IDs', or remove the key before this node, e.g. with an Edit Fields node.",
	leaveOutKey:
		"If it is no field, enter it in the option 'Ignore Field Names or IDs', or set the option 'Unknown Fields' to 'Ignore'.",
	openObject:
		"The key holds an object. To write the values in it, set 'Input' to 'JSON', with an expression such as {{ $json.body }}.",
	renewCertificate:
		"Whoever runs the service must renew it. If a browser accepts the certificate, check the clock of n8n's host.",
	selectRecords: "Add a condition in 'Filters', or enter IDs in 'Record IDs'.",
	setBaseUrl: "Set 'Base URL' in the credential to https://host, e.g. https://www.example.com.",
	trustCertificate:
		"Check 'Base URL' in the credential. For a private certificate authority, set NODE_EXTRA_CA_CERTS of n8n to its certificate. If that is impossible and you trust the network, turn on 'Ignore SSL Issues (Insecure)' in the credential. If the certificate has expired or is not valid yet, check the clock of n8n's host.",
	unlockRecord:
		"Unlock the record first with the operation 'Unlock' of the resource 'Lock', or turn off 'Check Lock'.",
	waitLonger:
		"To continue waiting, use the operation 'Wait' of the resource 'Task' with this task ID, or increase 'Timeout'.",
};
