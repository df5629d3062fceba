import { isDateLike, isLuxonText, toServiceDate } from './dates';
import type { Clock } from './dates';
import { findField, isFieldId, isSurelyFieldId } from './fields';
import type { Field } from './fields';
import { noChanges } from './recordChanges';
import type { FieldValue, FieldValues, RecordChanges } from './recordChanges';
import { isObject } from './objects';
import { inputError } from './serviceError';
import type { ServiceError } from './serviceError';
import { isWholeNumber } from './sheetAddress';

/** What a user wants written: field ids or names, `_subtable_<id>`, `_DELSUB_<id>`. */
export type RecordInput = Readonly<Record<string, unknown>>;

export interface RecordInputRules {
	/** The fields of the sheet; empty when every key is a field id and nothing had to be looked up. */
	fields: readonly Field[];
	/** Types of fields whose list does not tell them, by field id. */
	types?: ReadonlyMap<string, string>;
	/** Send empty values, which clear fields; otherwise they are left out. */
	clearEmpty: boolean;
	/** Skip keys that begin with `_` and are neither subtables nor deletions, as auto-mapped items have them. */
	ignoreUnderscoreKeys: boolean;
	/** Where moments are read off as wall-clock times. */
	clock: Clock;
}

const subtableKey = /^_subtable_(\d+)$/;
const deletionKey = /^_?DELSUB_(\d+)$/;
/** One spelling for each id, so that no two name the same row. */
const rowIdForm = /^(?:0|-?[1-9]\d*)$/;

/** Whether a key in the input, or in one of its rows, is a name that has to be looked up. */
export function namesFields(input: RecordInput): boolean {
	return Object.entries(input).some(([key, value]) => {
		if (subtableKey.test(key)) return rowsOf(key, value).some(({ values }) => namesFields(values));
		return !key.startsWith('_') && !deletionKey.test(key) && !isFieldId(key);
	});
}

/**
 * Whether the list of fields, where there is one, decides on something in the input or in one of its rows:
 * on what a date is written as, or on a short number that may be an id or a name.
 */
export function asksForFields(input: RecordInput): boolean {
	return Object.entries(input).some(([key, value]) => {
		if (subtableKey.test(key))
			return rowsOf(key, value).some(({ values }) => asksForFields(values));
		if (key.startsWith('_') || deletionKey.test(key)) return false;
		return holdsDate(value) || (isFieldId(key) && !isSurelyFieldId(key));
	});
}

/** Whether the input, or one of its rows, holds what may be a date, so that the types of fields matter. */
export function holdsDates(input: RecordInput): boolean {
	return Object.entries(input).some(([key, value]) => {
		if (subtableKey.test(key)) return rowsOf(key, value).some(({ values }) => holdsDates(values));
		return !key.startsWith('_') && holdsDate(value);
	});
}

function holdsDate(value: unknown): boolean {
	return Array.isArray(value) ? value.some(isDateLike) : isDateLike(value);
}

/**
 * The changes that an input stands for, with field ids for names (specification, endpoints 6 and 7).
 *
 * A row with `_rowId` is changed, one without is created under a negative id that no other row has.
 *
 * @throws ServiceError of kind `input` for unknown and ambiguous names, and for values that cannot be written
 */
export function recordChanges(input: RecordInput, rules: RecordInputRules): RecordChanges {
	const changes = noChanges();
	const newRowIds = newRowIdsFor(input);
	for (const [key, value] of Object.entries(input)) {
		const subtableId = subtableKey.exec(key)?.[1];
		const deletionId = deletionKey.exec(key)?.[1];
		if (subtableId !== undefined) {
			const rows = subtableRows(key, subtableId, value, rules, newRowIds);
			if (rows.size > 0) changes.subtables.set(subtableId, rows);
		} else if (deletionId !== undefined) {
			const rowIds = [...(changes.deletedRows.get(deletionId) ?? []), ...deletedRowIds(key, value)];
			if (rowIds.length > 0) changes.deletedRows.set(deletionId, rowIds);
		} else if (!(rules.ignoreUnderscoreKeys && key.startsWith('_'))) {
			addField(changes.fields, key, value, rules);
		}
	}
	return changes;
}

interface InputRow {
	rowId?: string;
	values: RecordInput;
}

/** Rows in either form: an object keyed by row id, or an array of rows. */
function rowsOf(key: string, value: unknown): InputRow[] {
	if (value === null || value === undefined || value === '') return [];
	if (Array.isArray(value)) return value.map((row) => arrayRow(key, row));
	return Object.entries(objectOf(key, value)).map(([rowId, row]) => {
		if (!rowIdForm.test(rowId)) {
			throw inputError(`'${rowId}' in '${key}' is not a row ID. Give new rows as an array`);
		}
		return { rowId, values: withoutRowId(objectOf(`${key}.${rowId}`, row)) };
	});
}

function arrayRow(key: string, row: unknown): InputRow {
	const values = objectOf(key, row);
	const { _rowId: rowId } = values;
	if (rowId === undefined || rowId === null || rowId === '')
		return { values: withoutRowId(values) };
	if (!rowIdForm.test(String(rowId))) {
		throw inputError(`'${String(rowId)}' in '${key}' is not a row ID`);
	}
	return { rowId: String(rowId), values: withoutRowId(values) };
}

