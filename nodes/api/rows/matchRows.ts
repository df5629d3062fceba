import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import type { SheetFields } from '../sheet/sheetFields';
import { kindIn, type FieldKinds } from '../sheet/kinds/valueKinds';
import { InputError } from '../values/inputError';
import type { RecordAddress } from '../values/sheetAddress';
import { isBlank, isMasked } from '../values/text';
import { subtableOfFile, isStoredRowId } from '../write/recordContent';
import type { FieldValues, RecordChanges, RecordContent, RecordFile } from '../write/recordContent';
import { noSuchRow } from './subtableRows';

/** A stored or new row that a row of the input may match. */
interface Candidate {
	rowId: string;
	row: JsonObject;
	/** Whether the input already uses this row: by a match, by its row ID, or as a new row. */
	isTaken: boolean;
}

/**
 * Returns the content with the IDs of the stored rows that its rows match by `rowRules`, or unchanged without `rowRules`. In mode
 * `replace`, adds the other stored rows of the subtables in the content to the rows to delete. Without match fields, an input row
 * matches the first stored row that is not taken and has all values of the input row. Throws InputError for an ambiguous or empty
 * row and for match fields that are hidden or without a value, and ServiceError for a row that does not exist.
 *
 * @param stored the stored record by field ID, with its rows; empty for a new record
 */
export async function matchRows(
	sheetFields: SheetFields,
	record: RecordAddress,
	content: RecordContent,
	stored: JsonObject,
): Promise<RecordContent> {
	const { changes, files, rowRules, kinds } = content;
	if (!rowRules) return content;
	const subtables: RecordChanges['subtables'] = new Map();
	const deletedRows = new Map(changes.deletedRows);
	const newIds = new Map<string, ReadonlyMap<string, string>>();
	for (const [subtableId, inputRows] of changes.subtables) {
		const deleted = deletedRows.get(subtableId) ?? [];
		const before: JsonObject = new Map(rowsOf(stored, subtableId));
		for (const rowId of deleted) before.delete(rowId);
		const missing = [...inputRows.keys()].find(
			(rowId) => isStoredRowId(rowId) && !before.has(rowId),
		);
		if (missing !== undefined) throw noSuchRow(record, { rowId: missing, subtableId });
		const matchFields = rowRules.matchFields.get(subtableId) ?? [];
		const ids = await rowIdsFor({ sheetFields, kinds }, matchFields, inputRows, before);
		newIds.set(subtableId, ids);
		const rows = [...inputRows].map(
			([rowId, values]) => [ids.get(rowId) ?? rowId, values] as const,
		);
		const isFileFor = (rowId: string) => files.some((file) => file.rowId === rowId);
		const isEmptyRow = ([rowId, values]: (typeof rows)[number]) =>
			values.size === 0 && !isStoredRowId(rowId) && !isFileFor(rowId);
		if (rows.some(isEmptyRow)) throw emptyRow(subtableId);
		const written = rows.filter(([, values]) => values.size > 0);
		if (written.length > 0) subtables.set(subtableId, new Map(written));
		for (const [rowId] of rows) before.delete(rowId);
		if (rowRules.mode === 'replace' && before.size > 0) {
			deletedRows.set(subtableId, [...deleted, ...before.keys()]);
		}
	}
	const matched = { ...changes, subtables, deletedRows };
	const filesOfRows = files.map((file) => fileOfMatchedRow(file, changes, newIds));
	return { ...content, changes: matched, files: filesOfRows, rowRules: undefined };
}

/** Returns a file with the ID of the stored row that its row matches. */
function fileOfMatchedRow(
	file: RecordFile,
	changes: RecordChanges,
	matchedIds: ReadonlyMap<string, ReadonlyMap<string, string>>,
): RecordFile {
	const { rowId } = file;
	if (rowId === undefined || isStoredRowId(rowId)) return file;
	const subtableId = file.subtableId ?? subtableOfFile(changes, file);
	const id = matchedIds.get(subtableId ?? '')?.get(rowId);
	return id === undefined ? file : { ...file, rowId: id, subtableId };
}

