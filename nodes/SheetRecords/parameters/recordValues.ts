import { findFilePlace } from '../../api/files/filePlaces';
import { sourceRecordId } from '../../api/read/recordKeys';
import type { FieldIndex } from '../../api/sheet/fieldIndex';
import { idInKey } from '../../api/sheet/fields';
import { InputError, inParameter } from '../../api/values/inputError';
import { wholeNumberText } from '../../api/values/sheetAddress';
import { subtableKey } from '../../api/values/subtableKeys';
import { isBlank, textOf } from '../../api/values/text';
import { isEmpty, isSentNote, isStoredRowId, rowPlace } from '../../api/write/recordContent';
import type {
	FilePlace,
	RecordContent,
	RecordFile,
	ValueNote,
} from '../../api/write/recordContent';
import type { InputChanges } from '../../api/write/recordInput';
import { deferred, nameList, shownFor } from '../../shared/parameters/parameter';
import { entryField } from '../../shared/editor/pickList';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import { fileParts } from '../files/filePart';
import { notesSentence } from '../run/hints';
import type { ItemContext } from '../run/itemContext';
import { changeRules, parseChanges } from './changes';
import { mappedMatches, recordInput, rowInput, type Input } from './input';
import {
	itemMatch,
	matchField,
	matchFieldsProperty,
	parseMatchFields,
	recordIdKey,
	recordIdToMatch,
	type ItemMatch,
} from './matchFields';
import { subtableParameter } from './record';
import { fileEntries, missingFile, rowFileEntries, rowMatchFields, rowsMode } from './writeOptions';

/**
 * Values that an item writes, and the match for its record. `recordId` is set if the record ID is the match; it is empty for
 * a new record.
 */
export type MatchedValues = RecordContent & ItemMatch & { recordId?: string };

/**
 * Values and files that an item writes. Parsing throws InputError for invalid JSON, unknown fields, wrong values, missing
 * files, and if there is nothing to write.
 *
 * @param isNew whether records are created: Rows Mode does not apply, and the mapper shows all fields
 */
export function recordValuesParameter({ isNew }: { isNew: boolean }) {
	const input = recordInput('add', isNew);
	return deferred(input.properties, async (item: ItemContext) => {
		return await parseRecordValues(item, await input.parse(item), !isNew);
	});
}

async function parseRecordValues(
	item: ItemContext,
	{ values, rows = [], isAutoMapped }: Input,
	mayExist: boolean,
): Promise<RecordContent> {
	const replacesRows = mayExist && rowsMode.parse(item) === 'replace';
	const {
		kinds,
		notes: allNotes,
		...changes
	} = await parseChanges(await changeRules(item, isAutoMapped), values, replacesRows, rows);
	const rowRules = mayExist ? await rowRulesOf(item, changes.subtables) : undefined;
	const files = await recordFiles(item, changes.subtables);
	const hasFile = (row: ValueNote) => files.some(({ rowId }) => rowId === row.rowId);
	const notes = allNotes.filter((note) => note.reason !== 'emptyRow' || !hasFile(note));
	item.run.hints.addLeftOut(notes);
	if (isEmpty(changes) && files.length === 0) throw nothingToWrite('no field', notes);
	const enteredRows = new Set(
		rows.map(({ subtableId, row }) => rowPlace(subtableId, String(row._rowId))),
	);
	const ids = { sourceRecordId: sourceRecordId(values), enteredRows };
	return { changes, files, notes, kinds, ...ids, rowRules };
}

/** Values and files that an item writes into a row of a subtable. Parsing throws the same errors as for records. */
export const rowValuesParameter = deferred(rowInput.properties, async (item: ItemContext) => {
	const { subtableId } = await subtableParameter.parse(item);
	const { values, isAutoMapped } = rowInput.parse(item);
	const { _rowId, ...fieldValues } = values;
	// The row that the item was read from shows which of its values are unchanged.
	const sourceRowId = isAutoMapped ? wholeNumberText(String(_rowId ?? '')) : undefined;
	const row = sourceRowId === undefined ? fieldValues : { ...fieldValues, _rowId: sourceRowId };
	const record = { [subtableKey(subtableId)]: [row] };
	const { subtables, kinds, ...parsed } = await parseChanges(
		await changeRules(item, isAutoMapped),
		record,
	);
	if (!isAutoMapped) requireChosenRow(item, _rowId);
	// A row without a value has a file, or is rejected.
	const notes = parsed.notes.filter(({ reason }) => reason !== 'emptyRow');
	item.run.hints.addLeftOut(notes);
	const [written] = [...(subtables.get(subtableId)?.values() ?? [])];
	const files = await filesOf(item, rowFileEntries, async (key) => {
		const { fieldId } = await fieldsOfSheet(item).field(key, false, subtableId);
		return { fieldId };
	});
	if (written || files.length > 0) return { values: written ?? new Map(), files, notes, kinds };
	throw nothingToWrite('no field of the row', notes);
});

/** Throws InputError if the JSON of an update has the ID of another row than the chosen one. */
function requireChosenRow(item: ItemContext, givenRowId: unknown): void {
	// Add has no chosen row.
	const rowId = item.text('rowId');
	if (isBlank(givenRowId) || rowId === '' || textOf(givenRowId) === rowId) return;
	throw new InputError(
		"'_rowId' in 'Row (JSON)' is not the row in 'Row ID'",
		"Leave it out. 'Row ID' chooses the row.",
	);
}

/**
 * Returns the files for a record and its rows. Throws InputError for unknown fields, for missing files, and if a field and its
 * new row belong to different subtables.
 */
