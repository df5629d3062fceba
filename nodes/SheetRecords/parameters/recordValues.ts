import type { INodeProperties } from 'n8n-workflow';
import { findFilePlace } from '../../api/files/filePlaces';
import { sourceRecordId } from '../../api/read/recordKeys';
import { findField, idInKey, isKeyOf, listOf, type Field } from '../../api/schema/fields';
import { kindOf } from '../../api/schema/valueKinds';
import { InputError } from '../../api/values/inputError';
import { requireWholeCharacters } from '../../api/values/query';
import { subtableKey } from '../../api/values/subtableKeys';
import { isBlank, isMasked, textOf } from '../../api/values/text';
import { hiddenField, type MatchKey } from '../../api/write/match';
import { isEmpty, isExistingRow } from '../../api/write/recordContent';
import type { FilePlace, RecordContent, RecordFile } from '../../api/write/recordContent';
import type { InputChanges } from '../../api/write/recordInput';
import { fieldNamesOf } from '../../shared/parameters/options';
import { deferred, shownFor } from '../../shared/parameters/parameter';
import { entryField, fieldsPickList } from '../../shared/editor/pickList';
import { schemaOf } from '../../shared/parameters/sheet';
import { fileParts } from '../files/filePart';
import type { ItemContext } from '../run/itemContext';
import { readChanges } from './changes';
import { mappedMatches, recordInput, rowInput, type Input } from './input';
import { idOf, subtableParameter } from './record';
import { fileEntries, missingFile, rowFileEntries, rowMatchFields, rowsMode } from './writeOptions';

/** By which fields the records of an item are found, and what it holds in them. */
export interface ItemMatch {
	/** The ids of the fields to match on, each once. */
	matchFieldIds: string[];
	/** The value to look for in each of them; an empty one is refused by the look-up. */
	key: MatchKey;
}

/** What an item writes, and by what its record is found: its id, where it is matched on, is empty for a new record. */
export type MatchedValues = RecordContent & ItemMatch & { recordId?: string };

/** Stands for the record's id among the fields to match on. */
export const recordIdKey = '_recordId';

/** What the item writes. Refused are JSON that is none, unknown names, values that cannot be written, missing files, and to write nothing. */
export function recordValuesParameter({ isNew }: { isNew: boolean }) {
	const input = recordInput('add', isNew);
	return deferred(input.properties, async (item: ItemContext) => {
		return await readRecordValues(item, await input.parse(item), !isNew);
	});
}

async function readRecordValues(
	item: ItemContext,
	{ values, isAutoMapped }: Input,
	mayExist: boolean,
): Promise<RecordContent> {
	const replacesRows = mayExist && rowsMode.parse(item) === 'replace';
	const { notes, kinds, ...changes } = await readChanges(item, values, isAutoMapped, replacesRows);
	item.run.hints.addLeftOut(notes);
	const rowRules = mayExist ? await readRowRules(item, changes.subtables) : undefined;
	const files = await readFiles(item, changes.subtables);
	if (isEmpty(changes) && files.length === 0) throw nothingToWrite('no field');
	return { changes, files, notes, kinds, sourceRecordId: sourceRecordId(values), rowRules };
}

/** What the item writes into a row of the subtable; refused is the same. */
export const rowValuesParameter = deferred(rowInput.properties, async (item: ItemContext) => {
	const { subtableId } = await subtableParameter.parse(item);
	const { values: input, isAutoMapped } = rowInput.parse(item);
	const values = Object.fromEntries(Object.entries(input).filter(([key]) => key !== '_rowId'));
	const record = { [subtableKey(subtableId)]: [values] };
	const { subtables, notes, kinds } = await readChanges(item, record, isAutoMapped);
	item.run.hints.addLeftOut(notes);
	const [row] = [...(subtables.get(subtableId)?.values() ?? [])];
	const files = await filesOf(item, rowFileEntries, async (key) => {
		const { fieldId } = await schemaOf(item).field(key, false, subtableId);
		return { fieldId };
	});
	if (row || files.length > 0) return { values: row ?? new Map(), files, notes, kinds };
	throw nothingToWrite('no field of the row');
});

