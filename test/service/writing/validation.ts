import { isDate, isDateTime } from '../data/dates';
import { compareValues, isNumber, textsOf, type Field } from '../data/field';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { InvalidRecordError } from '../http/serviceError';
import type { Switches } from '../switches';

/**
 * Validates the whole record. Required fields are always checked, unique fields depending on a switch. `doValidation` adds
 * the rules of the fields (specification, endpoint 6).
 */
export function validate(
	draft: SheetRecord,
	sheet: Sheet,
	withRules: boolean,
	switches: Switches,
): void {
	const checksUnique = withRules || switches.uniqueFields === 'everyWrite';
	for (const field of sheet.fields) {
		const texts = textsOf(draft.values.get(field.id));
		if (field.required && texts.length === 0) {
			throw new InvalidRecordError(`Field "${field.name}" (${field.id}) must not be empty.`);
		}
		if (field.unique && checksUnique) demandUnique(field, texts, draft, sheet);
		if (withRules) validateField(field, texts, switches);
	}
	if (!withRules) return;
	for (const { id, fields } of sheet.subtables) {
		for (const row of draft.rows(id).values()) {
			for (const field of fields) validateField(field, textsOf(row.get(field.id)), switches);
		}
	}
}

function demandUnique(field: Field, texts: string[], draft: SheetRecord, sheet: Sheet): void {
	const otherRecords = [...sheet.records.values()].filter(({ id }) => id !== draft.id);
	const duplicate = texts.find((text) =>
		otherRecords.some(({ content }) =>
			textsOf(content.values.get(field.id)).some(
				(candidate) => compareValues(field.type, text, candidate) === 0,
			),
		),
	);
	if (duplicate === undefined) return;
	throw new InvalidRecordError(
		`Field "${field.name}" (${field.id}): "${duplicate}" already exists.`,
	);
}

function validateField(field: Field, texts: string[], switches: Switches): void {
	const invalid = texts.find((text) => !fits(field, text, switches));
	if (invalid === undefined) return;
	const reason = field.rule?.message ?? `"${invalid}" is no ${field.type}`;
	throw new InvalidRecordError(`Field "${field.name}" (${field.id}): ${reason}.`);
}

function fits({ type, choices, rule }: Field, text: string, { unknownChoices }: Switches): boolean {
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
			return unknownChoices === 'stored' || choices === undefined || choices.includes(text);
		default:
			return true;
	}
}
