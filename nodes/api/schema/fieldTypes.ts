import { getOrInsert, scalarText } from '../json/objects';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { fromServiceDate } from '../values/dates';
import { withRows, type SheetRecord } from '../read/record';
import { isFileType, isSurelyFile } from '../values/fileNames';
import { isMasked } from '../values/text';
import type { Field } from './fields';

/** What a field's type says about its dates; undefined when it is no date or its type is not known. */
export function dateForm(type: string | undefined): 'date' | 'dateTime' | undefined {
	const word = type?.toLowerCase().replace(/[^a-z]/g, '') ?? '';
	if (/^(datetime|timestamp)/.test(word)) return 'dateTime';
	return word.startsWith('date') ? 'date' : undefined;
}

/** Whether the service gives the field its value. */
export function isFilledIn({ readOnly, type }: Field): boolean {
	return readOnly === true || /^auto/i.test(type ?? '');
}

/** Whether the values of the field are one or more of a list of choices. */
export function isSelection({ type }: Pick<Field, 'type'>): boolean {
	return /select|choice|dropdown/i.test(type ?? '') || valueKind(type) === 'list';
}

/** Whether the field is known to hold files or images. */
export function holdsFiles({ type }: Field): boolean {
	return type !== undefined && isFileType(type);
}

/** What the values of a field are, where they are more than texts. */
export type ValueKind = 'number' | 'switch' | 'list' | 'other';

/** Returns the kind of a type's values; undefined for an unknown type. Automatic numbers are texts, such as `SO-0012`. */
export function valueKind(type: string | undefined): ValueKind | undefined {
	const word = type?.toLowerCase() ?? '';
	if (word === '') return undefined;
	if (/^(number|numeric|money|currency|integer|decimal)/.test(word)) return 'number';
	if (/^(check|bool)/.test(word)) return 'switch';
	return word.includes('multi') && !/line|text/.test(word) ? 'list' : 'other';
}

/** Infers the types of fields from most of their values in records and rows; without fields that are empty in all. */
export function inferredTypes(records: readonly SheetRecord[]): Map<string, string> {
	const counts = new Map<string, Record<ShownType, number>>();
	for (const fields of records.flatMap(({ content }) => [...withRows(content)])) {
		for (const [key, value] of fields) {
			const type = shownType(value);
			if (type === undefined) continue;
			const none = () => ({ date: 0, dateTime: 0, text: 0, multipleSelection: 0 });
			getOrInsert(counts, key, none)[type] += 1;
		}
	}
	const typeOf = ({ date, dateTime, text, multipleSelection }: Record<ShownType, number>) => {
		if (multipleSelection > 0) return 'multipleSelection';
		if (text >= date + dateTime) return 'text';
		const form = dateTime >= date ? 'dateTime' : 'date';
		return text > 0 ? `${form} or text` : form;
	};
	return new Map([...counts].map(([key, count]) => [key, typeOf(count)]));
}

/** Whether a field of the type is known to hold nothing but dates. */
export function holdsDatesOnly(type: string | undefined): boolean {
	return dateForm(type) !== undefined && type?.endsWith(' or text') !== true;
}

/** The values of a field in records or their rows. */
export interface ObservedValues {
	/** Each text once, in the order of people; masked ones are no choice. */
	choices: string[];
	/** The type that its values suggest. */
	type?: 'file' | 'selection';
}

/** A field of unknown type is a selection with so few choices, each held so often and of so few words, in more than half of the records. */
const mostChoices = 8;
const leastRepeats = 5;
const mostWords = 3;

/** Returns the values of fields by their ids; without fields that are empty in all records. */
export function observedValues(
	records: readonly SheetRecord[],
	fields: readonly Field[],
): Map<string, ObservedValues> {
	const observed = new Map<string, ObservedValues>();
	const holders = records.flatMap(({ content }) => [...withRows(content)]);
	for (const { fieldId } of fields) {
		const values = holders.filter((one) => one.has(fieldId)).map((one) => one.get(fieldId));
		const texts = values.flatMap(textsIn).filter((text) => text !== '' && !isMasked(text));
		const choices = [...new Set(texts)];
		choices.sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));
		if (choices.length === 0) continue;
		const isRepeated =
			choices.length <= mostChoices &&
			texts.length >= leastRepeats * Math.max(choices.length, 2) &&
			texts.length > values.length / 2 &&
			choices.every((text) => text.split(/\s/).length <= mostWords) &&
			!values.some(Array.isArray);
		const type = choices.every(isSurelyFile) ? 'file' : isRepeated ? 'selection' : undefined;
		observed.set(fieldId, { choices, type });
	}
	return observed;
}

type ShownType = 'date' | 'dateTime' | 'text' | 'multipleSelection';

/** The type that a value shows; undefined for an empty one. One choice, unlike several, may be shown without a list. */
export function shownType(value: JsonValue): ShownType | undefined {
	if (value === '' || value === null || isJsonObject(value)) return undefined;
	if (Array.isArray(value)) {
		const values = value.filter((element) => element !== '');
		if (values.length === 0) return undefined;
		return values.every(isSurelyFile) ? 'text' : 'multipleSelection';
	}
	const iso = typeof value === 'string' ? fromServiceDate(value) : undefined;
	if (iso === undefined) return 'text';
	return iso.includes('T') ? 'dateTime' : 'date';
}

function textsIn(value: JsonValue | undefined): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (value === undefined || isJsonObject(value)) return [];
	return [scalarText(value) ?? ''];
}
