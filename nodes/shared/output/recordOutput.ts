import type { Client } from '../../api/http/client';
import { dialectOf } from '../../api/http/dialect';
import type { JsonMembers } from '../../api/json/jsonReading';
import { getOrInsert } from '../../api/json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/orderedJson';
import type { ReadOptions } from '../../api/read/readOptions';
import { RecordItems, type PlainObject, type RecordShape } from '../../api/read/record';
import { isAddedKey } from '../../api/read/recordKeys';
import { ItemKeys, fieldMapKey, type KnownNames } from '../../api/sheet/fieldNames';
import { scopeOf, type FieldIndex } from '../../api/sheet/fieldIndex';
import { idInKey, isFieldId, readKeyOf, type Field } from '../../api/sheet/fields';
import { SheetFields } from '../../api/sheet/sheetFields';
import { InputError, inParameter } from '../../api/values/inputError';
import type { SheetAddress } from '../../api/values/sheetAddress';
import {
	commentsKey,
	isSubtableKey,
	requireSubtableId,
	subtableKey,
} from '../../api/values/subtableKeys';
import { ValueTypes } from '../../api/sheet/kinds/typedValues';
import { kindOf } from '../../api/sheet/kinds/valueKinds';
import { fieldsPickList } from '../editor/pickList';
import { fieldNamesOf, readOptionsOf, type OutputOptions } from '../parameters/options';
import {
	choiceParameter,
	flagParameter,
	type Parameter,
	type ParameterSource,
} from '../parameters/parameter';

