import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import type { Schema } from '../schema/schema';
import { InputError } from '../values/inputError';
import type { RecordAddress } from '../values/sheetAddress';
import { isBlank, isMasked } from '../values/text';
import { hiddenField } from '../write/match';
import { holderOf, isExistingRow } from '../write/recordContent';
import type { FieldValues, RecordContent, RowRules } from '../write/recordContent';
import { differingValues } from '../write/sameValue';
import { noSuchRow } from './subtableRows';

/** A row that given rows may match. */
interface Candidate {
	rowId: string;
	row: JsonObject;
	/** Whether a given row matches it already, or is this one. */
	isTaken: boolean;
}

/**
 * Returns the content with the ids of the rows that given rows match, and with the rows to delete. Rows are compared as
 * records of an upsert are. Where `replace` has no field to match on, a given row matches one that has all of its values:
 * what was replaced once is not replaced again.
 *
 * @param stored content of the record, with its rows
 * @throws InputError when it is not certain which row is meant; ServiceError for a row id that is not there
 */
export async function matchRows(
	schema: Schema,
	record: RecordAddress,
	content: RecordContent,
	stored: JsonObject,
): Promise<RecordContent> {
	const { changes, files, rowRules } = content;
	if (!rowRules) return content;
	const subtables = new Map<string, Map<string, FieldValues>>();
	const deletedRows = new Map(changes.deletedRows);
	const newIds = new Map<string, ReadonlyMap<string, string>>();
	for (const [subtableId, given] of changes.subtables) {
		const deleted = deletedRows.get(subtableId) ?? [];
		const before = [...(rowsOf(stored, subtableId) ?? [])].filter(([id]) => !deleted.includes(id));
		const missing = [...given.keys()].find(
			(rowId) => isExistingRow(rowId) && !before.some(([id]) => id === rowId),
		);
		if (missing !== undefined) throw noSuchRow(record, { rowId: missing, subtableId });
		const ids = await rowIdsFor(schema, given, new Map(before), rowRules, subtableId);
		newIds.set(subtableId, ids);
		const rows = [...given].map(([rowId, values]) => [ids.get(rowId) ?? rowId, values] as const);
		const isVoid = ([rowId, values]: (typeof rows)[number]) =>
			values.size === 0 && !isExistingRow(rowId) && !files.some((file) => file.rowId === rowId);
		if (rows.some(isVoid)) throw emptyRow(subtableId);
		const written = rows.filter(([, values]) => values.size > 0);
		if (written.length > 0) subtables.set(subtableId, new Map(written));
		const kept = new Set(rows.map(([rowId]) => rowId));
		const left = before.flatMap(([id]) => (kept.has(id) ? [] : [id]));
		if (rowRules.mode === 'replace' && left.length > 0) {
			deletedRows.set(subtableId, [...deleted, ...left]);
		}
	}
	const filesOfRows = files.map((file) => {
		const { rowId } = file;
		if (rowId === undefined || isExistingRow(rowId)) return file;
		const subtableId = file.subtableId ?? holderOf(changes, file);
		const id = newIds.get(subtableId ?? '')?.get(rowId);
		return id === undefined ? file : { ...file, rowId: id, subtableId };
	});
	const matched = { ...changes, subtables, deletedRows };
	return { ...content, changes: matched, files: filesOfRows, rowRules: undefined };
}

/** Returns the ids of the rows that given rows without ids match; a new row has none. */
async function rowIdsFor(
	schema: Schema,
	given: ReadonlyMap<string, FieldValues>,
	before: JsonObject,
	{ matchFields }: RowRules,
	subtableId: string,
): Promise<Map<string, string>> {
	const fieldIds = matchFields.get(subtableId) ?? [];
	const candidates = [...before].flatMap(([rowId, row]): Candidate[] =>
		isJsonObject(row) ? [{ rowId, row, isTaken: given.has(rowId) }] : [],
	);
	await requireShown(schema, fieldIds, candidates);
	const ids = new Map<string, string>();
	for (const [rowId, values] of given) {
		if (isExistingRow(rowId)) continue;
		const match = await matchOf(schema, fieldIds, values, candidates);
		if (match) {
			ids.set(rowId, match.rowId);
			match.isTaken = true;
		} else if (fieldIds.length > 0) {
			candidates.push({ rowId, row: values, isTaken: true });
		}
	}
	return ids;
}

/** What an expression does not find must not delete the rows that it was to stand for. */
function emptyRow(subtableId: string): InputError {
	return new InputError(
		`A row for subtable ${subtableId} has nothing to write`,
		'Check its expressions. To empty the subtable on purpose, give an array without rows.',
	);
}

/** Throws InputError for a match field that the service does not show in these rows. */
async function requireShown(
	schema: Schema,
	fieldIds: readonly string[],
	candidates: readonly Candidate[],
): Promise<void> {
	const hidden = fieldIds.find(
		(fieldId) =>
			candidates.some(({ row }) => isMasked(row.get(fieldId))) ||
			(candidates.length > 0 && !candidates.some(({ row }) => row.has(fieldId))),
	);
	if (hidden !== undefined) throw hiddenField(await schema.nameFor(hidden));
}

/** Returns the row with the same values in the match fields or, without any, the first with all values. Throws InputError for several. */
async function matchOf(
	schema: Schema,
	fieldIds: readonly string[],
	values: FieldValues,
	candidates: readonly Candidate[],
): Promise<Candidate | undefined> {
	const key: FieldValues = fieldIds.length > 0 ? new Map() : values;
	for (const fieldId of fieldIds) {
		const wanted = values.get(fieldId);
		if (wanted === undefined || isBlank(wanted)) {
			throw new InputError(
				`A row has no value for the field '${await schema.nameFor(fieldId)}' to match on`,
				'Give each row without _rowId a value for every field that rows are matched on.',
			);
		}
		key.set(fieldId, wanted);
	}
	const matches: Candidate[] = [];
	for (const candidate of key.size > 0 ? candidates : []) {
		const differing = await differingValues(candidate.row, key, async () => await schema.types());
		if (differing.size === 0) matches.push(candidate);
	}
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
