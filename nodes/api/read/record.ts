import { internalKeys } from './recordKeys';
import { fromServiceDate } from '../values/dates';
import type { JsonMembers } from '../json/jsonReading';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { isRowKey, isSubtableKey, subtableKey, subtableOf } from '../values/subtableKeys';

/** A record of an answer: its ID and its members as sent, in the order of the text. */
export interface SheetRecord {
	id: string;
	content: JsonObject;
}

/** A JSON value of an n8n item. */
export type PlainValue = null | boolean | number | string | PlainValue[] | PlainObject;
export interface PlainObject {
	[key: string]: PlainValue;
}

/** Returns the records of an answer, in its order. Keys that are not record IDs are skipped. */
export function recordsOf(value: JsonValue): SheetRecord[] {
	if (!isJsonObject(value)) return [];
	return [...value].flatMap(([id, content]) =>
		validRecordId(id) !== undefined && isJsonObject(content) ? [{ id, content }] : [],
	);
}

/** Yields the content of a record, then of each row of its subtables. */
export function* withRows(content: JsonObject): Generator<JsonObject> {
	yield content;
	for (const rows of content.values()) {
		if (isJsonObject(rows)) yield* [...rows.values()].filter(isJsonObject);
	}
}

/** Returns the rows of a subtable by row ID, or undefined if the record does not contain the subtable. */
export function rowsOf(content: JsonObject, subtableId: string): JsonObject | undefined {
	const rows = content.get(subtableKey(subtableId));
	return isJsonObject(rows) ? withoutOtherKeys(rows) : undefined;
}

/** Returns the rows of a subtable without keys that are not row IDs. */
function withoutOtherKeys(rows: JsonObject): JsonObject {
	if ([...rows.keys()].every(isRowKey)) return rows;
	return new Map([...rows].filter(([key]) => isRowKey(key)));
}

/** Options for converting records to items. */
export interface RecordShape {
	/** Keys of the fields and subtables (`_subtable_<id>`) to keep. If undefined, all are kept. Other keys with `_` are kept, too. */
	onlyKeys?: ReadonlySet<string>;
	/** Keys with `_` that are not kept beside `onlyKeys`, because they are fields. */
	otherFields?: ReadonlySet<string>;
	/** Whether to convert the service's dates to ISO 8601. */
	isoDates?: boolean;
	/** UTC offset in hours that was requested with `tz`. */
	offsetHours?: number;
	/** Converts the value of a field, or the rows of a subtable, to typed values. */
	types?: { member: (key: string, value: JsonValue) => JsonValue };
	/** Returns the output key of a field. If undefined, the service's keys are used. */
	keyOf?: (key: string, subtableId?: string) => string;
}

/** Returns the simplified item of a record (see `RecordItems`). */
export function simplifiedRecord(
	{ id, content }: SheetRecord,
	shape: RecordShape = {},
): PlainObject {
	return new RecordItems(true, shape).item(id, membersOf(content));
}

/** A member of an item. */
interface Column {
	key: string;
	/** Index of the value in the record. Undefined for the record ID. */
	index?: number;
	/** Whether the value is an object of subtable rows, which becomes an array. */
	hasRows?: boolean;
}

/** The layout of items that are made from records with the same keys. Most records of a sheet share one layout. */
interface KeyLayout {
	keys: readonly string[];
	columns: readonly Column[];
	/** An item with all keys and no values. It is copied for each record. */
	emptyItem: PlainObject;
}

/** Maximum number of remembered layouts: a sheet with three subtables has eight, because empty subtables are omitted. */
const maxLayouts = 8;

/**
 * Converts records to items. A simplified item is flat: `_recordId`, `_title`, `_starred`, the fields, then each
 * `_subtable_<id>` as an array of rows with `_rowId`. Any other item is the record as sent, with `_recordId` if it contains
 * no ID.
 */
export class RecordItems {
	private readonly layouts: KeyLayout[] = [];

	constructor(
		private readonly isSimplified: boolean,
		private readonly shape: RecordShape = {},
	) {}

	item(id: string, { keys, values }: JsonMembers<JsonValue>): PlainObject {
		const { types } = this.shape;
		const layout =
			this.layouts.find((candidate) => areEqual(keys, candidate.keys)) ?? this.newLayout(keys);
		const item = { ...layout.emptyItem };
		for (const { key, index, hasRows } of layout.columns) {
			const sent = index === undefined ? undefined : values[index];
			if (index === undefined || sent === undefined) {
				setMember(item, key, numberOrText(id));
				continue;
			}
			// The key in the item may be a placeholder, so the field is found by its key in the read.
			const value = types ? types.member(keys[index] ?? key, sent) : sent;
			if (hasRows && isJsonObject(value)) setMember(item, key, rowsJson(value, this.shape, key));
			else setMember(item, key, plain(value, this.shape));
		}
		return item;
	}

