import { compareValues, isNumber } from '../data/comparing';
import { isDate, isDateTime } from '../data/dates';
import { textsOf, type Field } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { InvalidRecordError } from '../http/serviceError';

/**
 * Validates the whole record. Required and unique fields are always checked; `doValidation` adds the
 * rules of the fields (specification, endpoint 6).
 */
export function validate(draft: SheetRecord, sheet: Sheet, withRules: boolean): void {
	for (const field of sheet.fields) {
		const texts = textsOf(draft.values.get(field.id));
		if (field.required && texts.length === 0) {
			throw new InvalidRecordError(`Field "${field.name}" (${field.id}) must not be empty.`);
		}
		if (field.unique) demandUnique(field, texts, draft, sheet);
		if (withRules) validateField(field, texts);
	}
	if (!withRules) return;
	for (const { id, fields } of sheet.subtables) {
		for (const row of draft.rows(id).values()) {
			for (const field of fields) validateField(field, textsOf(row.get(field.id)));
		}
	}
}

function demandUnique(field: Field, texts: string[], draft: SheetRecord, sheet: Sheet): void {
	const others = [...sheet.records.values()].filter(({ id }) => id !== draft.id);
	const taken = texts.find((text) =>
		others.some(({ content }) =>
			textsOf(content.values.get(field.id)).some(
				(other) => compareValues(field.type, text, other) === 0,
			),
		),
	);
	if (taken === undefined) return;
	throw new InvalidRecordError(`Field "${field.name}" (${field.id}): "${taken}" already exists.`);
}

function validateField(field: Field, texts: string[]): void {
	const wrong = texts.find((text) => !fits(field, text));
	if (wrong === undefined) return;
	const reason = field.rule?.message ?? `"${wrong}" is no ${field.type}`;
	throw new InvalidRecordError(`Field "${field.name}" (${field.id}): ${reason}.`);
}

function fits({ type, choices, rule }: Field, text: string): boolean {
	if (rule && !rule.expression.test(text)) return false;
	switch (type) {
		case 'number':
			return isNumber(text);
		case 'date':
			return isDate(text);
		case 'dateTime':
			return isDateTime(text);
		case 'checkbox':
			return text === 'Yes' || text === 'No';
		case 'email':
			return /^[^@\s]+@[^@\s]+$/.test(text);
		case 'singleSelection':
		case 'multipleSelection':
			return choices === undefined || choices.includes(text);
		default:
			return true;
	}
}
