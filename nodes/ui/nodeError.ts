import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import { textMember } from '../api/http/failure';
import { ServiceError } from '../api/http/serviceError';
import type { Remedy } from '../api/values/inputError';
import { InputError } from '../api/values/inputError';
import { remedyText } from './remedies';

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
		const description = describe(
			textMember(thrown, 'description'),
			thrown instanceof InputError ? thrown.remedy : undefined,
		);
		return new NodeOperationError(node, message, { itemIndex, description });
	}
	const { kind, status, code, serviceMessage, remedy } = thrown.details;
	const description = describe(thrown.details.description, remedy);
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

/** Returns what to do about an error, and what else is known of it. */
export function describe(
	description: string | undefined,
	remedy: Remedy | undefined,
): string | undefined {
	const sentences = [remedy && remedyText(remedy), description].filter(Boolean);
	return sentences.join(' ') || undefined;
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
