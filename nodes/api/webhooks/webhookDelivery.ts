import { canonicalTexts } from '../json/canonicalJson';
import { isJsonObject, orderedJsonIn, parseOrderedJson } from '../json/orderedJson';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { recordIdText } from '../read/record';
import { withoutOuter } from '../values/text';

/** What may happen to a record (specification, "Events"). */
export const webhookEvents = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** A delivery without content: the ids of the changed records, and nothing else (specification, "Events"). */
export interface IdDelivery {
	kind: 'ids';
	recordIds: string[];
}

/** A delivery with the changed records in full. */
export interface ContentDelivery {
	kind: 'content';
	event: WebhookEvent;
	account: string;
	/** Folder path, without slashes at its ends. */
	path: string;
	sheetIndex: number;
	records: JsonObject[];
	signature?: string;
	/** Texts of `data` one of which the service has signed, if it has signed any. */
	signedTexts: () => Iterable<string>;
}

export type Delivery = IdDelivery | ContentDelivery;

/** The body is no delivery; `reason` is for the operator who reads the answer. */
export interface Malformed {
	kind: 'malformed';
	reason: string;
}

/** More than a delivery of n8n's size has: anybody may send one, and all of it is read before it is judged. */
const mostParts = 1_000_000;

/** Reads the body of a webhook request (specification, "Events"). */
export function parseDelivery(text: string): Delivery | Malformed {
	const value = orderedJsonIn(text, (body) => parseOrderedJson(body, mostParts));
	if (value === undefined) return malformed('The body is not JSON');
	if (Array.isArray(value)) return idDelivery(value);
	return isJsonObject(value) ? contentDelivery(value, text) : malformed('The body is no delivery');
}

function idDelivery(values: JsonValue[]): Delivery | Malformed {
	const recordIds = values.map(recordIdText);
	return recordIds.every((id) => id !== undefined)
		? { kind: 'ids', recordIds }
		: malformed('The array holds something else than record ids');
}

function contentDelivery(body: JsonObject, text: string): Delivery | Malformed {
	const event = webhookEvents.find((name) => name === body.get('eventType'));
	const account = body.get('apname');
	const path = body.get('path');
	const sheetIndex = recordIdText(body.get('sheetIndex'));
	const records = body.get('data');
	const signature = body.get('signature') ?? '';
	if (event === undefined) return malformed('The eventType is none of CREATE, UPDATE and DELETE');
	if (typeof account !== 'string' || typeof path !== 'string' || sheetIndex === undefined) {
		return malformed('apname, path or sheetIndex is missing');
	}
	if (!Array.isArray(records) || !records.every(isJsonObject)) {
		return malformed('data is not an array of records');
	}
	if (typeof signature !== 'string') return malformed('The signature is not a text');
	return {
		kind: 'content',
		event,
		account,
		path: withoutOuter(path, '/'),
		sheetIndex: Number(sheetIndex),
		records,
		...(signature === '' ? {} : { signature }),
		signedTexts: () => canonicalTexts(text, 'data'),
	};
}

/** The id of a record inside a delivery, in either spelling. */
export function deliveredRecordId(record: JsonObject): string | undefined {
	return recordIdText(record.get('_svcId')) ?? recordIdText(record.get('_ragicId'));
}

function malformed(reason: string): Malformed {
	return { kind: 'malformed', reason };
}
