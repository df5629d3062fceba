import type { Call } from '../call';
import { holdsSeveral, type Field } from '../data/field';
import type { Sheet, Subtable } from '../data/sheet';
import { jsonMembers, type FormFields } from '../http/body';
import { bodyParameters, otherParameters, unknownField, writeParameters } from '../http/query';
import { ServiceError } from '../http/serviceError';
import { isObject } from '../json';
import { ChangeCollector, readRowFieldName, readRowId, type RecordChanges } from './changes';

/**
 * Reads the changes of a create or an update (specification, endpoints 6 and 7). Unknown query parameters are taken for
 * fields, so they make the whole write fail.
 */
export function readChanges(call: Call, sheet: Sheet): RecordChanges {
	const { body, state } = call;
	const collector = new ChangeCollector(sheet, state.switches.unknownBodyField);
	for (const { name, value } of otherParameters(call, writeParameters)) {
		if (!sheet.field(name)) throw unknownField(name);
		collector.setField(name, [value]);
	}
	if (body.kind === 'unreadable') {
		throw new ServiceError('parameters', 'The body is neither form data nor JSON.');
	}
	const isField = (name: string) =>
		state.switches.bodyParameters === 'unknown' || !bodyParameters.has(name);
	if (body.kind === 'json') {
		const members = Object.entries(jsonMembers(body.text)).filter(([name]) => isField(name));
		readJsonBody(members, sheet, collector);
	}
	if (body.kind === 'form') {
		const fields = body.fields.filter(([name]) => isField(name));
		readFormBody(fields, sheet, collector);
		for (const file of body.files) collector.addFile(file);
	}
	return collector.changes;
}

/** Reads `<field_id>`, `<field_id>_<row_id>` and `DELSUB_<subtable_id>`. Several values repeat the name. */
function readFormBody(fields: FormFields, sheet: Sheet, collector: ChangeCollector): void {
	const values = new Map<string, string[]>();
	for (const [name, value] of fields) values.set(name, [...(values.get(name) ?? []), value]);

	for (const [name, texts] of values) {
		const [, deletedFrom] = /^DELSUB_(\d+)$/.exec(name) ?? [];
		const ofRow = readRowFieldName(name);
		if (deletedFrom !== undefined) {
			for (const text of texts) collector.deleteRow(deletedFrom, text);
		} else if (ofRow) {
			const { fieldId, rowId } = ofRow;
			const subtable = sheet.subtableField(fieldId)?.subtable;
			if (subtable) collector.setRowField(subtable, rowId, fieldId, texts);
			else collector.refuse(name);
		} else {
			collector.setField(name, texts);
		}
	}
}

/** Reads JSON: `<field_id>`, `_subtable_<subtable_id>` keyed by row ID, and `_DELSUB_<subtable_id>`. */
function readJsonBody(
	members: ReadonlyArray<[name: string, value: unknown]>,
	sheet: Sheet,
	collector: ChangeCollector,
): void {
	for (const [name, value] of members) {
		const [, subtableId] = /^_subtable_(\d+)$/.exec(name) ?? [];
		const [, deletedFrom] = /^_DELSUB_(\d+)$/.exec(name) ?? [];
		if (deletedFrom !== undefined) {
			for (const text of readTexts(name, value)) collector.deleteRow(deletedFrom, text);
		} else if (subtableId !== undefined) {
			const subtable = sheet.subtable(subtableId);
			if (subtable) readJsonRows(name, value, subtable, collector);
			else collector.refuse(name);
		} else {
			collector.setField(name, readTextsOfField(name, value, sheet.field(name)));
		}
	}
}

function readJsonRows(
	name: string,
	value: unknown,
	subtable: Subtable,
	collector: ChangeCollector,
): void {
	if (!isObject(value)) throw wrongShape(name);
	for (const [rowIdText, row] of Object.entries(value)) {
		if (!isObject(row)) throw wrongShape(name);
		const rowId = readRowId(rowIdText);
		collector.row(subtable.id, rowId);
		for (const [fieldId, fieldValue] of Object.entries(row)) {
			const field = subtable.fields.find(({ id }) => id === fieldId);
			const texts = readTextsOfField(fieldId, fieldValue, field);
			collector.setRowField(subtable, rowId, fieldId, texts);
		}
	}
}

/** Reads the texts of a field. Arrays are allowed for fields with several texts. */
export function readTextsOfField(name: string, value: unknown, field: Field | undefined): string[] {
	return field && !holdsSeveral(field) ? [readText(name, value)] : readTexts(name, value);
}

function readTexts(name: string, value: unknown): string[] {
	return Array.isArray(value) ? value.map((item) => readText(name, item)) : [readText(name, value)];
}

/** Reads a text. Numbers are texts already; `null` clears like the empty text. */
function readText(name: string, value: unknown): string {
	if (value === null) return '';
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean') return String(value);
	throw wrongShape(name);
}

function wrongShape(name: string): ServiceError {
	return new ServiceError('parameters', `Invalid value for ${name}`);
}