function withoutRowId(values: RecordInput): RecordInput {
	return Object.fromEntries(Object.entries(values).filter(([key]) => key !== '_rowId'));
}

function subtableRows(
	key: string,
	subtableId: string,
	value: unknown,
	rules: RecordInputRules,
	newRowIds: Iterator<string, string>,
): Map<string, FieldValues> {
	const rows = new Map<string, FieldValues>();
	for (const { rowId, values } of rowsOf(key, value)) {
		const fields: FieldValues = new Map();
		for (const [name, fieldValue] of Object.entries(values)) {
			if (!(rules.ignoreUnderscoreKeys && name.startsWith('_'))) {
				addField(fields, name, fieldValue, rules, subtableId);
			}
		}
		const target = rowId ?? newRowIds.next().value;
		if (rows.has(target)) throw inputError(`'${key}' holds the row ${target} twice`);
		if (fields.size > 0) rows.set(target, fields);
	}
	return rows;
}

/** -1, -2, …, without the negative ids that the input uses itself. */
function* newRowIdsFor(input: RecordInput): Generator<string, string> {
	const used = new Set<string>();
	for (const [key, value] of Object.entries(input)) {
		if (!subtableKey.test(key)) continue;
		for (const { rowId } of rowsOf(key, value)) if (rowId !== undefined) used.add(rowId);
	}
	for (let rowId = -1; ; rowId--) if (!used.has(String(rowId))) yield String(rowId);
}

function deletedRowIds(key: string, value: unknown): string[] {
	const rowIds = (Array.isArray(value) ? value : [value])
		.filter((rowId) => rowId !== '' && rowId !== null && rowId !== undefined)
		.map(String);
	const wrong = rowIds.find((rowId) => !isWholeNumber(rowId));
	if (wrong !== undefined) throw inputError(`'${wrong}' in '${key}' is not a row ID`);
	return rowIds;
}

function addField(
	fields: FieldValues,
	key: string,
	value: unknown,
	{ fields: known, types, clearEmpty, clock }: RecordInputRules,
	subtableId?: string,
): void {
	const found = findField(known, key, subtableId);
	const field = { ...found, type: found.type ?? types?.get(found.fieldId) };
	if (isBlank(value)) {
		if (clearEmpty && value !== undefined) addOnce(fields, field, key, '');
		return;
	}
	addOnce(fields, field, key, fieldValue(field, key, value, clock));
}

function addOnce(fields: FieldValues, { fieldId }: Field, key: string, value: FieldValue): void {
	if (fields.has(fieldId)) {
		throw inputError(`'${key}' and another key both stand for the field ${fieldId}`);
	}
	fields.set(fieldId, value);
}

/** Whether a value says "empty": nothing, an empty text or an empty selection. Zero and false do not. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		value === '' ||
		(Array.isArray(value) && value.length === 0)
	);
}

/**
 * A value in the service's form: dates as it writes them, a selection as texts.
 *
 * @throws ServiceError of kind `input` for objects, for numbers that are no numbers, and for a text in
 *   ISO 8601 when nobody knows whether the field is one for dates
 */
export function fieldValue(field: Field, key: string, value: unknown, clock: Clock): FieldValue {
	if (Array.isArray(value)) {
		return value.map((element) => {
			if (Array.isArray(element)) throw unwritable(key);
			return String(fieldValue(field, key, element, clock));
		});
	}
	const form = dateForm(field.type);
	if (typeof value === 'object' || (form && isDateLike(value))) {
		const date = toServiceDate(value, clock, form);
		if (date !== undefined) return date;
	}
	if (field.type === undefined && isLuxonText(value)) {
		return toServiceDate(new Date(value), clock) ?? value;
	}
	const isText = typeof value === 'string';
	if (isText && field.type === undefined && isDateLike(value)) throw perhapsDate(key, value);
	if (isText || typeof value === 'boolean') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	if (typeof value === 'bigint') return String(value);
	throw unwritable(key);
}

function unwritable(key: string): ServiceError {
	return inputError(
		`The value of '${key}' cannot be written: it must be a text, a number, true or false, a date, or an array of texts`,
	);
}

function perhapsDate(key: string, value: string): ServiceError {
	return inputError(
		`'${value}' for '${key}' may be a date or a text: the service does not tell this user which the field is for, and no record shows it`,
		"Write a date as the service does, e.g. 2026/01/31 or 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ DateTime.fromISO('2026-01-31') }}.",
	);
}

/** What a field's type says about its dates; undefined when it is no date or its type is not known. */
export function dateForm(type: string | undefined): 'date' | 'dateTime' | undefined {
	const word = type?.toLowerCase().replace(/[^a-z]/g, '') ?? '';
	if (/^(datetime|timestamp)/.test(word)) return 'dateTime';
	return word.startsWith('date') ? 'date' : undefined;
}

function objectOf(key: string, value: unknown): RecordInput {
	if (!isObject(value)) throw inputError(`'${key}' must hold rows: objects of field and value`);
	return value;
}