	private newLayout(keys: readonly string[]): KeyLayout {
		const columns = this.isSimplified
			? simplifiedColumns(keys, this.shape)
			: rawColumns(keys, this.shape);
		const layout: KeyLayout = { keys, columns, emptyItem: emptyItem(columns) };
		if (this.layouts.push(layout) > maxLayouts) this.layouts.shift();
		return layout;
	}
}

/** Item keys that replace the service's keys. */
const renamedKeys = { _title: '_index_title_', _starred: '_star' };

function simplifiedColumns(keys: readonly string[], shape: RecordShape): Column[] {
	const columns: Column[] = [{ key: '_recordId' }];
	for (const [key, serviceKey] of Object.entries(renamedKeys)) {
		const index = keys.indexOf(serviceKey);
		if (index !== -1) columns.push({ key, index });
	}
	const subtables: Column[] = [];
	for (const [index, key] of keys.entries()) {
		if (internalKeys.has(key) || !isKeptKey(key, shape)) continue;
		// The service sends `_seq` with every read. Return it only if `info` was requested.
		if (key === '_seq' && !hasInformation(keys)) continue;
		const hasRows = isSubtableKey(key);
		const column = { key: shape.keyOf?.(key) ?? key, index, hasRows };
		if (hasRows) subtables.push(column);
		else columns.push(column);
	}
	return [...columns, ...subtables];
}

/** Whether a read requested `info`. */
function hasInformation(keys: readonly string[]): boolean {
	return keys.includes('_create_date');
}

function rawColumns(keys: readonly string[], shape: RecordShape): Column[] {
	const columns: Column[] = keys
		.map((key, index) => ({ key, index }))
		.filter(({ key }) => isKeptKey(key, shape));
	const hasId = keys.includes('_svcId') || keys.includes('_ragicId');
	return hasId ? columns : [...columns, { key: '_recordId' }];
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
	if (left === right) return true;
	return left.length === right.length && left.every((key, index) => key === right[index]);
}

/**
 * Returns an item with all its keys. V8 converts an object to a slow dictionary, which takes five times the memory, when
 * more than a dozen keys are added one by one. Objects from `JSON.parse` and their copies stay fast.
 */
function emptyItem(columns: readonly Column[]): PlainObject {
	const empty: PlainObject = {};
	for (const { key } of columns) setMember(empty, key, null);
	return { ...JSON.parse(JSON.stringify(empty)) };
}

/** Returns the keys and values of a record's content. */
export function membersOf(content: JsonObject): JsonMembers<JsonValue> {
	return { keys: [...content.keys()], values: [...content.values()] };
}

/** Returns a value with plain objects instead of Maps, and with ISO dates if the shape says so. Keys that look like integers lose their order. */
export function plain(value: JsonValue, shape: RecordShape = {}): PlainValue {
	if (typeof value === 'string' && shape.isoDates) {
		return fromServiceDate(value, shape.offsetHours) ?? value;
	}
	if (Array.isArray(value)) return value.map((element) => plain(element, shape));
	if (!isJsonObject(value)) return value;
	const object: PlainObject = {};
	const entryShape = isHistoryEntry(value) ? { ...shape, offsetHours: 0 } : shape;
	for (const [key, element] of value) setMember(object, key, plain(element, entryShape));
	return object;
}

/** Returns a record ID, sent as number or text, as text. Returns undefined for any other value. */
export function validRecordId(value: JsonValue | undefined): string | undefined {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
	return /^\d+$/.test(text) ? text : undefined;
}

/** Returns whether the object is an edit history entry. Its time is in UTC even if `tz` was sent (specification, "Edit history entry"). */
function isHistoryEntry(object: JsonObject): boolean {
	return ['Time', 'Type', 'Sheet', 'User', 'Detail'].every((key) => object.has(key));
}

/** Returns an ID as a number if a JavaScript number holds it exactly, otherwise as text. */
export function numberOrText(id: string): number | string {
	const number = Number(id);
	return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

function rowsJson(rows: JsonObject, shape: RecordShape, key: string): PlainObject[] {
	const subtableId = subtableOf(key);
	// Comments have IDs as keys even if the read requested names.
	const rowShape = subtableId === undefined ? { ...shape, keyOf: undefined } : shape;
	return [...withoutOtherKeys(rows)].map(([rowId, row]) =>
		rowJson(rowId, row, rowShape, subtableId),
	);
}

function isKeptKey(key: string, { onlyKeys, otherFields }: RecordShape): boolean {
	if (onlyKeys === undefined || onlyKeys.has(key)) return true;
	return key.startsWith('_') && !isSubtableKey(key) && !otherFields?.has(key);
}

/** Returns a subtable row as an item: `_rowId`, then its fields, without the service's internal keys. */
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
		setMember(json, shape.keyOf?.(key, subtableId) ?? key, plain(value, shape));
	}
	return json;
}

const memberAttributes = { enumerable: true, configurable: true, writable: true };

/** Sets a member. Defines a field named `__proto__`, because assigning it would set the prototype and lose the value. */
function setMember(object: PlainObject, key: string, value: PlainValue): void {
	if (key !== '__proto__') object[key] = value;
	else Object.defineProperty(object, key, { ...memberAttributes, value });
}