async function recordFiles(item: ItemContext, subtables: InputChanges['subtables']) {
	return await filesOf(item, fileEntries, async (key) => {
		const place = await findFilePlace(fieldsOfSheet(item), key);
		const { rowId, subtableId } = place;
		if (rowId === undefined || isStoredRowId(rowId) || subtableId === undefined) return place;
		// The new rows of all subtables are numbered together. A user who counts them per subtable may refer to the wrong subtable.
		const isInOtherSubtable = [...subtables].some(
			([id, rows]) => id !== subtableId && rows.has(rowId),
		);
		if (!isInOtherSubtable) return place;
		throw new InputError(
			`'${key}' in 'Files' refers to a new row of the subtable ${subtableId}, but the new row ${rowId} belongs to another subtable`,
			'New rows are numbered -1, -2, … in the order in which they are given, across all subtables.',
		);
	});
}

async function filesOf(
	item: ItemContext,
	entries: typeof fileEntries,
	findPlace: (key: string) => Promise<FilePlace>,
): Promise<RecordFile[]> {
	const files: RecordFile[] = [];
	for (const { fieldId, inputDataFieldName } of entries.parse(item) ?? []) {
		const key = entryField(fieldId, 'Files');
		const place = await inParameter('Files', async () => await findPlace(key));
		const names = nameList(inputDataFieldName, 'Input Data Field Name');
		const parts = await fileParts(item, names, missingFile.parse(item));
		files.push(...parts.map((file) => ({ ...place, file })));
	}
	return files;
}

/** Returns the error for an item without content. It names the values that were left out, and why. */
function nothingToWrite(
	what: 'no field' | 'no field of the row',
	notes: readonly ValueNote[],
): InputError {
	const leftOut = notes.filter(({ reason }) => !isSentNote(reason) && reason !== 'emptyRow');
	const notWritten = notesSentence('Not written', leftOut);
	if (notWritten !== undefined) {
		return new InputError(
			'There is nothing to write: the values of the item are left out',
			`${notWritten} Enter a value for another field.`,
		);
	}
	return new InputError(
		`There is nothing to write: ${what} has a value`,
		"Enter a value for at least one field. To clear fields on purpose, turn on the option 'Clear Empty'.",
	);
}

/**
 * Returns the rules that match the item's rows with those of a record; undefined if only row IDs count. Throws InputError for
 * rows that cannot be matched.
 */
async function rowRulesOf(item: ItemContext, subtables: InputChanges['subtables']) {
	const mode = rowsMode.parse(item) ?? 'append';
	if (mode === 'append' || subtables.size === 0) return undefined;
	const sheetFields = fieldsOfSheet(item);
	const keys = await sheetFields.fieldKeys(rowMatchFields.parse(item) ?? []);
	const matchFields =
		keys.length > 0
			? await inParameter('Row Match Fields', async () => {
					return await sheetFields.resolved(keys, (index) => rowFieldsIn(index, keys, subtables));
				})
			: new Map<string, string[]>();
	for (const [subtableId, rows] of mode === 'upsert' ? subtables : []) {
		if (matchFields.has(subtableId) || [...rows.keys()].every(isStoredRowId)) continue;
		throw new InputError(
			`No field to match the rows of subtable ${subtableId} on is chosen`,
			"Enter the fields by which rows are found in the option 'Row Match Fields', or set _rowId in each row.",
		);
	}
	return { mode, matchFields };
}

/**
 * Returns the IDs of the match fields of each subtable. A field without a known subtable belongs to the subtables whose rows
 * have it. If no row has it, it belongs to all subtables of the item.
 */
function rowFieldsIn(
	index: FieldIndex,
	keys: readonly string[],
	subtables: InputChanges['subtables'],
): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const key of keys) {
		const listed = index.listed(key, 'rows').flatMap(({ subtableId }) => subtableId ?? []);
		const having = [...subtables].flatMap(([subtableId, rows]) =>
			[...rows.values()].some((row) => row.has(idInKey(key) ?? '')) ? [subtableId] : [],
		);
		const candidates = [listed, having, [...subtables.keys()]].find(({ length }) => length > 0);
		for (const subtableId of new Set(candidates)) {
			const { fieldId } = index.require(key, { subtableId });
			found.set(subtableId, [...new Set([...(found.get(subtableId) ?? []), fieldId])]);
		}
	}
	return found;
}

const jsonMatchFields = shownFor({ inputMode: ['json'] }, [matchFieldsProperty]);
const matchedInput = recordInput('upsert', true, jsonMatchFields);

/** Values that an item writes, and the match for its records. */
export const matchedValuesParameter = deferred(
	matchedInput.properties,
	async (item: ItemContext): Promise<MatchedValues> => {
		const input = await matchedInput.parse(item);
		const keys = await parseMatchFields(item, mappedMatches(item));
		if (keys.has(recordIdKey)) {
			const { [recordIdKey]: id, ...fieldValues } = input.values;
			const recordId = isBlank(id) && keys.size === 1 ? '' : recordIdToMatch(id, keys);
			const values = await parseRecordValues(item, { ...input, values: fieldValues }, true);
			return { ...values, recordId, matchFieldIds: [recordIdKey], key: [recordId] };
		}
		const values = await parseRecordValues(item, input, true);
		// A field may be given by its name and by its ID.
		const fieldIds = new Set<string>();
		for (const key of keys) fieldIds.add((await matchField(item, key)).fieldId);
		const { changes, notes, kinds } = values;
		return { ...values, ...(await itemMatch(item, [...fieldIds], { ...changes, notes, kinds })) };
	},
);