const simplifyProperty = {
	displayName: 'Simplify',
	name: 'simplify',
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const simplifyParameter = flagParameter(simplifyProperty);

/** The form of the records in the output. */
interface OutputForm {
	simplify: boolean;
	/** Set if the output has only these fields. Takes precedence over the option Only Fields. */
	onlyFields?: string[];
	/** Label of the parameter that has them, if it is not the option. */
	onlyFieldsLabel?: string;
}

const toolOutput = choiceParameter({
	displayName: 'Output',
	name: 'output',
	displayOptions: { show: { '@tool': [true] } },
	choices: {
		raw: ['Raw', 'The records as the service sends them'],
		fields: ['Selected Fields', 'Only the fields that the model needs'],
		simplified: ['Simplified', 'All fields, without internal keys'],
	},
	default: 'simplified',
	description: 'What the model gets of each record. Fewer fields leave it more room for records.',
});

const toolFields = {
	...fieldsPickList('outputFields', 'Output Field Names or IDs', 'The fields to return.'),
	displayOptions: { show: { '@tool': [true], output: ['fields'] } },
};

/** The form of the records: Simplify in a workflow, Output in a tool of an AI agent. Parsing throws InputError if no field is selected. */
export const outputFormParameter: Parameter<OutputForm, ParameterSource> = {
	properties: [
		...simplifyParameter.properties.map((property) => ({
			...property,
			displayOptions: { hide: { '@tool': [true] } },
		})),
		...toolOutput.properties,
		toolFields,
	],
	parse(item) {
		// n8n gives a node no parameter that it does not show.
		if (item.value('output') === undefined) return { simplify: simplifyParameter.parse(item) };
		const output = toolOutput.parse(item);
		if (output !== 'fields') return { simplify: output === 'simplified' };
		const onlyFieldsLabel = toolFields.displayName;
		const onlyFields = fieldNamesOf(item.value(toolFields.name), onlyFieldsLabel);
		if (onlyFields.length > 0) return { simplify: true, onlyFields, onlyFieldsLabel };
		throw new InputError(`'${onlyFieldsLabel}' is empty`, 'Choose at least one field.');
	},
};

type Naming = OutputOptions['naming'];

interface NamedKeys {
	/** Output keys for records that were read with field IDs. A field without a name keeps its ID. */
	readonly names?: KnownNames;
}

/** Options for the records of the output. */
export type OutputSettings = OutputOptions & NamedKeys & Readonly<OutputForm>;

/**
 * Returns `json`, which converts a record to an item, and `withOutputKeys`, which then names the fields of all items.
 * Throws InputError for fields that do not exist.
 *
 * @param untyped receives the keys of fields whose values may need a type, but whose type is unknown
 */
export async function outputShape(
	client: Client,
	sheet: SheetAddress,
	settings: OutputSettings,
	untyped?: Set<string>,
) {
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
		json(id: string, members: JsonMembers<JsonValue>): PlainObject {
			if (id !== '') for (const key of absent) if (members.keys.includes(key)) absent.delete(key);
			// Watched fields, which have no record ID, are in the order of the user.
			if (hasAllFields && id !== '') firstKeys ??= members.keys;
			const json = records.item(id, members);
			// The offset between these times and the stored times is needed to write the record back.
			return offsetHours === undefined ? json : Object.assign(json, { _timeZone: offsetHours });
		},
		/** Returns the items with the names of their fields. Throws InputError if the key of a selected field is unknown. */
		async withOutputKeys(items: PlainObject[]): Promise<PlainObject[]> {
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

/**
 * Returns the names of the fields to return, each list with the label of its option; no list for all fields. The values of
 * 'Download Files' name the files, and comments are returned as a subtable.
 */
function fieldsToReturn({
	onlyFields = [],
	onlyFieldsLabel = 'Only Fields',
	downloadFiles = [],
	comment = false,
}: Partial<OutputSettings>): FieldList[] {
	if (onlyFields.length === 0) return [];
	return [
		[onlyFieldsLabel, onlyFields],
		['Download Files', downloadFiles],
		['Include Comments', comment ? [commentsKey] : []],
	];
}

type FieldList = readonly [label: string, names: readonly string[]];

/** Returns the read options for an output. If the service supports it, only the output fields and `comparedFields` are requested. */
export async function outputReadOptions(
	client: Client,
	sheet: SheetAddress,
	options: OutputOptions,
	comparedFields: readonly string[] = [],
): Promise<ReadOptions> {
	const read = readOptionsOf(options);
	const sheetFields = new SheetFields(client, sheet);
	const onlyFields = await sheetFields.fieldKeys(
		fieldsToReturn(options).flatMap(([, names]) => names),
	);
	if (onlyFields.length === 0) return read;
	const names = [...onlyFields, ...(await sheetFields.fieldKeys(comparedFields))];
	const query = read.parameters ?? [];
	const isChosen = query.some(([name]) => name === 'subtables');
	const index = await sheetFields.load();
	const ofRows = await Promise.all(names.map(async (name) => await rowFieldsOf(name, sheetFields)));
	const withSubtables = isChosen || names.some(isSubtableKey) || ofRows.flat().length > 0;
	// Every record has these keys, so they are not requested.
	const requested = names.filter((name) => !['_recordId', '_title', '_starred'].includes(name));
	return {
		...read,
		parameters: withSubtables ? query : [...query, ['subtables', 0]],
		fields: dialectOf(client.connection) === 'ragic' ? requestedIds(requested, index) : [],
	};
}

/** Thrown if records lack a selected field that was renamed since the list of fields was loaded. The next list is new. */
export class RenamedField extends InputError {}

/** Keys of the fields to return. */
interface ChosenKeys {
	/** Keys of fields and subtables of the record. All are returned if undefined. */
	keys?: ReadonlySet<string>;
	/** Key of a subtable → keys of the fields of its rows. All fields are returned for other subtables. */
	rowKeys: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Throws InputError if selected fields that no record has were renamed since the list of fields was loaded, which is then new. */
async function requireCurrentKeys(
	absent: ReadonlySet<string>,
	sheetFields: SheetFields,
	choose: () => Promise<ChosenKeys>,
): Promise<void> {
	const renamed = [...absent].find((key) => !key.startsWith('_'));
	if (renamed === undefined) return;
	const isChosen = ({ keys }: ChosenKeys) => !keys || keys.has(renamed);
	const chosen = await sheetFields.renewedIf(isChosen, choose);
	if (isChosen(chosen)) return;
	throw new RenamedField(
		`The field '${renamed}' was renamed a moment ago`,
		'Try again.',
		undefined,
		true,
	);
}

/** Throws InputError for a selected ID that no record has, and that a complete list of fields lacks, too. */
async function requireListed(
	absent: ReadonlySet<string>,
	sheetFields: SheetFields,
	lists: readonly FieldList[],
): Promise<void> {
	const ids = [...absent].filter(isFieldId);
	if (ids.length === 0) return;
	const unlisted = (index: FieldIndex) => ids.find((id) => index.isComplete && !index.byId(id));
	const isOutdated = (index: FieldIndex) => unlisted(index) !== undefined;
	const index = await sheetFields.renewedIf(isOutdated, async () => await sheetFields.load());
	const id = unlisted(index);
	if (id === undefined) return;
	for (const [label, names] of lists) {
		for (const key of await sheetFields.fieldKeys(names)) {
			if (idInKey(key) === id) throw index.unknown(id, 'record').in(label);
		}
	}
}

/** Throws InputError if a subtable or fields of its rows are selected. */
function requireNoSubtable(keys: ReadonlySet<string> = new Set()): void {
	const subtable = [...keys].find((key) => isSubtableKey(key) && key !== commentsKey);
	if (subtable === undefined) return;
	throw new InputError(
		`The option 'Subtables' is off, so '${subtable}' and its fields cannot be returned`,
		"Turn it on, or remove them from 'Only Fields' and 'Download Files'.",
	);
}

/** Returns the keys of the selected fields of the record and its rows. Throws InputError for a field that does not exist. */
async function chosenKeys(
	lists: readonly FieldList[],
	naming: Naming,
	sheetFields: SheetFields,
): Promise<ChosenKeys> {
	const keys = new Set<string>();
	const rowKeys = new Map<string, Set<string>>();
	const choose = async (name: string) => {
		const rowFields = await rowFieldsOf(name, sheetFields);
		if (rowFields.length === 0) keys.add(await keyInReads(name, naming, sheetFields));
		for (const field of rowFields) {
			const { subtableId = '' } = field;
			getOrInsert(rowKeys, subtableKey(subtableId), () => new Set()).add(readKeyOf(field, naming));
		}
	};
	for (const [label, names] of lists) {
		await inParameter(label, async () => {
			for (const name of await sheetFields.fieldKeys(names)) await choose(name);
		});
	}
	// A subtable that is selected as a whole returns all fields of its rows.
	for (const key of keys) rowKeys.delete(key);
	for (const key of rowKeys.keys()) keys.add(key);
	return { keys: keys.size > 0 ? keys : undefined, rowKeys };
}

/** Returns the fields of rows with a name or ID; an empty list if it is a field of the record. */
async function rowFieldsOf(key: string, sheetFields: SheetFields): Promise<readonly Field[]> {
	const index = await sheetFields.load();
	const isOfRecord = index.listed(key, 'record').length > 0;
	if (isOfRecord) return [];
	if (index.listed(key, 'rows').length === 0 && (await isNoField(key, sheetFields))) return [];
	const named = await sheetFields.load({ readNames: true });
	return named.listed(key, 'record').length > 0 ? [] : named.listed(key, 'rows');
}

/** Returns the keys in reads of the fields whose names begin with an underscore, as keys do that reads add. */
function fieldsWithUnderscore(index: FieldIndex, naming: Naming): ReadonlySet<string> {
	const keys = index.fieldsOf('anywhere').map((field) => readKeyOf(field, naming));
	return new Set(keys.filter((key) => key.startsWith('_') && !isAddedKey(key)));
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

/** Returns the IDs of the fields; an empty list if a field is unknown, so that whole records are requested. */
function requestedIds(names: readonly string[], index: FieldIndex): string[] {
	const ids = names.map((name) => {
		const listed = index.listed(name, 'record');
		return listed.length > 1 ? undefined : listed[0]?.fieldId;
	});
	return ids.every((id) => id !== undefined) ? ids : [];
}

/** Returns the keys of fields in a read; undefined if there are no names. Throws InputError for a field that does not exist. */
export async function keysOf(names: readonly string[], naming: Naming, sheetFields: SheetFields) {
	const keys = new Set<string>();
	for (const key of await sheetFields.fieldKeys(names))
		keys.add(await keyInReads(key, naming, sheetFields));
	return keys.size > 0 ? keys : undefined;
}

/** Returns the key of a field in a read. Throws InputError for an unknown field, and for a name that several fields have. */
export async function keyInReads(
	key: string,
	naming: Naming,
	sheetFields: SheetFields,
): Promise<string> {
	const id = isSubtableKey(key) ? undefined : idInKey(key);
	requireSubtableId(key);
	if (await isNoField(key, sheetFields)) return key;
	const index = await sheetFields.load();
	const hasList = index.fieldsOf('record').length > 0;
	// If the service lists no names, for example for a sheet without records, any text may be a name.
	if (naming !== 'EID' && id === undefined && !hasList) return key;
	const found = await sheetFields.resolved([key], (known) => {
		const field = known.require(key, 'record');
		return { field, readKey: naming === 'EID' ? field.fieldId : known.readKey(field) };
	});
	if (found.readKey !== undefined) return found.readKey;
	const named = await sheetFields.load({ readNames: true });
	const [read = found.field] = named.exactly(found.field.fieldId, 'record');
	const readKey = named.readKey(read);
	if (readKey !== undefined) return readKey;
	throw new UnknownKeyError(
		`Cannot determine the output name of field ${found.field.fieldId}`,
		"Enter the name that the output shows, or set 'Output Field Names By' to Field IDs.",
	);
}

/** Returns whether reads or the node add the key to records. A field may have a name that begins with an underscore, too. */
async function isNoField(key: string, sheetFields: SheetFields): Promise<boolean> {
	if (isAddedKey(key) || isSubtableKey(key)) return true;
	if (!key.startsWith('_') || idInKey(key) !== undefined) return false;
	return !(await sheetFields.load()).hasName(key, 'record');
}

/** Thrown if the key of a field in reads by name is unknown, for example on a sheet without records. */
class UnknownKeyError extends InputError {}

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
