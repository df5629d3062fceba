import type { Client } from '../../api/http/client';
import type { JsonMembers } from '../../api/json/jsonReader';
import { getOrInsert } from '../../api/json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/orderedJson';
import type { ReadOptions } from '../../api/read/readOptions';
import { RecordItems, type PlainObject, type RecordShape } from '../../api/read/record';
import { ItemKeys } from '../../api/schema/fieldNames';
import { findField, idInKey, isKeyOf, type Field } from '../../api/schema/fields';
import { Schema } from '../../api/schema/schema';
import { InputError } from '../../api/values/inputError';
import type { SheetAddress } from '../../api/values/sheetAddress';
import { isSubtableKey, requireSubtableId, subtableKey } from '../../api/values/subtableKeys';
import { ValueTypes } from '../../api/schema/typedValues';
import { readOptionsOf, type OutputOptions } from '../parameters/options';
import { flagParameter } from '../parameters/parameter';

const simplifyProperty = {
	displayName: 'Simplify',
	name: 'simplify',
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const simplifyParameter = flagParameter(simplifyProperty);

type Naming = OutputOptions['naming'];

/** What a user set about the records of the output. */
export type OutputSettings = OutputOptions & { readonly simplify: boolean };

/** Returns what makes items of records, and names their fields. Throws InputError for fields that do not exist. */
export async function outputShape(
	client: Client,
	sheet: SheetAddress,
	settings: OutputSettings,
	untyped?: Set<string>,
) {
	const { simplify, naming, onlyFields = [], isoDates = false, timeZone: offsetHours } = settings;
	const schema = new Schema(client, sheet);
	const keys = new ItemKeys();
	const keyOf = simplify && naming !== 'EID' ? keys.keyOf : undefined;
	let unknownKey: UnknownKeyError | undefined;
	const chosen = chosenKeys(onlyFields, naming, schema).catch((thrown: unknown): ChosenKeys => {
		if (!(thrown instanceof UnknownKeyError)) throw thrown;
		// On a sheet without records no read shows the key, and no item needs it.
		unknownKey = thrown;
		return { keys: new Set(), rowKeys: new Map() };
	});
	const { keys: onlyKeys, rowKeys } = await chosen;
	const types = withOnlyRowKeys(rowKeys, await valueTypes(schema, settings, untyped));
	const shape = { isoDates, offsetHours, onlyKeys, types, keyOf };
	const records = new RecordItems(simplify, shape);
	return {
		json(id: string, members: JsonMembers<JsonValue>): PlainObject {
			const json = records.item(id, members);
			// To write the record back, one has to know how far its times are from those that are stored.
			return offsetHours === undefined ? json : Object.assign(json, { _timeZone: offsetHours });
		},
		/** Returns the items with the names of their fields. Throws InputError if it is not known which fields to keep. */
		async named(items: PlainObject[]): Promise<PlainObject[]> {
			if (unknownKey && items.length > 0) throw unknownKey;
			return await keys.named(items, async () => await schema.namedFields());
		},
	};
}

/** Returns in what form records are read: if the service can do so, no more than what the output shows, and the fields `more`. */
export async function outputReadOptions(
	client: Client,
	sheet: SheetAddress,
	options: OutputOptions,
	more: readonly string[] = [],
): Promise<ReadOptions> {
	const read = readOptionsOf(options);
	const schema = new Schema(client, sheet);
	const onlyFields = await schema.fieldKeys(options.onlyFields ?? []);
	if (onlyFields.length === 0) return read;
	const names = [...onlyFields, ...(await schema.fieldKeys(more))];
	const query = read.more ?? [];
	const isChosen = query.some(([name]) => name === 'subtables');
	const rowFields = await Promise.all(names.map(async (name) => await rowFieldsOf(name, schema)));
	const withSubtables = isChosen || names.some(isSubtableKey) || rowFields.flat().length > 0;
	// These come with every record.
	const ownFields = names.filter((name) => !['_recordId', '_title', '_starred'].includes(name));
	return {
		...read,
		more: withSubtables ? query : [...query, ['subtables', 0]],
		fields: client.connection.dialect === 'ragic' ? await fieldIds(ownFields, schema) : [],
	};
}

/** The keys of fields in a read that are to be shown. */
interface ChosenKeys {
	/** Keys of fields and subtables of the record; undefined for all. */
	keys?: ReadonlySet<string>;
	/** Keys of fields of rows, by the key of their subtable; a subtable that is missing shows all of them. */
	rowKeys: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the keys of fields that a user chose, of the record or of rows. Throws InputError for a field that does not exist. */
async function chosenKeys(
	names: readonly string[],
	naming: Naming,
	schema: Schema,
): Promise<ChosenKeys> {
	const keys = new Set<string>();
	const rowKeys = new Map<string, Set<string>>();
	for (const name of await schema.fieldKeys(names)) {
		const rowFields = await rowFieldsOf(name, schema);
		if (rowFields.length === 0) keys.add(await keyInReads(name, naming, schema));
		for (const { fieldId, name: fieldName, readName = fieldName, subtableId = '' } of rowFields) {
			const key = naming === 'EID' ? fieldId : readName;
			getOrInsert(rowKeys, subtableKey(subtableId), () => new Set()).add(key);
		}
	}
	// A subtable that is chosen itself shows whole rows.
	for (const key of keys) rowKeys.delete(key);
	for (const key of rowKeys.keys()) keys.add(key);
	return { keys: keys.size > 0 ? keys : undefined, rowKeys };
}

/** Returns the fields of rows that a name or an ID stands for; none if it stands for a field of the record. */
async function rowFieldsOf(key: string, schema: Schema): Promise<Field[]> {
	const fields = await schema.fields();
	const found = fields.filter((field) => isKeyOf(key, field));
	if (found.length === 0 || found.some(({ subtableId }) => subtableId === undefined)) return [];
	const named = await schema.namedFields();
	return named.filter((field) => field.subtableId !== undefined && isKeyOf(key, field));
}

/** Returns what types values of records, after other fields than the chosen ones have been removed from their rows. */
function withOnlyRowKeys(
	rowKeys: ChosenKeys['rowKeys'],
	types: ValueTypes | undefined,
): RecordShape['types'] {
	if (rowKeys.size === 0) return types;
	return {
		member(key, value) {
			const chosen = rowKeys.get(key);
			const shown = chosen && isJsonObject(value) ? withOnlyKeys(value, chosen) : value;
			return types ? types.member(key, shown) : shown;
		},
	};
}

/** Returns the rows of a subtable with the fields that have these keys, and with what the service adds to rows. */
function withOnlyKeys(rows: JsonObject, keys: ReadonlySet<string>): JsonObject {
	const isShown = ([key]: [string, JsonValue]) => keys.has(key) || key.startsWith('_');
	const narrowed = [...rows].map(([rowId, row]) => {
		return [rowId, isJsonObject(row) ? new Map([...row].filter(isShown)) : row] as const;
	});
	return new Map(narrowed);
}

/** The ids of all of the fields; none when one is unknown: then whole records are asked for. */
async function fieldIds(names: readonly string[], schema: Schema): Promise<string[]> {
	const listed = await schema.fields();
	const own = listed.filter(({ subtableId }) => subtableId === undefined);
	const ids = names.map((name) => {
		const [field, other] = own.filter((one) => one.fieldId === name || one.name === name);
		return other ? undefined : field?.fieldId;
	});
	return ids.every((id) => id !== undefined) ? ids : [];
}

/** Returns the keys under which fields come in a read; undefined for no names. Throws InputError for a field that does not exist. */
export async function keysOf(names: readonly string[], naming: Naming, schema: Schema) {
	const keys = new Set<string>();
	for (const key of await schema.fieldKeys(names)) keys.add(await keyInReads(key, naming, schema));
	return keys.size > 0 ? keys : undefined;
}

async function keyInReads(key: string, naming: Naming, schema: Schema): Promise<string> {
	const id = isSubtableKey(key) ? undefined : idInKey(key);
	requireSubtableId(key);
	if (key.startsWith('_') && id === undefined) return key;
	if (naming === 'EID') return (await schema.field(key)).fieldId;
	const fields = await schema.fields();
	const own = fields.filter(({ subtableId }) => subtableId === undefined);
	// What reads call so; a sheet without records may tell no names.
	const isReadName = own.length === 0 || own.some(({ name }) => name === key);
	if (id === undefined && isReadName) return key;
	const { fieldId, name } = await schema.resolved([key], (known) => findField(known, key));
	const named = own.filter((field) => field.name === name);
	if (!['', fieldId].includes(name) && named.length === 1) return name;
	const read = (await schema.namedFields()).find((field) => field.fieldId === fieldId);
	if (read?.readName !== undefined) return read.readName;
	throw new UnknownKeyError(
		`Cannot determine the output name of field ${fieldId}`,
		"Enter the name that the output shows, or set 'Output Field Names By' to Field IDs.",
	);
}

/** The key of a field in reads by names is not known, as on a sheet without records. */
class UnknownKeyError extends InputError {}

/** Returns the types of values by the options; undefined when values stay texts. Throws InputError for a field that does not exist. */
export async function valueTypes(
	schema: Schema,
	{ naming, typedValues, numberFields = [], listFields = [] }: OutputOptions,
	untyped?: Set<string>,
): Promise<ValueTypes | undefined> {
	if (!(typedValues ?? (numberFields.length > 0 || listFields.length > 0))) return undefined;
	const numbers = await schema.fieldKeys(numberFields);
	const lists = await schema.fieldKeys(listFields);
	for (const name of [...numbers, ...lists]) await schema.requireField(name);
	return new ValueTypes(await schema.fields(), { byId: naming === 'EID', numbers, lists }, untyped);
}
