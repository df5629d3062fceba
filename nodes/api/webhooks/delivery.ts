import { readSigned } from '../json/canonicalJson';
import { readJson } from '../json/jsonReader';
import type { Steps } from '../json/jsonReading';
import { decoding, isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { validRecordId } from '../read/record';
import { withoutOuterSlashes } from '../values/text';

/** Event types of a delivery (specification, "Events"). */
export const webhookEvents = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Keys of the record ID in a delivered record, in both spellings of the service. */
const deliveredIdKeys = ['_svcId', '_ragicId', 'ragicId', 'svcId'];

/** Keys of a delivered record that a read record does not have. */
export const deliveryKeys: readonly string[] = ['changedFields', 'ragicId', 'svcId'];

/** A changed record, as a delivery describes it. */
export interface DeliveredRecord {
	recordId?: string;
	event?: WebhookEvent;
	content?: JsonObject;
	/** Field IDs, if the delivery lists the changed fields. */
	changedFields?: string[];
}

/** Members of a delivery besides its data, and the text that is signed. */
export interface Envelope {
	account: string;
	/** Folder path, without slashes at its ends. */
	path: string;
	sheetIndex: number;
	signature?: string;
	/** Canonical text of `data`, which is signed. Undefined without `data`, or if its key is ambiguous (see `readSigned`). */
	signedText?: string;
}

/** A delivery (specification, "Events"). */
export interface Delivery {
	/** Omitted for a bare list of record IDs. */
	event?: WebhookEvent;
	records: DeliveredRecord[];
	/** Whether the delivery has full records. A delivery of IDs only is not signed. */
	hasContent: boolean;
	/** Omitted for a bare list of record IDs. */
	envelope?: Envelope;
}

/** Thrown for a rejected request. The message is sent to the sender, so it must not contain secrets or parts of the request. */
export class DeliveryRefusal extends Error {
	/** @param options the cause, which is only shown to the user in a test run */
	constructor(
		readonly status: 400 | 401 | 413 | 503,
		message: string,
		options?: ErrorOptions,
	) {
		super(message, options);
		this.name = 'DeliveryRefusal';
	}
}

/**
 * Limits for the body of a request, which is parsed before it is verified. The keys of an object are limited, because they are
 * sorted in one uninterrupted step. The length of a list of plain values is not limited.
 */
const limits = { parts: 1_000_000, keys: 100_000 };

/** Number of list elements to convert before yielding to the event loop. */
const elementsPerStep = 20_000;

/** Returns the delivery in the body of a webhook request (specification, "Events"). Throws DeliveryRefusal for other bodies. */
export function* parseDelivery(body: string): Steps<Delivery> {
	const parsed = yield* parseBody(body);
	if (!parsed) throw new DeliveryRefusal(400, 'The body is not JSON, or holds too much');
	const { value, signedText } = parsed;
	if (Array.isArray(value)) {
		const records = yield* recordsWithoutContent(value);
		if (records) return { records, hasContent: false };
		throw new DeliveryRefusal(400, 'The array holds something else than record ids');
	}
	if (isJsonObject(value)) return yield* envelopedDelivery(value, signedText);
	throw new DeliveryRefusal(400, 'The body is not a webhook delivery');
}

/**
 * Returns the JSON value of the body and the canonical text of its member `data`; undefined if the body is not JSON or exceeds
 * the limits.
 */
function* parseBody(body: string): Steps<{ value: JsonValue; signedText?: string } | undefined> {
	try {
		// A bare list is not signed, so its canonical text is not needed.
		if (/^\s*\[/.test(body)) return { value: yield* readJson(body, decoding('slices'), limits) };
		return yield* readSigned(body, 'data', limits);
	} catch {
		return undefined;
	}
}

function* envelopedDelivery(body: JsonObject, signedText?: string): Steps<Delivery> {
	const envelope = envelopeOf(body, signedText);
	const eventType = String(body.get('eventType')).toUpperCase();
	const event = webhookEvents.find((name) => name === eventType);
	const data = body.get('data');
	const withContent = yield* recordsWithContent(data, event, body.get('changedFields'));
	const records =
		withContent ?? (Array.isArray(data) && (yield* recordsWithoutContent(data, event)));
	if (!envelope || event === undefined || !records) {
		const members = 'apname, path, sheetIndex, eventType, data or signature';
		throw new DeliveryRefusal(400, `Not a webhook delivery: ${members} is missing or wrong`);
	}
	return { event, records, hasContent: withContent !== undefined, envelope };
}

function envelopeOf(body: JsonObject, signedText?: string): Envelope | undefined {
	const account = body.get('apname');
	const path = body.get('path');
	const sheetIndex = validRecordId(body.get('sheetIndex'));
	const signature = body.get('signature') ?? '';
	if (typeof account !== 'string' || typeof path !== 'string') return undefined;
	if (sheetIndex === undefined || typeof signature !== 'string') return undefined;
	return {
		account,
		path: withoutOuterSlashes(path),
		sheetIndex: Number(sheetIndex),
		...(signature !== '' && { signature }),
		signedText,
	};
}

/**
 * Returns the records in the data: a list of records, an object with record IDs as keys, or a single record; undefined for any
 * other data. `changedFields` of the delivery applies to each record that has none of its own.
 */
function* recordsWithContent(
	data: JsonValue | undefined,
	event: WebhookEvent | undefined,
	changedFields: JsonValue | undefined,
): Steps<DeliveredRecord[] | undefined> {
	const recordOf = (content: JsonObject, id = recordIdIn(content)): DeliveredRecord => ({
		recordId: id,
		event,
		content,
		changedFields: idsOf(content.get('changedFields') ?? changedFields),
	});
	if (!isJsonObject(data)) {
		if (!Array.isArray(data)) return undefined;
		return yield* mapAll(data, (value) => (isJsonObject(value) ? recordOf(value) : undefined));
	}
	// Lists of the service may have the key `-1` beside the record IDs.
	const entries = [...data].filter(([key]) => key !== '-1');
	const byId = yield* mapAll(entries, ([id, value]) =>
		validRecordId(id) !== undefined && isJsonObject(value) ? recordOf(value, id) : undefined,
	);
	return byId ?? [recordOf(data)];
}

/** Returns the records of a list of IDs, without duplicates; undefined if the list has other values. */
function* recordsWithoutContent(
	values: readonly JsonValue[],
	event?: WebhookEvent,
): Steps<DeliveredRecord[] | undefined> {
	const known = new Set<string>();
	const records: DeliveredRecord[] = [];
	const ids = yield* mapAll(values, validRecordId);
	for (const recordId of ids ?? []) {
		if (known.has(recordId)) continue;
		known.add(recordId);
		records.push(event === undefined ? { recordId } : { recordId, event });
		if (records.length % elementsPerStep === 0) yield;
	}
	return ids && records;
}

/** Converts all values in steps. Returns undefined as soon as one value cannot be converted. */
function* mapAll<Value, Result>(
	values: readonly Value[],
	convert: (value: Value) => Result | undefined,
): Steps<Result[] | undefined> {
	const results: Result[] = [];
	for (const value of values) {
		const result = convert(value);
		if (result === undefined) return undefined;
		if (results.push(result) % elementsPerStep === 0) yield;
	}
	return results;
}

/** Returns the record ID inside a delivered record; undefined if it does not contain one. */
function recordIdIn(content: JsonObject): string | undefined {
	return deliveredIdKeys
		.map((key) => validRecordId(content.get(key)))
		.find((id) => id !== undefined);
}

/** Returns the IDs of a list; undefined if the value is anything else. */
function idsOf(value: JsonValue | undefined): string[] | undefined {
	const ids = Array.isArray(value) ? value.map(validRecordId) : [undefined];
	return ids.every((id) => id !== undefined) ? ids : undefined;
}
