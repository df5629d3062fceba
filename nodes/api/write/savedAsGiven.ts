import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { isFieldId } from '../sheet/fields';
import { scalarTextOf } from '../sheet/kinds/valueChecks';
import { mayBeUnchanged, kindIn } from '../sheet/kinds/valueKinds';
import type { ValueKind } from '../sheet/kinds/valueKind';
import { decodeHtmlEntities } from '../values/htmlEntities';
import { dateTimeForm } from '../values/normalForm';
import { isBlank, isMasked, looksRendered, markupEnd } from '../values/text';
import { isSentNote, valuesOf } from './recordContent';
import type { FilePlace, RecordContent, ValueNote } from './recordContent';

/**
 * Returns a note on each sent value that the saved record does not have. Values are compared by the kind of the field, or exactly
 * if the kind is unknown. Returns a given note on a left-out value only if the saved record has the field with another value, not
 * just in another format. Given notes on sent values (`isSentNote`) and with the reasons `noRow` and `emptyRow` are always returned. Without `saved`,
 * or if its keys are not field IDs, nothing can be compared, so no other note is returned.
 *
 * @param isShifted whether the saved record has times of another time zone; any two date-times then count as equal
 */
export function notesOn(
	saved: JsonObject | undefined,
	{ changes, notes = [], kinds }: Pick<RecordContent, 'changes' | 'kinds' | 'notes'>,
	isShifted = false,
): ValueNote[] {
	const sent = [...valuesOf(changes)].map((place): ValueNote => {
		return { ...place, name: place.fieldId, reason: 'notKept' };
	});
	const isComparable = saved !== undefined && [...saved.keys()].some(isFieldId);
	return [...sent, ...notes].filter((note) => {
		const { reason, fieldId = '', value } = note;
		if (isSentNote(reason) || reason === 'noRow' || reason === 'emptyRow') return true;
		if (!isComparable) return false;
		const isSent = reason === 'notKept';
		const kind = isSent ? kindIn(kinds, { fieldId }) : undefined;
		const places = savedPlacesOf(saved, note).filter((values) => isSent || values.has(fieldId));
		const isSaved = (values: JsonObject) => isKept(values.get(fieldId), value, kind, isShifted);
		return places.length > 0 && !places.some(isSaved);
	});
}

/**
 * Returns a note on each sent file whose field has fewer files in the saved record than were sent. A file with another name counts
 * as saved, because the service may change names, and a field that the saved record lacks proves nothing, because the service may
 * name new files beside it. Files in rows of an unknown subtable are not checked, nor is anything without `saved`, or if its keys
 * are not field IDs.
 */
export function notesOnFiles(saved: JsonObject | undefined, files: readonly FilePlace[]) {
	if (!saved || ![...saved.keys()].some(isFieldId)) return [];
	return files.flatMap(({ fieldId, rowId, subtableId }): ValueNote[] => {
		if (rowId !== undefined && subtableId === undefined) return [];
		const note: ValueNote = { fieldId, rowId, subtableId, name: fieldId, reason: 'notKept' };
		const places = savedPlacesOf(saved, note).filter((values) => values.has(fieldId));
		const sent = files.filter((other) => other.fieldId === fieldId && other.rowId === rowId);
		const hasAll = places.some((values) => valuesIn(values.get(fieldId)).length >= sent.length);
		return places.length > 0 && !hasAll ? [note] : [];
	});
}

/** Returns the places where a value may have been saved: the record, its row or, for a new row, all rows of the subtable. */
function savedPlacesOf(saved: JsonObject, { subtableId, rowId = '' }: ValueNote): JsonObject[] {
	if (subtableId === undefined) return [saved];
	const rows = rowsOf(saved, subtableId);
	const places = rows?.get(rowId) ?? [...(rows?.values() ?? [])];
	return [places].flat().filter(isJsonObject);
}

/**
 * Returns whether a saved value means the same as the value of the input, or cannot be compared with it. `kind` is undefined for
 * values that were left out of the write.
 */
function isKept(
	saved: JsonValue | undefined,
	input: unknown,
	kind: ValueKind | undefined,
	isShifted: boolean,
): boolean {
	const savedValues = valuesIn(saved);
	const givenValues = valuesIn(input);
	const cannotBeCompared = (value: unknown) => typeof value === 'object';
	if (savedValues.some(isMasked)) return true;
	if ([...savedValues, ...givenValues].some(cannotBeCompared)) return true;
	if (input === undefined) return savedValues.length > 0;
	// A choice that is given twice may be saved once.
	const savedTexts = [...new Set(savedValues.map((value) => scalarTextOf(value) ?? ''))];
	const givenTexts = [...new Set(givenValues.map(String))];
	// Several choices may be returned as one text, in any order.
	const [joined = ''] = savedTexts;
	if (savedTexts.length === 1 && givenTexts.length > 1) {
		return sortedParts(joined) === sortedParts(givenTexts.join());
	}
	if (savedTexts.length !== givenTexts.length) return false;
	const isTime = (text: string) => isShifted && dateTimeForm(text) !== undefined;
	const isSame = (savedText: string, givenText: string) =>
		(isTime(savedText) && isTime(givenText)) ||
		(kind ? kind.isKept(savedText, givenText) : isReadAs(savedText, givenText));
	return givenTexts.every((givenText) =>
		savedTexts.some((savedText) => isSame(savedText, givenText)),
	);
}

/**
 * Returns whether a read may return a given value as this saved value in any kind of field: masked, as HTML, in another spelling
 * or, if `isShifted`, with another time.
 */
export function mayBeReadAs(saved: JsonValue, given: JsonValue, isShifted: boolean): boolean {
	const isSame = (left: JsonValue, right: JsonValue) => isKept(left, right, undefined, isShifted);
	return isSame(saved, given) || isSame(given, saved);
}

function sortedParts(list: string): string {
	return list.split(/,\s*/).sort().join();
}

function valuesIn(value: unknown): unknown[] {
	return [value].flat().filter((element) => !isBlank(element));
}

/**
 * Returns whether a read may return a saved text in another format: a date, number or boolean in another spelling, or markup as
 * HTML.
 */
function isReadAs(saved: string, input: string): boolean {
	return (looksRendered(input) && isHtmlOf(input, saved)) || mayBeUnchanged(saved, input);
}

/** Returns whether a text may be the HTML of a saved text. True if the saved text has markup, which is not compared with HTML. */
function isHtmlOf(html: string, saved: string): boolean {
	if (markupEnd.test(saved)) return true;
	const withoutMarkup = decodeHtmlEntities(html.replace(/<br\s*\/?>/gi, '\n'));
	return withoutMarkup === saved;
}
