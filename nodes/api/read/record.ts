import { internalKeys } from './recordKeys';
import { fromServiceDate } from '../values/dates';
import type { JsonMembers } from '../json/jsonReader';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { isSubtableKey, subtableKey, subtableOf } from '../values/subtableKeys';

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

/**
 * The records of a list or of a single read that is no refusal, in the order of the answer. The key is the id; the
 * spellings `_svcId` and `_ragicId` inside repeat it. Undefined when the value is not an object of records by their ids.
 */
export function recordsOf(value: JsonValue): SheetRecord[] | undefined {
	if (!isJsonObject(value)) return undefined;
	const records: SheetRecord[] = [];
	const others: string[] = [];
	for (const [id, content] of value) {
		if (recordIdText(id) === undefined) others.push(id);
		else if (isJsonObject(content)) records.push({ id, content });
		else return undefined;
	}
	return records.length > 0 || mayStandAlone(others) ? records : undefined;
}

/** Whether an answer with only these keys is an empty list of records. */
export function mayStandAlone(keys: readonly string[]): boolean {
	return keys.every((key) => key.startsWith('_') || key === 'info');
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
	return isJsonObject(rows) ? rows : undefined;
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

/**
 * A record as a flat item: `_recordId`, `_title`, `_starred`, then the fields, then each
 * `_subtable_<id>` as an array of rows with `_rowId`, in the order of the answer.
 */
export function simplifiedRecord(
	{ id, content }: SheetRecord,
	shape: RecordShape = {},
): PlainObject {
	return new RecordItems(simplifiedParts, shape).item(id, membersOf(content));
}

/** A record exactly as the service sent it, as far as a JavaScript object can hold it. */
export function rawRecord({ id, content }: SheetRecord, shape: RecordShape = {}): PlainObject {
	return new RecordItems(rawParts, shape).item(id, membersOf(content));
}

interface Part {
	key: string;
	/** The place of its value in the record; without one it is the record's id. */
	place?: number;
	/** Whether rows of a subtable stand there, of which an array is made. */
	hasRows?: boolean;
}

type RecordMembers = JsonMembers<JsonValue>;
type PartsOf = (keys: readonly string[], shape: RecordShape) => Part[];

/** What records with the same keys have in common: most often all of a sheet. */
interface Form {
	keys: readonly string[];
	parts: readonly Part[];
	/** Copied for each item. */
	empty: PlainObject;
}

/** As many as a sheet with two or three subtables has, each of which may be left out. */
const mostForms = 8;

/** Makes items of many records. */
export class RecordItems {
	private readonly forms: Form[] = [];

	/** @param partsOf `simplifiedParts` or `rawParts` */
	constructor(
		private readonly partsOf: PartsOf,
		private readonly shape: RecordShape,
	) {}

	item(id: string, { keys, values }: RecordMembers): PlainObject {
		const { empty, parts } =
			this.forms.find((form) => areEqual(keys, form.keys)) ?? this.newForm(keys);
		return this.fill({ ...empty }, parts, id, values);
	}

	private newForm(keys: readonly string[]): Form {
		const parts = this.partsOf(keys, this.shape);
		const form = { keys, parts, empty: emptyItem(parts) };
		if (this.forms.push(form) > mostForms) this.forms.shift();
		return form;
	}

	private fill(
		item: PlainObject,
		parts: readonly Part[],
		id: string,
		values: readonly JsonValue[],
	): PlainObject {
		const { types } = this.shape;
		for (const { key, place, hasRows } of parts) {
			const sent = place === undefined ? undefined : values[place];
			const value = types && sent !== undefined ? types.member(key, sent) : sent;
			if (value === undefined) setOwn(item, key, numberOrText(id));
			else if (hasRows && isJsonObject(value)) setOwn(item, key, rowsJson(value, this.shape, key));
			else setOwn(item, key, plain(value, this.shape));
		}
		return item;
	}
}

/** The members of a simplified item, as `simplifiedRecord` says. */
export function simplifiedParts(keys: readonly string[], shape: RecordShape): Part[] {
	const parts: Part[] = [{ key: '_recordId' }];
	for (const [key, internalKey] of [
		['_title', '_index_title_'],
		['_starred', '_star'],
	] as const) {
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

/** The members of a raw item, as `rawRecord` says. */
export function rawParts(keys: readonly string[], shape: RecordShape): Part[] {
	const parts: Part[] = [...keys.keys()]
		.map((place) => ({ key: keys[place] ?? '', place }))
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
export function membersOf(content: JsonObject): RecordMembers {
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
	return [...rows].map(([rowId, row]) => rowJson(rowId, row, ofRows, subtableId));
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

/** A field may be called `__proto__`: assigning that would set the prototype and lose the value. */
function setOwn(object: PlainObject, key: string, value: PlainValue): void {
	if (key !== '__proto__') object[key] = value;
	else
		Object.defineProperty(object, key, {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
}
