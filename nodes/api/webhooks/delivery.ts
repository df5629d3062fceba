import { readSigned } from '../json/canonicalJson';
import type { Steps } from '../json/jsonReader';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { recordIdText } from '../read/record';
import { withoutOuterSlashes } from '../values/text';

/** What may happen to a record (specification, "Events"). */
export const webhookEvents = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** A changed record, as a delivery describes it. */
export interface DeliveredRecord {
	recordId?: string;
	event?: WebhookEvent;
	content?: JsonObject;
	/** The ids of the fields that changed, where the delivery lists them. */
	changedFields?: string[];
}

/** A delivery without content: the ids of the changed records, and nothing else (specification, "Events"). */
interface IdDelivery {
	kind: 'ids';
	event?: undefined;
	records: DeliveredRecord[];
}

/** A delivery with the changed records in full. */
export interface ContentDelivery {
	kind: 'content';
	event: WebhookEvent;
	account: string;
	/** Folder path, without slashes at its ends. */
	path: string;
	sheetIndex: number;
	records: DeliveredRecord[];
	signature?: string;
	/** The text of `data` that is signed, but for its spelling; undefined when there is no such text. */
	signedText?: string;
}

export type Delivery = IdDelivery | ContentDelivery;

/** A request that is not taken. Its message goes to the sender: it says nothing of the request, and no secret. */
export class Refusal extends Error {
	/** @param options the cause, for whoever tests the node: it may say more than a stranger should read */
	constructor(
		readonly status: 400 | 401 | 413 | 503,
		message: string,
		options?: ErrorOptions,
	) {
		super(message, options);
		this.name = 'Refusal';
	}
}

/** More than a delivery of n8n's size has: anybody may send one, and all of it is read before it is verified. */
const limits = { parts: 1_000_000, members: 100_000 };

/** Returns the delivery in the body of a webhook request (specification, "Events"). Throws Refusal for anything else. */
export function* parseDelivery(body: string): Steps<Delivery> {
	const read = yield* signedBody(body);
	if (!read) throw new Refusal(400, 'The body is not JSON, or holds too much');
	const { value, signedText } = read;
	if (Array.isArray(value)) return idDelivery(value);
	if (isJsonObject(value)) return contentDelivery(value, signedText);
	throw new Refusal(400, 'The body is no delivery');
}

function* signedBody(body: string) {
	try {
		return yield* readSigned(body, 'data', limits);
	} catch {
		return undefined;
	}
}

function idDelivery(values: JsonValue[]): IdDelivery {
	const recordIds = idsOf(values);
	if (!recordIds) throw new Refusal(400, 'The array holds something else than record ids');
	return { kind: 'ids', records: [...new Set(recordIds)].map((recordId) => ({ recordId })) };
}

function contentDelivery(body: JsonObject, signedText?: string): ContentDelivery {
	const eventType = String(body.get('eventType')).toUpperCase();
	const event = webhookEvents.find((name) => name === eventType);
	const account = body.get('apname');
	const path = body.get('path');
	const sheetIndex = recordIdText(body.get('sheetIndex'));
	const records = body.get('data');
	const signature = body.get('signature') ?? '';
	const isWhole = Array.isArray(records) && records.every(isJsonObject) && event !== undefined;
	const isAddressed = typeof account === 'string' && typeof path === 'string';
	if (!isWhole || !isAddressed || sheetIndex === undefined || typeof signature !== 'string') {
		const members = 'apname, path, sheetIndex, eventType, data or signature';
		throw new Refusal(400, `The body is no delivery: ${members} is missing or wrong`);
	}
	return {
		kind: 'content',
		event,
		account,
		path: withoutOuterSlashes(path),
		sheetIndex: Number(sheetIndex),
		records: records.map((content) => ({
			recordId: recordIdText(content.get('_svcId')) ?? recordIdText(content.get('_ragicId')),
			event,
			content,
			// Only a list of field ids shows which fields changed.
			changedFields: idsOf(content.get('changedFields') ?? body.get('changedFields')),
		})),
		...(signature === '' ? {} : { signature }),
		signedText,
	};
}

/** Returns the ids of a list that holds nothing else. */
function idsOf(value: JsonValue | undefined): string[] | undefined {
	const ids = Array.isArray(value) ? value.map(recordIdText) : [undefined];
	return ids.every((id) => id !== undefined) ? ids : undefined;
}
