import { fromServiceDate } from './dates';
import { isJsonObject } from './orderedJson';
import type { JsonObject, JsonValue } from './orderedJson';
import { isSubtableKey } from './subtableKeys';

/** A record of an answer: its id and what the service sent for it, in the order of the text. */
export interface SheetRecord {
	id: string;
	content: JsonObject;
}

/** A JSON value as n8n's items hold it. */
export type PlainValue = null | boolean | number | string | PlainValue[] | PlainObject;
export interface PlainObject {
	[key: string]: PlainValue;
}

/** Told under other names, or kept by the service for its own search and calendar. */
const internalKeys: ReadonlySet<string> = new Set([
	'_svcId',
	'_ragicId',
	'_index_title_',
	'_star',
	'_index_',
	'_index_calDates_',
	'_dataTimestamp',
]);

/**
 * The records of a list or of a single read, in the order of the answer. The key is the id; the
 * spellings `_svcId` and `_ragicId` inside repeat it.
 *
 * @returns undefined when the value is not an object of records by their ids
 */
export function recordsOf(value: JsonValue): SheetRecord[] | undefined {
	if (!isJsonObject(value)) return undefined;
	const records: SheetRecord[] = [];
	for (const [id, content] of value) {
		if (recordIdText(id) === undefined || !isJsonObject(content)) return undefined;
		records.push({ id, content });
	}
	return records;
}

/** How records are turned into items. */
export interface RecordShape {
	/** Keys of the fields to keep; all when undefined. Subtables are kept by `_subtable_<id>`. */
	onlyKeys?: ReadonlySet<string>;
	/** Turn the service's dates into ISO 8601. */
	isoDates?: boolean;
	/** Hours of `tz`, when dates were asked for in that offset. */
	offsetHours?: number;
}

/**
 * A record as a flat item: `_recordId`, `_title`, `_starred`, then the fields, then each
 * `_subtable_<id>` as an array of rows with `_rowId`, in the order of the answer.
 */
export function simplifiedRecord(
	{ id, content }: SheetRecord,
	shape: RecordShape = {},
): PlainObject {
	const simplified: PlainObject = { _recordId: numberOrText(id) };
	const title = content.get('_index_title_');
	const starred = content.get('_star');
	if (title !== undefined) simplified._title = plain(title, shape);
	if (starred !== undefined) simplified._starred = plain(starred, shape);
	const subtables: Array<[string, JsonObject]> = [];
	for (const [key, value] of content) {
		if (internalKeys.has(key) || !isKept(key, shape)) continue;
		if (isSubtableKey(key) && isJsonObject(value)) subtables.push([key, value]);
		else setOwn(simplified, key, plain(value, shape));
	}
	for (const [key, rows] of subtables) {
		simplified[key] = [...rows].map(([rowId, row]) => rowJson(rowId, row, shape));
	}
	return simplified;
}

/** A record exactly as the service sent it, as far as a JavaScript object can hold it. */
export function rawRecord({ id, content }: SheetRecord, shape: RecordShape = {}): PlainObject {
	const raw: PlainObject = {};
	for (const [key, value] of content) {
		if (isKept(key, shape)) setOwn(raw, key, plain(value, shape));
	}
	if (!content.has('_svcId') && !content.has('_ragicId')) raw._recordId = numberOrText(id);
	return raw;
}

/** An ordered value as plain objects; integer-like keys lose their order here. */
export function plain(value: JsonValue, shape: RecordShape = {}): PlainValue {
	if (typeof value === 'string' && shape.isoDates) {
		return fromServiceDate(value, shape.offsetHours) ?? value;
	}
	if (Array.isArray(value)) return value.map((element) => plain(element, shape));
	if (!isJsonObject(value)) return value;
	const object: PlainObject = {};
	const ownShape = isHistoryEntry(value) ? { ...shape, offsetHours: 0 } : shape;
	for (const [key, element] of value) setOwn(object, key, plain(element, ownShape));
	return object;
}

/** An id that the service wrote as a number or a text; undefined for anything else. */
export function recordIdText(value: JsonValue | undefined): string | undefined {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
	return /^\d+$/.test(text) ? text : undefined;
}

/** Its time is always in UTC, whatever `tz` says (specification, "Edit history entry"). */
function isHistoryEntry(object: JsonObject): boolean {
	return ['Time', 'Type', 'Sheet', 'User', 'Detail'].every((key) => object.has(key));
}

/** An id as a number when JavaScript holds it exactly. */
export function numberOrText(id: string): number | string {
	const number = Number(id);
	return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

function isKept(key: string, { onlyKeys }: RecordShape): boolean {
	if (onlyKeys === undefined || onlyKeys.has(key)) return true;
	return key.startsWith('_') && !isSubtableKey(key);
}

/** A row of a subtable as an item: `_rowId`, then its fields, without what the service keeps for itself. */
export function rowJson(rowId: string, row: JsonValue, shape: RecordShape = {}): PlainObject {
	const json: PlainObject = { _rowId: numberOrText(rowId) };
	if (!isJsonObject(row)) return { ...json, value: plain(row, shape) };
	for (const [key, value] of row) {
		if (!internalKeys.has(key)) setOwn(json, key, plain(value, shape));
	}
	return json;
}

/** A field may be called `__proto__`: assigning that would set the prototype and lose the value. */
export function setOwn(object: PlainObject, key: string, value: PlainValue): void {
	if (key !== '__proto__') object[key] = value;
	else
		Object.defineProperty(object, key, {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
}
