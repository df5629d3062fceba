import { fromServiceDate, hoursBetween, isDateLike } from '../values/dates';
import { isFieldId, type Field } from './fields';
import { dateForm } from './fieldTypes';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { subtableOf } from '../values/subtableKeys';
import { looksRendered } from '../values/richText';

/** What a record shows of a field's type, where nothing else tells it, and of its times. */
export interface ReadForm extends Pick<Field, 'fieldId' | 'subtableId' | 'storedOffset'> {
	type: string;
}

/**
 * What a record tells of its fields when it is read twice, by ids: with the raw markup that is stored, and
 * as a read shows it. Fields whose values leave a doubt are left out.
 *
 * @param timeZone the hours of `tz` of the second reading
 */
export function readForms(
	stored: JsonObject,
	shown: JsonObject,
	timeZone: number | undefined,
	subtableId?: string,
): ReadForm[] {
	const forms: ReadForm[] = [];
	for (const [key, value] of stored) {
		const other = shown.get(key);
		const rowsId = subtableOf(key);
		if (rowsId !== undefined && isJsonObject(value) && isJsonObject(other)) {
			for (const [rowId, row] of value) {
				const shownRow = other.get(rowId);
				if (isJsonObject(row) && isJsonObject(shownRow)) {
					forms.push(...readForms(row, shownRow, timeZone, rowsId));
				}
			}
		} else if (isFieldId(key)) {
			const form = formOf(value, other, timeZone);
			if (form) forms.push({ fieldId: key, subtableId, ...form });
		}
	}
	return forms;
}

function formOf(
	stored: JsonValue,
	shown: JsonValue | undefined,
	timeZone: number | undefined,
): Pick<ReadForm, 'type' | 'storedOffset'> | undefined {
	if (typeof stored !== 'string' || typeof shown !== 'string') return undefined;
	const hours = hoursBetween(stored, shown);
	if (hours !== undefined) {
		return {
			type: 'dateTime',
			...(timeZone === undefined ? {} : { storedOffset: timeZone - hours }),
		};
	}
	if (stored !== shown) return { type: 'richText' };
	if (fromServiceDate(stored) !== undefined) return { type: 'date' };
	return isDateLike(stored) || looksRendered(stored) ? { type: 'text' } : undefined;
}

/**
 * The fields, with what the forms add of types and times; a field that was not listed is added. A text that
 * is stored as a date is read as one, whatever the type of its field.
 */
export function withReadForms(
	fields: readonly Field[],
	forms: readonly ReadForm[],
): readonly Field[] {
	if (forms.length === 0) return fields;
	const isOf = (field: Field) => (form: Field | ReadForm) =>
		form.fieldId === field.fieldId && form.subtableId === field.subtableId;
	const listed = fields.map((field) => {
		const form = forms.find(isOf(field));
		if (!form) return field;
		const isKnown = field.type !== undefined && (dateForm(field.type) || !dateForm(form.type));
		return { ...form, ...field, type: isKnown ? field.type : form.type, isSeen: true };
	});
	const others = forms
		.map((form) => ({ name: form.fieldId, ...form, isSeen: true }))
		.filter((form) => !listed.some(isOf(form)));
	return [...listed, ...others];
}
