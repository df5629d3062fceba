import type { Client } from '../../api/http/client';
import type { JsonMembers } from '../../api/json/jsonReading';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/orderedJson';
import { RecordItems, type PlainObject, type RecordShape } from '../../api/read/record';
import { ItemKeys, fieldMapKey, type KnownNames } from '../../api/sheet/fieldNames';
import { scopeOf } from '../../api/sheet/fieldIndex';
import type { Field } from '../../api/sheet/fields';
import { SheetFields } from '../../api/sheet/sheetFields';
import { inParameter } from '../../api/values/inputError';
import type { SheetAddress } from '../../api/values/sheetAddress';
import { ValueTypes } from '../../api/sheet/kinds/typedValues';
import { kindOf } from '../../api/sheet/kinds/valueKinds';
import type { OutputOptions } from '../parameters/options';
import type { OutputForm } from '../parameters/outputForm';
import {
	UnknownKeyError,
	chosenKeys,
	fieldsToReturn,
	fieldsWithUnderscore,
	requireCurrentKeys,
	requireListed,
	requireNoSubtable,
	type ChosenKeys,
} from './returnedFields';

interface NamedKeys {
	/** Output keys for records that were read with field IDs. A field without a name keeps its ID. */
	readonly names?: KnownNames;
}

/** Options for the records of the output. */
export type OutputSettings = OutputOptions & NamedKeys & Readonly<OutputForm>;

/** Converts records to items. */
export interface OutputShape {
	/** Returns a record as an item whose fields may not have their final names yet. */
	json(id: string, members: JsonMembers<JsonValue>): PlainObject;
	/** Returns the items with the names of their fields. Throws InputError if the key of a selected field is unknown. */
	withOutputKeys(items: PlainObject[]): Promise<PlainObject[]>;
}

/**
 * Returns the conversion for these options. Throws InputError for fields that do not exist.
 *
 * @param untyped receives the keys of fields whose values may need a type, but whose type is unknown
 */
export async function outputShape(
	client: Client,
	sheet: SheetAddress,
	settings: OutputSettings,
	untyped?: Set<string>,
): Promise<OutputShape> {
	const { simplify, naming, names, isoDates = false, offsetHours } = settings;
	const lists = fieldsToReturn(settings);
	const sheetFields = new SheetFields(client, sheet);
	const keys = new ItemKeys();
	const keyOf = names
		? (key: string, subtableId?: string) => names[fieldMapKey(key, subtableId)] ?? key
		: simplify && naming !== 'EID'
			? keys.keyOf
			: undefined;
	const hasAllFields = naming !== 'EID' && !names && lists.length === 0;
	let firstKeys: readonly string[] | undefined;
	let unknownKey: UnknownKeyError | undefined;
	const choose = async () => await chosenKeys(lists, naming, sheetFields);
	const loading = choose().catch((thrown: unknown): ChosenKeys => {
		if (!(thrown instanceof UnknownKeyError)) throw thrown;
		// A sheet without records does not show the key of a field. It is only needed if there are items.
		unknownKey = thrown;
		return { keys: new Set(), rowKeys: new Map() };
	});
	const { keys: onlyKeys, rowKeys } = await loading;
	if (settings.subtables === false) requireNoSubtable(onlyKeys);
	const otherFields = onlyKeys && fieldsWithUnderscore(await sheetFields.load(), naming);
	const allTypes = await valueTypes(sheetFields, settings, untyped);
	const types = withOnlyRowKeys(rowKeys, otherFields, allTypes);
	const shape = { isoDates, offsetHours, onlyKeys, otherFields, types, keyOf };
	const records = new RecordItems(simplify, shape);
	const absent = new Set(names ? [] : onlyKeys);
	const requireAbsent = async () =>
		naming === 'EID'
			? await requireListed(absent, sheetFields, lists)
			: await requireCurrentKeys(absent, sheetFields, choose);
	return {
		json(id, members) {
			if (id !== '') for (const key of absent) if (members.keys.includes(key)) absent.delete(key);
			// Watched fields, which have no record ID, are in the order of the user.
			if (hasAllFields && id !== '') firstKeys ??= members.keys;
			const json = records.item(id, members);
			// The offset between these times and the stored times is needed to write the record back.
			return offsetHours === undefined ? json : Object.assign(json, { _timeZone: offsetHours });
		},
		async withOutputKeys(items) {
			if (unknownKey && items.length > 0) {
				// A source that refused the user before may list the fields again, because the user may read records.
				sheetFields.forgetListsAndRefusals();
				throw unknownKey;
			}
			if (items.length > 0) await requireAbsent();
			if (firstKeys) await sheetFields.noteReadOrder(firstKeys);
			return await keys.withOutputKeys(items, sheetFields);
		},
	};
}

/** Returns the value types for records, extended by a step that removes fields that are not selected from rows. */
function withOnlyRowKeys(
	rowKeys: ChosenKeys['rowKeys'],
	otherFields: ReadonlySet<string> | undefined,
	types: ValueTypes | undefined,
): RecordShape['types'] {
	if (rowKeys.size === 0) return types;
	return {
		member(key, value) {
			const selected = rowKeys.get(key);
			const isKept = (name: string) =>
				selected?.has(name) || (name.startsWith('_') && !otherFields?.has(name));
			const narrowed = selected && isJsonObject(value) ? withKeys(value, isKept) : value;
			return types ? types.member(key, narrowed) : narrowed;
		},
	};
}

/** Returns the rows of a subtable with only these keys. */
function withKeys(rows: JsonObject, isKept: (key: string) => boolean): JsonObject {
	const narrowed = [...rows].map(([rowId, row]) => {
		const isReturned = ([key]: [string, JsonValue]) => isKept(key);
		return [rowId, isJsonObject(row) ? new Map([...row].filter(isReturned)) : row] as const;
	});
	return new Map(narrowed);
}

/**
 * Returns the value types for the options; undefined if values remain texts: Typed Values is off, or neither it nor number
 * or list fields are set. Throws InputError for a field that does not exist.
 */
export async function valueTypes(
	sheetFields: SheetFields,
	{ naming, typedValues, numberFields = [], listFields = [], names }: OutputOptions & NamedKeys,
	untyped?: Set<string>,
): Promise<ValueTypes | undefined> {
	if (!(typedValues ?? (numberFields.length > 0 || listFields.length > 0))) return undefined;
	const numbers = await sheetFields.fieldKeys(numberFields);
	const lists = await sheetFields.fieldKeys(listFields);
	const chosen = [
		['Number Fields', numbers],
		['List Fields', lists],
	] as const;
	for (const [option, fields] of chosen) {
		for (const name of fields)
			await inParameter(option, async () => await sheetFields.requireField(name));
	}
	const index = await sheetFields.load();
	const keys = [...numbers, ...lists];
	const declared = keys.flatMap((key) => index.listed(key, 'anywhere'));
	const isReadKey = (key: string) => index.listed(key, 'anywhere').length === 0;
	const typed = index.fields.filter((field) => kindOf(field).typedAs !== undefined);
	// A field without a name, or with the name of another one, has another key in reads by name.
	const hasOtherKey = ({ name, subtableId }: Field) =>
		name === '' || index.listed(name, scopeOf(subtableId)).length > 1;
	const hasOther = keys.some(isReadKey) || [...declared, ...typed].some(hasOtherKey);
	const readNames = naming !== 'EID' && !names && hasOther;
	return new ValueTypes(
		readNames ? await sheetFields.load({ readNames }) : index,
		{ byId: naming === 'EID', numbers, lists, names },
		untyped,
	);
}
