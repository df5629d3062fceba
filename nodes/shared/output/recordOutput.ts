import type { Client } from '../../api/http/client';
import type { JsonMembers } from '../../api/json/jsonReader';
import type { JsonValue } from '../../api/json/orderedJson';
import type { ReadOptions } from '../../api/read/readOptions';
import { RecordItems, type PlainObject } from '../../api/read/record';
import { ItemKeys } from '../../api/schema/fieldNames';
import { findField, idInKey } from '../../api/schema/fields';
import { Schema } from '../../api/schema/schema';
import { InputError } from '../../api/values/inputError';
import type { SheetAddress } from '../../api/values/sheetAddress';
import { isSubtableKey, requireSubtableId } from '../../api/values/subtableKeys';
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
	const onlyKeys = await keysOf(onlyFields, naming, schema);
	const types = await valueTypes(schema, settings, untyped);
	const shape = { isoDates, offsetHours, onlyKeys, types, keyOf };
	const records = new RecordItems(simplify, shape);
	return {
		json(id: string, members: JsonMembers<JsonValue>): PlainObject {
			const json = records.item(id, members);
			// To write the record back, one has to know how far its times are from those that are stored.
			return offsetHours === undefined ? json : Object.assign(json, { _timeZone: offsetHours });
		},
		named: async (items: PlainObject[]) =>
			await keys.named(items, async () => await schema.namedFields()),
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
	const withSubtables = isChosen || names.some(isSubtableKey);
	// These come with every record.
	const ownFields = names.filter((name) => !['_recordId', '_title', '_starred'].includes(name));
	return {
		...read,
		more: withSubtables ? query : [...query, ['subtables', 0]],
		fields: client.connection.dialect === 'ragic' ? await fieldIds(ownFields, schema) : [],
	};
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
	throw new InputError(
		`It is not known what the output calls the field ${fieldId}`,
		"Write the name that the output shows, or set 'Field Keys' to Field IDs.",
	);
}

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
