import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { isFieldId } from '../schema/fields';
import { dateTimeForm, valueForm } from '../values/normalForm';
import { isBlank, isMasked, looksRendered, markupEnd } from '../values/text';
import { valuesOf, type RecordContent, type ValueNote } from './recordContent';

/**
 * Returns the notes on values that a saved record shows otherwise than they were sent, or than they were left out: in
 * doubt they are the same. With `isShifted`, its times are in another time zone than those that were sent.
 */
export function notesOn(
	saved: JsonObject | undefined,
	{ changes, notes = [] }: Pick<RecordContent, 'changes' | 'notes'>,
	isShifted = false,
): ValueNote[] {
	const sent = [...valuesOf(changes)].map((one): ValueNote => {
		return { ...one, name: one.fieldId, reason: 'notKept' };
	});
	return [...sent, ...notes].filter((note) => {
		const { reason, fieldId = '', value } = note;
		if (reason === 'noChoice' || reason === 'noRow') return true;
		if (!saved || ![...saved.keys()].some(isFieldId)) return false;
		const isSent = reason === 'notKept';
		const holders = holdersOf(saved, note).filter((own) => isSent || own.has(fieldId));
		const isKept = (own: JsonObject) => isSame(own.get(fieldId), value, isSent, isShifted);
		return holders.length > 0 && !holders.some(isKept);
	});
}

/** Returns where a value may have been saved: the record, a row or, for a new row, all rows of its subtable. */
function holdersOf(saved: JsonObject, { subtableId, rowId = '' }: ValueNote): JsonObject[] {
	if (subtableId === undefined) return [saved];
	const rows = rowsOf(saved, subtableId);
	const own = rows?.get(rowId) ?? [...(rows?.values() ?? [])];
	return [own].flat().filter(isJsonObject);
}

function isSame(
	saved: JsonValue | undefined,
	given: unknown,
	isSent: boolean,
	isShifted: boolean,
): boolean {
	const [own, others] = [valuesIn(saved), valuesIn(given)];
	if (own.some(isMasked) || [...own, ...others].some((one) => typeof one === 'object')) return true;
	if (given === undefined) return own.length > 0;
	const [texts, wanted] = [own.map(String), others.map(String)];
	// Several choices may come as one text.
	const [first = ''] = texts;
	const isJoined = texts.length === 1 && wanted.length > 1;
	if (isJoined) return isSent && wanted.every((other) => first.includes(other));
	if (texts.length !== wanted.length) return false;
	const isTime = (text: string) => isShifted && dateTimeForm(text) !== undefined;
	return wanted.every((other) =>
		texts.some((text) => (isTime(text) && isTime(other)) || isSameText(text, other, isSent)),
	);
}

function valuesIn(value: unknown): unknown[] {
	return [value].flat().filter((one) => !isBlank(one));
}

/** Whether a saved text stands for a sent one: a field may cut the time off a date, and show markup as HTML. */
function isSameText(text: string, given: string, isSent: boolean): boolean {
	if (/^0\d+$/.test(given) && text.length < given.length) return false;
	if (valueForm(text) === valueForm(given)) return true;
	if (dateTimeForm(text) !== undefined && given.startsWith(text)) return true;
	const isWhole = [text, given].every((one) => /^-?\d+$/.test(one));
	const difference = Math.abs(Number(text) - Number(given));
	if (!isWhole && difference <= Math.abs(Number(given)) * 1e-9) return true;
	const isRich = [text, given].map(looksRendered);
	if (isSent) return isRich.includes(true) || markupEnd.test(given);
	// What was left out as HTML may be shown as its markup, in which tags are texts.
	const shown = textWithoutMarkup(given);
	const isSameRich = isRich[0] !== isRich[1] && textWithoutMarkup(text) === shown;
	return isSameRich || textWithoutMarkup(text, /(?!)/g) === shown;
}

function textWithoutMarkup(text: string, tags = /<[^<>]*>/g): string {
	return text.replace(tags, '').replace(/\[[^[\]]*\]|&#?\w+;|[\s<>&"']/g, '');
}
