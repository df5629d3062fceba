import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { isFieldId } from '../schema/fields';
import { dateTimeForm, valueForm } from '../values/normalForm';
import { subtableKey } from '../values/subtableKeys';
import { isBlank, isMasked, looksRendered, markupEnd } from '../values/text';
import type { FieldValues, RecordContent, ValueNote } from './recordContent';

/**
 * Returns what is to be said of a write: values that the saved record shows otherwise than they were sent, and those
 * that were left out and are not what it holds. In doubt they are the same, as markup that is shown as HTML may be.
 *
 * @param saved by field ids
 * @param isShifted whether its times are told in another time zone than what was given
 */
export function notesOn(
	saved: JsonObject | undefined,
	{ changes, notes = [] }: Pick<RecordContent, 'changes' | 'notes'>,
	isShifted = false,
): ValueNote[] {
	const isLost = ({ reason, fieldId, subtableId, rowId = '', value }: ValueNote): boolean => {
		if (reason === 'noChoice' || reason === 'noRow') return true;
		if (fieldId === undefined || !saved || ![...saved.keys()].some(isFieldId)) return false;
		const rows = subtableId === undefined ? undefined : saved.get(subtableKey(subtableId));
		const own = isJsonObject(rows) ? (rows.get(rowId) ?? [...rows.values()]) : (rows ?? []);
		const holders = (subtableId === undefined ? [saved] : [own].flat()).filter(isJsonObject);
		const isSent = reason === 'notKept';
		const showing = holders.filter((fields) => isSent || fields.has(fieldId));
		if (showing.length === 0) return false;
		return !showing.some((fields) => isKept(fields.get(fieldId), value, isSent, isShifted));
	};
	return [...sentValues(changes), ...notes].filter(isLost);
}

function sentValues({ fields, subtables }: RecordContent['changes']): ValueNote[] {
	const notes: ValueNote[] = [];
	const add = (values: FieldValues, row?: { subtableId: string; rowId: string }) => {
		for (const [fieldId, value] of values) {
			notes.push({ name: fieldId, reason: 'notKept', fieldId, value, ...row });
		}
	};
	add(fields);
	for (const [subtableId, rows] of subtables) {
		for (const [rowId, values] of rows) add(values, { subtableId, rowId });
	}
	return notes;
}

function isKept(
	saved: JsonValue | undefined,
	given: unknown,
	isSent: boolean,
	isShifted: boolean,
): boolean {
	const own = [saved].flat().filter((value) => !isBlank(value));
	const others = [given].flat().filter((value) => !isBlank(value));
	if ([...own, ...others].some((value) => isMasked(value) || typeof value === 'object'))
		return true;
	const texts = own.map(String);
	const isSame = (other: string) =>
		texts.some((text) => {
			if (isShifted && [text, other].every((time) => dateTimeForm(time))) return true;
			return isSameText(text, other, isSent);
		});
	// Several choices may come as one text.
	const isJoined = texts.length === 1 && others.every((other) => texts[0]?.includes(String(other)));
	return others.length === own.length ? others.map(String).every(isSame) : isJoined && isSent;
}

/** Whether a text is shown as one that was given: a field may cut the time off a date, and show markup as HTML. */
function isSameText(text: string, given: string, isSent: boolean): boolean {
	if (valueForm(text) === valueForm(given)) return true;
	if (dateTimeForm(text) !== undefined && given.startsWith(text)) return true;
	if (Math.abs(Number(text) - Number(given)) <= Math.abs(Number(given)) * 1e-9) return true;
	const isRich = [text, given].map(looksRendered);
	return isSent ? isRich.includes(true) || markupEnd.test(given) : isRich[0] !== isRich[1];
}
