import type { Client } from '../../api/http/client';
import { dialectOf } from '../../api/http/dialect';
import { getOrInsert } from '../../api/json/objects';
import type { ReadOptions } from '../../api/read/readOptions';
import { isAddedKey } from '../../api/read/recordKeys';
import type { FieldIndex } from '../../api/sheet/fieldIndex';
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
import { readOptionsOf, type OutputOptions } from '../parameters/options';
import type { OutputForm } from '../parameters/outputForm';

type Naming = OutputOptions['naming'];

export type FieldList = readonly [label: string, names: readonly string[]];

/**
 * Returns the names of the fields to return, each list with the label of its option; no list for all fields. The values of
 * 'Download Files' name the files, and comments are returned as a subtable.
 */
export function fieldsToReturn({
	onlyFields = [],
	onlyFieldsLabel = 'Only Fields',
	downloadFiles = [],
	comment = false,
}: Partial<OutputForm> & Partial<OutputOptions>): FieldList[] {
	if (onlyFields.length === 0) return [];
	return [
		[onlyFieldsLabel, onlyFields],
		['Download Files', downloadFiles],
		['Include Comments', comment ? [commentsKey] : []],
	];
}

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

/** Thrown if the key of a field in reads by name is unknown, for example on a sheet without records. */
export class UnknownKeyError extends InputError {}

/** Keys of the fields to return. */
export interface ChosenKeys {
	/** Keys of fields and subtables of the record. All are returned if undefined. */
	keys?: ReadonlySet<string>;
	/** Key of a subtable → keys of the fields of its rows. All fields are returned for other subtables. */
	rowKeys: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Throws InputError if selected fields that no record has were renamed since the list of fields was loaded, which is then new. */
export async function requireCurrentKeys(
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
export async function requireListed(
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
export function requireNoSubtable(keys: ReadonlySet<string> = new Set()): void {
	const subtable = [...keys].find((key) => isSubtableKey(key) && key !== commentsKey);
	if (subtable === undefined) return;
	throw new InputError(
		`The option 'Subtables' is off, so '${subtable}' and its fields cannot be returned`,
		"Turn it on, or remove them from 'Only Fields' and 'Download Files'.",
	);
}

/** Returns the keys of the selected fields of the record and its rows. Throws InputError for a field that does not exist. */
export async function chosenKeys(
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
export function fieldsWithUnderscore(index: FieldIndex, naming: Naming): ReadonlySet<string> {
	const keys = index.fieldsOf('anywhere').map((field) => readKeyOf(field, naming));
	return new Set(keys.filter((key) => key.startsWith('_') && !isAddedKey(key)));
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
