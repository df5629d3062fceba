import { getOrInsert } from '../../json/objects';
import { isJsonObject, type JsonValue } from '../../json/orderedJson';
import { withRows, type SheetRecord } from '../../read/record';
import { fromServiceDate } from '../../values/dates';
import { isSurelyFile } from '../../values/fileNames';
import { numberForm, switchForm } from '../../values/normalForm';
import { isMasked, looksRendered } from '../../values/text';
import { checkboxTexts, countOfMainPair, switchSpellings } from '../kinds/checkbox';
import type { Field } from '../fields';
import { scalarTextOf } from '../kinds/valueChecks';
import { kindNamed, type FieldKinds } from '../kinds/valueKinds';
import { ValueKind } from '../kinds/valueKind';
import { sameness, writtenNumber } from '../kinds/sameness';

/** The apparent kind of a single value. */
type Look = 'checkbox' | 'date' | 'dateTime' | 'list' | 'masked' | 'number' | 'richText' | 'text';

/**
 * Minimum number of values from which a field is inferred to hold only numbers, so that texts are refused. One or two numbers may be
 * the first values of a field for any text.
 */
const minNumbersToRefuseTexts = 3;

/**
 * Kinds of a field with dates only. One date suffices: a text in a date field may be lost, and the format of the service hardly
 * occurs in a field for texts.
 */
const probablyDate = new ValueKind({ ...kindNamed('date').traits, onlyDates: 'inferred' });
const probablyDateTime = new ValueKind({ ...kindNamed('dateTime').traits, onlyDates: 'inferred' });

/** Kinds of a field with mostly dates. Dates are converted, any other text is sent unchanged. */
const dateOrText = new ValueKind({ ...probablyDate.traits, onlyDates: undefined });
const dateTimeOrText = new ValueKind({ ...probablyDateTime.traits, onlyDates: undefined });

/** Kind of a field with numbers only. */
const probablyNumber = new ValueKind({
	...kindNamed('number').traits,
	onlyNumbers: 'inferred',
	sameness: sameness.inferredNumber,
});

/** Kind of a field with mostly numbers. Any other text is sent unchanged. */
const numberOrText = new ValueKind({ ...probablyNumber.traits, onlyNumbers: undefined });

/** Kind of a field with mostly words of a checkbox, such as `Yes` and `No`. */
const probablyCheckbox = new ValueKind({
	...kindNamed('checkbox').traits,
	sameness: sameness.inferredCheckbox,
	// The field may hold texts, which the service compares letter by letter, and records may have several words for true.
	spellings: switchSpellings,
});

/** The kinds that can be inferred, by a name under which they can be stored. */
const inferable: Readonly<Record<string, ValueKind>> = {
	checkbox: probablyCheckbox,
	date: probablyDate,
	dateOrText,
	dateTime: probablyDateTime,
	dateTimeOrText,
	masked: kindNamed('masked'),
	multipleSelection: kindNamed('multipleSelection'),
	number: probablyNumber,
	numberOrText,
	richText: kindNamed('richText'),
	text: kindNamed('text'),
};

/** Returns the name under which an inferred kind can be stored; undefined for any other kind. */
export function nameOfInferredKind(kind: ValueKind): string | undefined {
	return Object.keys(inferable).find((name) => inferable[name] === kind);
}

/** Returns the inferred kind with a stored name; undefined for any other value. */
export function inferredKindNamed(name: unknown): ValueKind | undefined {
	const isName = typeof name === 'string' && Object.keys(inferable).includes(name);
	return isName ? inferable[name] : undefined;
}

/** Infers the kinds of fields from the majority of their values in records and rows. Fields without values are left out. */
export function inferredKinds(records: readonly SheetRecord[]): FieldKinds {
	const values = new Map<string, JsonValue[]>();
	for (const fields of records.flatMap(({ content }) => [...withRows(content)])) {
		for (const [key, value] of fields) getOrInsert(values, key, () => []).push(value);
	}
	const kinds = new Map<string, ValueKind>();
	for (const [key, list] of values) {
		const kind = kindOfValues(list);
		if (kind) kinds.set(key, kind);
	}
	return kinds;
}

/**
 * Returns a multiple selection if a value is a list, otherwise the kind of most values, or text if no kind has a majority.
 * Returns undefined if all values are empty.
 */
function kindOfValues(values: readonly JsonValue[]): ValueKind | undefined {
	const looks = values.map(lookOf).filter((look) => look !== undefined);
	if (looks.length === 0) return undefined;
	const count = (...counted: Look[]) => looks.filter((look) => counted.includes(look)).length;
	const isMajority = (...counted: Look[]) => count(...counted) > looks.length / 2;
	// Only multiple selections have lists as values. A single choice may be returned as text.
	if (count('list') > 0) return kindNamed('multipleSelection');
	if (isMajority('date', 'dateTime')) return kindOfDates(looks);
	if (isMajority('number') && !lookLikeVersions(values)) {
		const isClean = count('number') === looks.length;
		const isEnough = looks.length >= minNumbersToRefuseTexts;
		return isClean && isEnough ? probablyNumber : numberOrText;
	}
	// 1 and 0 have the look of numbers, so they never make a checkbox.
	const words = values.flatMap((value) => scalarTextOf(value) ?? []).filter(isCheckboxWord);
	if (countOfMainPair(words) > looks.length / 2) return probablyCheckbox;
	if (isMajority('masked')) return kindNamed('masked');
	return kindNamed(isMajority('richText') ? 'richText' : 'text');
}

