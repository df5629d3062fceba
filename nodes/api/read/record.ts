import { internalKeys } from './recordKeys';
import { fromServiceDate } from '../values/dates';
import type { JsonMembers } from '../json/jsonReader';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { isRowKey, isSubtableKey, subtableKey, subtableOf } from '../values/subtableKeys';

/** A record of an answer: its id and what the service sent for it, in the order of the text. */
export interface SheetRecord {
	id: string;
	content: JsonObject;
}

/** A JSON value of an n8n item. */
export type PlainValue = null | boolean | number | string | PlainValue[] | PlainObject;
export interface PlainObject {
	[key: string]: PlainValue;
}

/** Returns the records in an object of records by their ids, in its order; without whatever else is in it. */
export function recordsOf(value: JsonValue): SheetRecord[] {
	if (!isJsonObject(value)) return [];
	return [...value].flatMap(([id, content]) =>
		recordIdText(id) !== undefined && isJsonObject(content) ? [{ id, content }] : [],
	);
}

/** Yields the content of a record, then of each row of its subtables. */
export function* withRows(content: JsonObject): Generator<JsonObject> {
	yield content;
	for (const rows of content.values()) {
		if (isJsonObject(rows)) yield* [...rows.values()].filter(isJsonObject);
	}
}

/** Returns the rows of a record's subtable, keyed by row id; undefined when the record shows no such subtable. */
export function rowsOf(content: JsonObject, subtableId: string): JsonObject | undefined {
	const rows = content.get(subtableKey(subtableId));
	return isJsonObject(rows) ? withoutOtherKeys(rows) : undefined;
}

/** Returns the rows of a subtable without its keys that are no row IDs. */
function withoutOtherKeys(rows: JsonObject): JsonObject {
	if ([...rows.keys()].every(isRowKey)) return rows;
	return new Map([...rows].filter(([key]) => isRowKey(key)));
}

/** How records are turned into items. */
export interface RecordShape {
	/** Keys of the fields to keep; all when undefined. Subtables are kept by `_subtable_<id>`. */
	onlyKeys?: ReadonlySet<string>;
	/** Turn the service's dates into ISO 8601. */
	isoDates?: boolean;
	/** Hours of `tz`, when dates were asked for in that offset. */
	offsetHours?: number;
	/** Turns the value of a field, or the rows of a subtable, into values of their types. */
	types?: { member: (key: string, value: JsonValue) => JsonValue };
	/** Makes the keys of fields; without it they are as the service sent them. */
	keyOf?: (key: string, subtableId?: string) => string;
}

/** Returns the simplified item of one record, as `RecordItems` makes it. */
export function simplifiedRecord(
	{ id, content }: SheetRecord,
	shape: RecordShape = {},
): PlainObject {
	return new RecordItems(true, shape).item(id, membersOf(content));
}

interface Part {
	key: string;
	/** The place of its value in the record; without one it is the record's id. */
	place?: number;
	/** Whether rows of a subtable stand there, of which an array is made. */
	hasRows?: boolean;
}

/** What records with the same keys have in common: most often all of a sheet. */
interface Form {
	keys: readonly string[];
	parts: readonly Part[];
	/** Copied for each item. */
	empty: PlainObject;
}

/** As many as a sheet with two or three subtables has, each of which may be left out. */
const mostForms = 8;

/**
 * Makes items of many records. A simplified one is flat: `_recordId`, `_title`, `_starred`, then the fields, then each
 * `_subtable_<id>` as an array of rows with `_rowId`; any other is what the service sent.
 */
export class RecordItems {
	private readonly forms: Form[] = [];

	constructor(
		private readonly isSimplified: boolean,
		private readonly shape: RecordShape = {},
	) {}

	item(id: string, { keys, values }: JsonMembers<JsonValue>): PlainObject {
		const { types } = this.shape;
		const form = this.forms.find((one) => areEqual(keys, one.keys)) ?? this.newForm(keys);
		const item = { ...form.empty };
		for (const { key, place, hasRows } of form.parts) {
			const sent = place === undefined ? undefined : values[place];
			const value = types && sent !== undefined ? types.member(key, sent) : sent;
			if (value === undefined) setOwn(item, key, numberOrText(id));
			else if (hasRows && isJsonObject(value)) setOwn(item, key, rowsJson(value, this.shape, key));
			else setOwn(item, key, plain(value, this.shape));
		}
		return item;
	}