/** Returns the files for a record and its rows. Throws InputError for unknown fields, rows of other subtables, and missing files. */
async function readFiles(item: ItemContext, subtables: InputChanges['subtables']) {
	return await filesOf(item, fileEntries, async (key) => {
		const place = await findFilePlace(schemaOf(item), key);
		const { rowId, subtableId } = place;
		if (rowId === undefined || isExistingRow(rowId) || subtableId === undefined) return place;
		// All new rows of an item are numbered together: who counts those of one subtable would name a row of another.
		const isOfOther = [...subtables].some(([id, rows]) => id !== subtableId && rows.has(rowId));
		if (!isOfOther) return place;
		throw new InputError(
			`'${key}' in 'Files' refers to a new row of the subtable ${subtableId}, but the new row ${rowId} belongs to another subtable`,
			'New rows are numbered -1, -2, … in the order in which they are given, across all subtables.',
		);
	});
}

async function filesOf(
	item: ItemContext,
	entries: typeof fileEntries,
	placeOf: (key: string) => Promise<FilePlace>,
): Promise<RecordFile[]> {
	const files: RecordFile[] = [];
	for (const { fieldId, inputDataFieldName } of entries.parse(item) ?? []) {
		const place = await placeOf(entryField(fieldId, 'Files'));
		const parts = await fileParts(item, textOf(inputDataFieldName), missingFile.parse(item));
		files.push(...parts.map((file) => ({ ...place, file })));
	}
	return files;
}

function nothingToWrite(what: string): InputError {
	return new InputError(
		`There is nothing to write: ${what} has a value`,
		"To clear fields on purpose, turn on the option 'Clear Empty'.",
	);
}

/** Returns how the item's rows are matched with those of a record; undefined when ids alone decide. Throws InputError for ambiguous rows. */
async function readRowRules(item: ItemContext, subtables: InputChanges['subtables']) {
	const mode = rowsMode.parse(item) ?? 'append';
	if (mode === 'append' || subtables.size === 0) return undefined;
	const schema = schemaOf(item);
	const keys = await schema.fieldKeys(rowMatchFields.parse(item) ?? []);
	const matchFields =
		keys.length > 0
			? await schema.resolved(keys, (fields) => rowFieldsIn(fields, keys, subtables))
			: new Map<string, string[]>();
	for (const [subtableId, rows] of mode === 'upsert' ? subtables : []) {
		if (matchFields.has(subtableId) || [...rows.keys()].every(isExistingRow)) continue;
		throw new InputError(
			`No field to match the rows of subtable ${subtableId} on is chosen`,
			"Enter the fields by which rows are found in the option 'Row Match Fields', or set _rowId in each row.",
		);
	}
	return { mode, matchFields };
}

/** Returns the fields of each subtable that the keys stand for. Fields of unknown subtables are those of the rows that have them. */
function rowFieldsIn(
	fields: readonly Field[],
	keys: readonly string[],
	subtables: InputChanges['subtables'],
): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const key of keys) {
		const listed = fields.flatMap((one) => (isKeyOf(key, one) ? (one.subtableId ?? []) : []));
		const having = [...subtables].flatMap(([subtableId, rows]) =>
			[...rows.values()].some((row) => row.has(idInKey(key) ?? '')) ? [subtableId] : [],
		);
		const places = [listed, having, [...subtables.keys()]].find(({ length }) => length > 0);
		for (const subtableId of new Set(places)) {
			const { fieldId } = findField(fields, key, subtableId);
			found.set(subtableId, [...new Set([...(found.get(subtableId) ?? []), fieldId])]);
		}
	}
	return found;
}

function matchFieldsProperty(what: string): INodeProperties {
	const property = fieldsPickList('matchFields', 'Match Field Names or IDs', what);
	return { ...property, required: true };
}

const matchFields = {
	...matchFieldsProperty('The fields by which existing records are found.'),
	hint: "Values are taken from the input item's fields with these names",
};

/** Returns names and ids of the fields that the item is matched on, each once. Throws InputError when there is none. */
export async function readMatchFields(
	item: ItemContext,
	given: unknown = item.value(matchFields.name),
): Promise<Set<string>> {
	const keys = new Set(await schemaOf(item).fieldKeys(fieldNamesOf(given)));
	if (keys.size > 0) return keys;
	throw new InputError(
		'No field to match on is chosen',
		"Choose the fields by which existing records are found in 'Match Field Names or IDs', or in 'Fields to match on' of the mapper.",
	);
}

