import { isObject } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { withRows, type PlainObject, type PlainValue } from '../read/record';
import { nonFieldKeys } from '../read/recordKeys';
import { subtableOf } from '../values/subtableKeys';
import { FieldIndex } from './fieldIndex';
import { isFieldId, listOf, mayBeUnnamedField, nameOf, readKeyOf, type Field } from './fields';

/** Field names by place (see `fieldMapKey`). */
export type KnownNames = Readonly<Record<string, string>>;

/**
 * Returns a record or a row with field names in place of IDs. A field keeps its ID, which is added to `unnamed`, if its name is
 * unknown, already a key of the record, or the name of an earlier field.
 */
export function withFieldNames(
	content: JsonObject,
	names: KnownNames,
	unnamed: Set<string>,
	subtableId?: string,
): JsonObject {
	const named: JsonObject = new Map();
	for (const [key, value] of content) {
		const rowsOfId = subtableOf(key);
		if (rowsOfId !== undefined && isJsonObject(value)) {
			const withNames = (row: JsonValue) =>
				isJsonObject(row) ? withFieldNames(row, names, unnamed, rowsOfId) : row;
			named.set(key, new Map([...value].map(([rowId, row]) => [rowId, withNames(row)])));
			continue;
		}
		const name = names[fieldMapKey(key, subtableId)];
		// A name must not overwrite another key of the record. Two fields may have one name if a known name is outdated.
		const isFree = name !== undefined && !content.has(name) && !named.has(name);
		if (!isFree && isFieldId(key)) unnamed.add(key);
		named.set(isFree ? name : key, value);
	}
	return named;
}

/** Returns whether a record, or one of its rows, has field IDs as keys. */
export function holdsFieldIds(content: JsonObject): boolean {
	return [...withRows(content)].some((values) => [...values.keys()].some(isFieldId));
}

/** Returns whether all fields of a record with IDs as keys have a known name. */
export function hasNames(content: JsonObject, names: KnownNames): boolean {
	const unnamed = new Set<string>();
	withFieldNames(content, names, unnamed);
	return unnamed.size === 0;
}

/** Returns a sentence about fields that keep their IDs because their names are unknown. */
export function unnamedSentence(fieldIds: Iterable<string>): string {
	return `The names of these fields could not be looked up, so the output has their IDs: ${listOf([...fieldIds])}.`;
}

/** Returns the known names of fields. Leaves out names that several fields share, unless their names in reads are known. */
export function knownNames(fields: readonly Field[]): KnownNames {
	const double = doubleNames(fields);
	const known = fields.filter(
		({ fieldId, name, readName, subtableId }) =>
			name !== fieldId && (readName !== undefined || !double.has(fieldMapKey(name, subtableId))),
	);
	return Object.fromEntries(known.map((field) => [keyOf(field), nameOf(field)]));
}

/** Prefix of a field's key in an item until its name is known. No name starts with it. */
const placeholderPrefix = '\u0000';

/** Loads the fields of a sheet with their keys in reads, and loads them again if the result of `derive` is outdated. */
interface FieldsWithReadNames {
	load(needs: { readNames: true }): Promise<FieldIndex>;
	renewedIf<T>(isOutdated: (derived: T) => boolean, derive: () => Promise<T>): Promise<T>;
}

/** Converts the keys of records that were read with field names to the keys of items. Most keys stay unchanged. */
export class ItemKeys {
	private hasPlaceholders = false;

	/** Returns the key of a field, or a placeholder, which `withOutputKeys` replaces. */
	readonly keyOf = (key: string, subtableId?: string): string => {
		if (!mayBeUnnamedField(key) && !nonFieldKeys.has(key)) return key;
		this.hasPlaceholders = true;
		return placeholderPrefix + fieldMapKey(key, subtableId);
	};

	/**
	 * Returns the items with field names in place of placeholders. `sheetFields` loads the fields with their keys in reads. An
	 * item with an unlisted field gets a `_warning`, and the field keeps its key in reads.
	 */
	async withOutputKeys(
		items: PlainObject[],
		sheetFields: FieldsWithReadNames,
	): Promise<PlainObject[]> {
		if (!this.hasPlaceholders) return items;
		const named = async () => {
			const index = await sheetFields.load({ readNames: true }).catch(() => new FieldIndex({}));
			return namedItems(items, index);
		};
		// A field may have been added after another run loaded the list.
		const renewed = await sheetFields.renewedIf(({ isOutdated }) => isOutdated, named);
		return renewed.items;
	}
}

/** Returns the items with field names in place of placeholders, and whether the listed fields lack one of them. */
function namedItems(items: PlainObject[], index: FieldIndex) {
	const names = new Map<string, string>();
	for (const field of index.fields) {
		names.set(placeholderPrefix + fieldMapKey(readKeyOf(field), field.subtableId), nameOf(field));
	}
	const results = items.map((item) => withNames(item, names));
	const isOutdated = !index.isEmpty && results.some(({ isUnknown }) => isUnknown);
	return { items: results.map(({ json }) => json), isOutdated };
}

function withNames(
	item: PlainObject,
	names: ReadonlyMap<string, string>,
): { json: PlainObject; isUnknown: boolean } {
	const unknown = new Set<string>();
	const nameFor = (key: string) => {
		const sent = key.startsWith(placeholderPrefix) ? key.slice(key.indexOf(' ') + 1) : key;
		if (sent !== key && !names.has(key)) unknown.add(`'${sent}'`);
		// A field with the name of a standard key must not overwrite it.
		const isTaken = sent !== key && nonFieldKeys.has(sent);
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
	const isUnknown = unknown.size > 0;
	if (isUnknown) {
		json._warning = `It could not be looked up which fields the service calls ${listOf([...unknown])}: such names may change.`;
	}
	return { json, isUnknown };
}

/** Returns the key of a field in maps: its subtable, if any, and its ID or name. */
export function fieldMapKey(key: string, subtableId = ''): string {
	return `${subtableId} ${key}`;
}

/** Returns the fields with their known names in reads. */
export function withReadNames(fields: readonly Field[], asRead: readonly Field[] = []): Field[] {
	const read = new Map(asRead.map((field) => [keyOf(field), field]));
	return fields.map((field) => ({ ...field, readName: read.get(keyOf(field))?.readName }));
}

/** Returns whether reads use other names for some fields, because their name is missing or not unique. */
export function haveOddNames(fields: readonly Field[]): boolean {
	return fields.some(({ name }) => name === '') || doubleNames(fields).size > 0;
}

function keyOf({ fieldId, subtableId }: Field): string {
	return fieldMapKey(fieldId, subtableId);
}

function doubleNames(fields: readonly Field[]): ReadonlySet<string> {
	const places = fields
		.filter(({ name }) => name !== '')
		.map(({ name, subtableId }) => fieldMapKey(name, subtableId));
	const seen = new Set<string>();
	const double = new Set<string>();
	for (const place of places) (seen.has(place) ? double : seen).add(place);
	return double;
}
