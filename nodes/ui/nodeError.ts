import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { textMember } from '../api/http/networkErrors';
import { ServiceError, type FailureKind } from '../api/http/serviceError';

/** What to do about a failure in the nodes' own words, before what the service layer says. */
const advice: Partial<Record<FailureKind, string>> = {
	locked:
		"Unlock it first with the operation 'Unlock' of the resource 'Lock', or turn off 'Check Lock'.",
	timeout:
		"To go on waiting, use the resource 'Task' with the operation 'Wait' and this task ID, or raise 'Timeout'.",
};

type ItemError = NodeApiError | NodeOperationError;

/**
 * Whatever was thrown for an item as one of n8n's two kinds of error, with the item's number.
 *
 * Made from plain, clean data: the thrown thing itself may hold the request with its identity.
 */
export function nodeError(node: INode, thrown: unknown, itemIndex: number): ItemError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
		thrown.context.itemIndex ??= itemIndex;
		return thrown;
	}
	if (!(thrown instanceof ServiceError)) {
		const message = shownMessage(thrown instanceof Error ? thrown.message : String(thrown));
		const description = textMember(thrown, 'description');
		return new NodeOperationError(node, message, { itemIndex, description });
	}
	const { kind, status, code, serviceMessage } = thrown.details;
	const description =
		[advice[kind], thrown.details.description].filter(Boolean).join(' ') || undefined;
	const message = shownMessage(thrown.details.message);
	if (kind === 'unsent') return new NodeOperationError(node, message, { itemIndex, description });
	// What n8n shows as the error code: a refusal inside an HTTP 200 has one of the service's own.
	const shownCode = code ?? (status === 200 ? undefined : status);
	const httpCode = shownCode === undefined ? undefined : String(shownCode);
	const plain = {
		message,
		...(httpCode ? { httpCode } : {}),
		...serviceWords(code, serviceMessage),
	};
	return new NodeApiError(node, plain, { message, description, httpCode, itemIndex });
}

/** n8n takes an error whose message holds the word 'canceled' for a cancelled execution, no matter who said it of what. */
function shownMessage(message: string): string {
	return message.replace(/canceled/g, 'cancelled');
}

/** The JSON of a failed item that stays among the others: what happened, and what is known of it. */
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
 * The JSON of a failed item for the error output: all in one text. Older versions of n8n send an item
 * there only if `error` is its one key, and others would hide those of the input item, which n8n adds.
 */
export function errorOutputJson(error: ItemError, thrown: unknown): IDataObject {
	const details = thrown instanceof ServiceError ? thrown.details : undefined;
	const { code, msg } = serviceWords(details?.code, details?.serviceMessage);
	const status = details?.status ?? 200;
	const told = [error.message, error.description ?? '']
		.filter((text) => text !== '')
		.map(sentence)
		.join(' ');
	const words = [
		status === 200 || told.includes(`HTTP ${status}`) ? '' : `HTTP ${status}.`,
		code === undefined || new RegExp(`code ${code}\\b`, 'i').test(told) ? '' : `Code ${code}.`,
		msg === undefined || told.includes(msg) ? '' : sentence(`The service said: ${msg}`),
	];
	return { error: [told, ...words].filter(Boolean).join(' ') };
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