	private newForm(keys: readonly string[]): Form {
		const parts = (this.isSimplified ? simplifiedParts : rawParts)(keys, this.shape);
		const form = { keys, parts, empty: emptyItem(parts) };
		if (this.forms.push(form) > mostForms) this.forms.shift();
		return form;
	}
}

/** What comes out under other names. */
const shownAs = Object.entries({ _title: '_index_title_', _starred: '_star' });

function simplifiedParts(keys: readonly string[], shape: RecordShape): Part[] {
	const parts: Part[] = [{ key: '_recordId' }];
	for (const [key, internalKey] of shownAs) {
		const place = keys.indexOf(internalKey);
		if (place !== -1) parts.push({ key, place });
	}
	const subtables: Part[] = [];
	for (const [place, key] of keys.entries()) {
		if (internalKeys.has(key) || !isKept(key, shape)) continue;
		// Only with `info` it was asked for.
		if (key === '_seq' && !keys.includes('_create_date')) continue;
		const hasRows = isSubtableKey(key);
		(hasRows ? subtables : parts).push({ key: shape.keyOf?.(key) ?? key, place, hasRows });
	}
	return [...parts, ...subtables];
}

function rawParts(keys: readonly string[], shape: RecordShape): Part[] {
	const parts: Part[] = keys
		.map((key, place) => ({ key, place }))
		.filter(({ key }) => isKept(key, shape));
	const hasId = keys.includes('_svcId') || keys.includes('_ragicId');
	return hasId ? parts : [...parts, { key: '_recordId' }];
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
	if (left === right) return true;
	return left.length === right.length && left.every((key, place) => key === right[place]);
}

/**
 * An item with all its keys. V8 turns an object that gets more than a dozen keys one by one into a
 * dictionary, which is slow and takes five times the memory; what `JSON.parse` makes is none, nor are copies of it.
 */
function emptyItem(parts: readonly Part[]): PlainObject {
	const empty: PlainObject = {};
	for (const { key } of parts) setOwn(empty, key, null);
	return { ...JSON.parse(JSON.stringify(empty)) };
}

/** Returns the keys and values of a record's content. */
export function membersOf(content: JsonObject): JsonMembers<JsonValue> {
	return { keys: [...content.keys()], values: [...content.values()] };
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

function rowsJson(rows: JsonObject, shape: RecordShape, key: string): PlainObject[] {
	const subtableId = subtableOf(key);
	// The keys of comments are ids whatever the naming.
	const ofRows = subtableId === undefined ? { ...shape, keyOf: undefined } : shape;
	return [...withoutOtherKeys(rows)].map(([rowId, row]) => rowJson(rowId, row, ofRows, subtableId));
}

function isKept(key: string, { onlyKeys }: RecordShape): boolean {
	if (onlyKeys === undefined || onlyKeys.has(key)) return true;
	return key.startsWith('_') && !isSubtableKey(key);
}

/** A row of a subtable as an item: `_rowId`, then its fields, without what the service keeps for itself. */
export function rowJson(
	rowId: string,
	row: JsonValue,
	shape: RecordShape = {},
	subtableId?: string,
): PlainObject {
	const json: PlainObject = { _rowId: numberOrText(rowId) };
	if (!isJsonObject(row)) return { ...json, value: plain(row, shape) };
	for (const [key, value] of row) {
		if (internalKeys.has(key)) continue;
		setOwn(json, shape.keyOf?.(key, subtableId) ?? key, plain(value, shape));
	}
	return json;
}

const asMember = { enumerable: true, configurable: true, writable: true };

/** A field may be called `__proto__`: assigning that would set the prototype and lose the value. */
function setOwn(object: PlainObject, key: string, value: PlainValue): void {
	if (key !== '__proto__') object[key] = value;
	else Object.defineProperty(object, key, { ...asMember, value });
}