/** Returns the id of a record that is matched on. Throws InputError for what is no id, and for other fields beside it. */
export function recordIdToMatch(given: unknown, keys: ReadonlySet<string>): string {
	if (keys.size === 1) return idOf(String(given ?? '').trim(), recordIdKey, 'record');
	throw new InputError(
		`'${recordIdKey}' cannot be matched on together with other fields`,
		'A record ID identifies one record, so match on it alone.',
	);
}

const jsonMatchFields = shownFor({ inputMode: ['json'] }, [
	matchFieldsProperty('The fields by which existing records are found.'),
]);
const matchedInput = recordInput('upsert', true, jsonMatchFields);

/** What the item writes, and by which fields its records are found. */
export const matchedValuesParameter = deferred(
	matchedInput.properties,
	async (item: ItemContext): Promise<MatchedValues> => {
		const input = await matchedInput.parse(item);
		const keys = await readMatchFields(item, mappedMatches(item));
		if (keys.has(recordIdKey)) {
			const { [recordIdKey]: id, ...others } = input.values;
			const recordId = isBlank(id) && keys.size === 1 ? '' : recordIdToMatch(id, keys);
			const values = await readRecordValues(item, { ...input, values: others }, true);
			return { ...values, recordId, matchFieldIds: [recordIdKey], key: [recordId] };
		}
		const values = await readRecordValues(item, input, true);
		const matchFieldIds: string[] = [];
		for (const key of keys) matchFieldIds.push((await schemaOf(item).field(key)).fieldId);
		const { changes, notes } = values;
		return { ...values, ...(await itemMatch(item, matchFieldIds, { ...changes, notes })) };
	},
);

/** The fields to match on, with the values that the input item has in them: typed as if they were to be written. */
export const itemMatchParameter = deferred([matchFields], async (item: ItemContext) => {
	const values = new Map<string, unknown>();
	for (const key of await readMatchFields(item)) {
		const { fieldId } = await schemaOf(item).field(key);
		const isOwn = (name: string) => Object.prototype.hasOwnProperty.call(item.record, name);
		const names = [key, key.replace(` (${fieldId})`, ''), fieldId];
		const own = names.find(isOwn) ?? (await schemaOf(item).nameFor(fieldId));
		values.set(fieldId, isOwn(own) ? item.record[own] : undefined);
	}
	// Times that were read in another time zone are looked for as they are stored.
	const isShifted = item.record._timeZone !== undefined;
	const changes = await readChanges(item, Object.fromEntries(values), isShifted);
	const match = await itemMatch(item, [...values.keys()], changes);
	const emptyId = match.matchFieldIds.find((_, index) => !match.key[index]?.trim());
	if (emptyId !== undefined) throw await missingMatchValue(item, emptyId);
	return match;
});

async function missingMatchValue(item: ItemContext, fieldId: string): Promise<InputError> {
	const name = await schemaOf(item).nameFor(fieldId);
	const itemFields = Object.keys(item.record).map((key) => `'${key}'`);
	return new InputError(
		`The field '${name}' to match on has no value in this item`,
		itemFields.length === 0
			? 'The item is empty. It needs a field with this name.'
			: `The fields of the item are ${listOf(itemFields)}. To rename one of them, use an Edit Fields node.`,
	);
}

/** Returns the fields to match on with their texts. Throws InputError for what cannot be sent: it must not take those along that are looked up with it. */
async function itemMatch(
	item: ItemContext,
	matchFieldIds: string[],
	{ fields, notes }: Pick<RecordContent, 'notes'> & Pick<InputChanges, 'fields'>,
): Promise<ItemMatch> {
	const schema = schemaOf(item);
	const key: string[] = [];
	for (const fieldId of matchFieldIds) {
		// What the service fills in is not written, but can be matched on.
		const filledIn = notes?.find(
			(note) => note.reason === 'filledIn' && note.fieldId === fieldId && !note.subtableId,
		);
		const [value = '', ...others] = [fields.get(fieldId) ?? String(filledIn?.value ?? '')].flat();
		if (others.length > 0) {
			throw new InputError(
				`The field '${await schema.nameFor(fieldId)}' to match on has several values in this item`,
				'Reduce it to one value, or match on another field.',
			);
		}
		const text = String(value);
		if (isMasked(text)) {
			const { name } = kindOf(await schema.field(fieldId, true));
			const mayBeMasked = name === 'masked' || name === 'unknown';
			if (mayBeMasked) throw hiddenField(await schema.nameFor(fieldId));
		}
		key.push(requireWholeCharacters(text));
	}
	return { matchFieldIds, key };
}