/** Returns the error for a row without values. In mode `replace`, an expression without a result would delete stored rows. */
function emptyRow(subtableId: string): InputError {
	return new InputError(
		`A row for subtable ${subtableId} has nothing to write`,
		'Check its expressions. To empty the subtable on purpose, give an array without rows.',
	);
}

/** Field names for messages, and kinds to compare values. */
interface MatchContext {
	sheetFields: SheetFields;
	kinds?: FieldKinds;
}

/**
 * Returns row ID in the input → ID of the stored row that it matches. Rows that stay new are left out. Throws InputError if a
 * match field is masked in a stored row or missing in all of them, and for the reasons of `matchOf`.
 */
async function rowIdsFor(
	context: MatchContext,
	fieldIds: readonly string[],
	inputRows: ReadonlyMap<string, FieldValues>,
	before: JsonObject,
): Promise<Map<string, string>> {
	const storedRows = [...before.values()].filter(isJsonObject);
	const isHidden = (fieldId: string) =>
		storedRows.some((row) => isMasked(row.get(fieldId))) ||
		(storedRows.length > 0 && !storedRows.some((row) => row.has(fieldId)));
	const hidden = fieldIds.find(isHidden);
	if (hidden !== undefined) throw await context.sheetFields.hiddenMatchField(hidden);
	// A row that the input names by its ID is compared as it will be after the write.
	const candidates = [...before].flatMap(([rowId, row]): Candidate[] => {
		if (!isJsonObject(row)) return [];
		const values = inputRows.get(rowId);
		return values
			? [{ rowId, row: new Map([...row, ...values]), isTaken: true }]
			: [{ rowId, row, isTaken: false }];
	});
	const ids = new Map<string, string>();
	for (const [rowId, values] of inputRows) {
		if (isStoredRowId(rowId)) continue;
		const match = await matchOf(context, fieldIds, values, candidates);
		if (match) {
			ids.set(rowId, match.rowId);
			match.isTaken = true;
		} else if (fieldIds.length > 0) {
			candidates.push({ rowId, row: values, isTaken: true });
		}
	}
	return ids;
}

/**
 * Returns the row with the same values in the match fields. Without match fields, returns the first row that is not taken and has
 * all values.
 * Throws InputError if several rows match, if the matching row is taken, or if a match field has no value.
 */
async function matchOf(
	{ sheetFields, kinds }: MatchContext,
	fieldIds: readonly string[],
	values: FieldValues,
	candidates: readonly Candidate[],
): Promise<Candidate | undefined> {
	const key = fieldIds.length > 0 ? await rowKey(sheetFields, fieldIds, values) : values;
	const isMatch = ({ row }: Candidate) =>
		[...key].every(([fieldId, value]) => {
			const stored = row.get(fieldId);
			return !isMasked(stored) && kindIn(kinds, { fieldId }).equals(stored, value);
		});
	const matches = key.size > 0 ? candidates.filter(isMatch) : [];
	if (fieldIds.length === 0) return matches.find(({ isTaken }) => !isTaken);
	const [match] = matches;
	if (!match || (matches.length === 1 && !match.isTaken)) return match;
	const texts = [...key.values()].map((value) => `'${String(value)}'`).join(' and ');
	const rowIds = matches.map(({ rowId }) => rowId).join(', ');
	throw new InputError(
		matches.some(({ isTaken }) => isTaken)
			? `Several rows of the item stand for the same row: they match ${texts}`
			: `${matches.length} rows of the record match ${texts}: ${rowIds}`,
		'Match rows on more fields, or name the row that is meant by _rowId.',
	);
}

/** Returns the values of a row in the match fields. Throws InputError if a match field has no value. */
async function rowKey(
	sheetFields: SheetFields,
	fieldIds: readonly string[],
	values: FieldValues,
): Promise<FieldValues> {
	const key: FieldValues = new Map();
	for (const fieldId of fieldIds) {
		const value = values.get(fieldId);
		if (value === undefined || isBlank(value)) {
			throw new InputError(
				`A row has no value for the field '${await sheetFields.nameFor(fieldId)}' to match on`,
				'Give each row without _rowId a value for every field that rows are matched on.',
			);
		}
		key.set(fieldId, value);
	}
	return key;
}
