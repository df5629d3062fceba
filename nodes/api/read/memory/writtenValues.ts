import { copyText, type JsonObject, type JsonValue } from '../../json/orderedJson';
import { normalForm } from '../../values/normalForm';
import { isMasked } from '../../values/text';

/** Field ID → the texts that were written to the field, or a single text. Most fields have a single one. */
export type WrittenValues = Map<string, string | readonly string[]>;

/** Number of characters of a text that are compared. */
const maxComparedLength = 200;

/** Size in bytes of an entry of `WrittenValues` without its texts, and of a text without its characters. Measured in Node.js 24. */
const entryBytes = 60;
const textBytes = 24;

/**
 * Sets the values that were sent to a record or read from it, and those of the saved record. A sent value counts as written
 * together with the saved one. A known value stays if the saved value is only another format of it, such as HTML. A mask replaces
 * nothing, because another user may see the value.
 */
export function setWritten(
	written: WrittenValues,
	fields: Iterable<[string, JsonValue]>,
	saved: JsonObject = new Map(),
): void {
	for (const [id, value] of saved) {
		if (isMasked(value)) continue;
		const isKnown = written.has(id) && hasSameForm(written, id, value);
		if (!isKnown) written.set(id, textsToKeep(value));
	}
	for (const [id, value] of fields) {
		const returned = saved.get(id);
		const hasReturned = returned !== undefined && returned !== null;
		written.set(id, textsToKeep(hasReturned ? [value, returned] : value));
	}
}

function hasSameForm(written: WrittenValues, fieldId: string, value: JsonValue): boolean {
	const forms = normalForms(value);
	return writtenForms(written, fieldId)?.some((form) => forms.includes(form)) === true;
}

/** Returns the normal forms that were written to a field, or undefined if they are not known. */
export function writtenForms(
	written: WrittenValues | undefined,
	fieldId: string,
): readonly string[] | undefined {
	const texts = written?.get(fieldId);
	return texts === undefined ? undefined : [texts].flat().map(normalForm);
}

/** Returns the approximate size of written values in memory, in bytes. */
export function bytesOf(written: WrittenValues): number {
	let bytes = 0;
	for (const texts of written.values()) {
		bytes += entryBytes;
		for (const text of [texts].flat()) bytes += textBytes + bytesPerCharacter(text) * text.length;
	}
	return bytes;
}

/** Returns the size of a character in a text: V8 stores a text with other characters than those of Latin-1 as UTF-16. */
function bytesPerCharacter(text: string): number {
	return /[\u0100-\uffff]/.test(text) ? 2 : 1;
}

/** Returns the normal form of a value, or those of the choices of a multiple selection. Returns [''] for any empty value. */
export function normalForms(value: JsonValue | undefined): string[] {
	return comparedTexts(value).map(normalForm);
}

function textsToKeep(value: JsonValue): string | readonly string[] {
	const texts = comparedTexts(value);
	const [first = ''] = texts;
	return texts.length === 1 ? first : texts;
}

/** Returns the value as text, or the choices of a multiple selection. Shortens each text to the characters that are compared. */
function comparedTexts(value: JsonValue | undefined): string[] {
	if (Array.isArray(value) && value.length > 0) return value.flatMap(comparedTexts);
	return [copyText(String(value ?? '').slice(0, maxComparedLength))];
}
