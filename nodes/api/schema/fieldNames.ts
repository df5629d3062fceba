import { isObject } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { withRows, type PlainObject, type PlainValue } from '../read/record';
import { keysBesideFields } from '../read/recordKeys';
import { subtableOf } from '../values/subtableKeys';
import { isFieldId, listOf, mayStandIn, nameOf, type Field } from './fields';

/** What fields are called, by their subtable, if any, and their id. */
export type KnownNames = Readonly<Record<string, string>>;

/** Returns a record, or a row of a subtable, with names for field ids. Those stay where no name is known, and are added to `unnamed`. */
export function withFieldNames(
	content: JsonObject,
	names: KnownNames,
	unnamed: Set<string>,
	subtableId?: string,
): JsonObject {
	const named: JsonObject = new Map();
	for (const [key, value] of content) {
		const ofSubtable = subtableOf(key);
		if (ofSubtable !== undefined && isJsonObject(value)) {
			const withNames = (row: JsonValue) =>
				isJsonObject(row) ? withFieldNames(row, names, unnamed, ofSubtable) : row;
			named.set(key, new Map([...value].map(([rowId, row]) => [rowId, withNames(row)])));
			continue;
		}
		const name = names[placeOf(key, subtableId)];
		// What stands there already must not be lost to a field that is called like it.
		const isFree = name !== undefined && !content.has(name);
		if (!isFree && isFieldId(key)) unnamed.add(key);
		named.set(isFree ? name : key, value);
	}
	return named;
}

/** Whether a record that comes by ids, or one of its rows, has fields to name. */
export function holdsFieldIds(content: JsonObject): boolean {
	return [...withRows(content)].some((values) => [...values.keys()].some(isFieldId));
}

/** Whether all fields of a record that comes by IDs have a known name. */
export function hasNames(content: JsonObject, names: KnownNames): boolean {
	const unnamed = new Set<string>();
	withFieldNames(content, names, unnamed);
	return unnamed.size === 0;
}

/** Returns one sentence about fields that are called by their ids although names were wanted. */
export function unnamedSentence(fieldIds: Iterable<string>): string {
	return `The names of these fields could not be looked up, so the output has their IDs: ${listOf([...fieldIds])}.`;
}

/** Returns the names of fields, without those that are not known, or of which reads make others. */
export function knownNames(fields: readonly Field[]): KnownNames {
	const double = doubleNames(fields);
	const known = fields.filter(
		({ fieldId, name, readName, subtableId }) =>
			name !== fieldId && (readName !== undefined || !double.has(placeOf(name, subtableId))),
	);
	return Object.fromEntries(known.map((field) => [keyOf(field), nameOf(field)]));
}

/** Prefix of a field's key in an item until its name is known; no name starts with it. */
const openMark = '\u0000';

/** Makes the keys of items of those in reads by names: most are the names of their fields. */
export class ItemKeys {
	private isOpen = false;

	/** Returns the key of a field, or what stands for it until the item is `named`. */
	readonly keyOf = (key: string, subtableId?: string): string => {
		if (!mayStandIn(key) && !keysBesideFields.has(key)) return key;
		this.isOpen = true;
		return openMark + placeOf(key, subtableId);
	};

	/** Returns items with the names of their fields, which `listFields` knows with their keys in reads; with a warning where it does not. */
	async named(
		items: PlainObject[],
		listFields: () => Promise<readonly Field[] | undefined>,
	): Promise<PlainObject[]> {
		if (!this.isOpen) return items;
		const fields = (await listFields().catch(() => undefined)) ?? [];
		const names = new Map<string, string>();
		for (const field of fields) {
			const { name, readName = name, subtableId } = field;
			names.set(openMark + placeOf(readName, subtableId), nameOf(field));
		}
		return items.map((item) => withNames(item, names));
	}
}

function withNames(item: PlainObject, names: ReadonlyMap<string, string>): PlainObject {
	const unknown = new Set<string>();
	const nameFor = (key: string) => {
		const sent = key.startsWith(openMark) ? key.slice(key.indexOf(' ') + 1) : key;
		if (sent !== key && !names.has(key)) unknown.add(`'${sent}'`);
		// What stands there already must not be lost to a field that is called like it.
		const isTaken = sent !== key && keysBesideFields.has(sent);
		return names.get(key) ?? (isTaken ? `${sent} (field)` : sent);
	};
	const named = (value: PlainValue): PlainValue => {
		if (Array.isArray(value)) return value.map(named);
		return isObject(value) ? renamed(value) : value;
	};
	const renamed = (object: PlainObject) =>
		Object.fromEntries(
			Object.entries(object).map(([key, value]) => [nameFor(key), named(value)] as const),
		);
	const json = renamed(item);
	if (unknown.size > 0) {
		json._warning = `It could not be looked up which fields the service calls ${listOf([...unknown])}: such names may change.`;
	}
	return json;
}

/** Returns the place of a field: where it is, and its id or its key. */
export function placeOf(key: string, subtableId = ''): string {
	return `${subtableId} ${key}`;
}

/** Returns the fields with the names that reads give them, where those are known. */
export function withReadNames(fields: readonly Field[], asRead: readonly Field[] = []): Field[] {
	const read = new Map(asRead.map((field) => [keyOf(field), field]));
	return fields.map((field) => ({ ...field, readName: read.get(keyOf(field))?.readName }));
}

/** Whether reads give names of their own to some fields: those without a name, and those that share one. */
export function haveOddNames(fields: readonly Field[]): boolean {
	return fields.some(({ name }) => name === '') || doubleNames(fields).size > 0;
}

function keyOf({ fieldId, subtableId }: Field): string {
	return placeOf(fieldId, subtableId);
}

function doubleNames(fields: readonly Field[]): ReadonlySet<string> {
	const places = fields
		.filter(({ name }) => name !== '')
		.map(({ name, subtableId }) => placeOf(name, subtableId));
	return new Set(places.filter((place, index) => places.indexOf(place) !== index));
}