/** Returns the kind of a field with dates in most of its values. */
function kindOfDates(looks: readonly Look[]): ValueKind {
	const [dates, times] = (['date', 'dateTime'] as const).map(
		(look) => looks.filter((counted) => counted === look).length,
	);
	const hasTimes = (times ?? 0) >= (dates ?? 0);
	const isClean = (times ?? 0) + (dates ?? 0) === looks.length;
	if (isClean) return hasTimes ? probablyDateTime : probablyDate;
	return hasTimes ? dateTimeOrText : dateOrText;
}

/** Returns whether numbers may be versions or codes: a number has two spellings, or all numbers have one decimal place. */
function lookLikeVersions(values: readonly JsonValue[]): boolean {
	const texts = values.flatMap((value) => scalarTextOf(value) ?? []);
	const numbers = [...new Set(texts)].filter((text) => writtenNumber.test(text));
	const hasTwoSpellings = new Set(numbers.map(numberForm)).size < numbers.length;
	return hasTwoSpellings || numbers.every((text) => /\.\d$/.test(text));
}

/** Returns the apparent kind of a value; undefined for an empty value. */
function lookOf(value: JsonValue): Look | undefined {
	if (value === '' || value === null || isJsonObject(value)) return undefined;
	if (!Array.isArray(value)) return lookOfText(String(value));
	const elements = value.filter((element) => element !== '');
	if (elements.length === 0) return undefined;
	return elements.every(isSurelyFile) ? 'text' : 'list';
}

const isCheckboxWord = (text: string) => switchForm(text) !== undefined;

function lookOfText(text: string): Look {
	const date = fromServiceDate(text);
	if (date !== undefined) return date.includes('T') ? 'dateTime' : 'date';
	if (writtenNumber.test(text)) return 'number';
	if (isCheckboxWord(text)) return 'checkbox';
	if (isMasked(text)) return 'masked';
	return looksRendered(text) ? 'richText' : 'text';
}

/** Returns whether a value is a date with a time in the service's format. */
export function isDateTimeValue(value: JsonValue): boolean {
	return lookOf(value) === 'dateTime';
}

/** The values of a field in records or their rows. */
export interface ObservedValues {
	/** Distinct texts in natural order, without masked texts. */
	choices: string[];
	/** The kind that the values suggest: files, or a selection of few choices. */
	kind?: ValueKind;
}

/** Maximum number of choices, and of words in each, for a field of unknown type to count as a selection. */
const maxChoices = 8;
const maxWords = 3;
/** Average number of records that must hold each choice of such a field. */
const minRepeats = 5;

/** Returns the values of fields by field ID; without fields that are empty in all records. */
export function observedValues(
	records: readonly SheetRecord[],
	fields: readonly Field[],
): Map<string, ObservedValues> {
	// "Line 2" before "Line 10". Made here, because `localeCompare` makes one for each comparison. Not made when n8n starts,
	// because the first one takes as long as loading thirty modules.
	const naturalOrder = new Intl.Collator('en', { numeric: true });
	const observed = new Map<string, ObservedValues>();
	const contents = records.flatMap(({ content }) => [...withRows(content)]);
	for (const { fieldId } of fields) {
		const values = contents
			.filter((fields) => fields.has(fieldId))
			.map((fields) => fields.get(fieldId));
		const texts = values.flatMap(textsIn).filter((text) => text !== '' && !isMasked(text));
		const choices = [...new Set(texts)];
		choices.sort(naturalOrder.compare);
		if (choices.length === 0) continue;
		const isRepeated =
			choices.length <= maxChoices &&
			texts.length >= minRepeats * Math.max(choices.length, 2) &&
			texts.length > values.length / 2 &&
			choices.every((text) => text.split(/\s/).length <= maxWords) &&
			!values.some(Array.isArray);
		if (choices.every(isSurelyFile)) observed.set(fieldId, { choices, kind: kindNamed('file') });
		else observed.set(fieldId, { choices, kind: isRepeated ? kindNamed('selection') : undefined });
	}
	return observed;
}

/** Returns the words of a checkbox that a field holds in records and rows, most frequent first. */
export function observedCheckboxWords(records: readonly SheetRecord[], fieldId: string): string[] {
	const contents = records.flatMap(({ content }) => [...withRows(content)]);
	return checkboxTexts(contents.flatMap((fields) => textsIn(fields.get(fieldId))));
}

function textsIn(value: JsonValue | undefined): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (value === undefined || isJsonObject(value)) return [];
	return [scalarTextOf(value) ?? ''];
}
