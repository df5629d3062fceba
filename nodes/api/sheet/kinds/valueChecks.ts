import type { JsonValue } from '../../json/orderedJson';
import { fromServiceDate, isDateLike } from '../../values/dates';
import { InputError, ValueError } from '../../values/inputError';
import { dateTimeForm, numberForm, switchForm } from '../../values/normalForm';
import { adviceFor, isLengthText, unitAdvice } from '../../values/singleValue';
import { shortened, textOf } from '../../values/text';
import { dateExample } from './dateAdvice';

/** Maximum number of characters of a value that a message quotes. */
const maxQuotedCharacters = 60;

/** Difference by which the service may round decimals; relative for numbers below 1. */
const decimalTolerance = 1e-9;
/** Relative difference by which floating-point arithmetic may round a number. */
const floatTolerance = 1e-14;

/** The reason for refusing other values than dates or numbers: the values of the field in the newest records, or its type. */
type Basis = 'inferred' | 'known';

/** A value as a write sends it. An array is a multiple selection; '' clears the field. */
export type FieldValue = string | number | boolean | string[];

export const toDateForm = (text: string) => dateTimeForm(text) ?? text;
export const toNumberForm = (text: string) => numberForm(text) ?? text;
export const toSwitchForm = (text: string) => switchForm(text) ?? text;

/** Numbers in the format of the service. `0612`, `1e5` and `1,234` are texts in every field. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns the number in a text if JavaScript can represent it exactly; undefined for any other text. */
export function exactNumber(text: string): number | undefined {
	if (!plainNumber.test(text)) return undefined;
	const number = Number(text);
	// Convert -0 to 0.
	return numberForm(String(number)) === numberForm(text) ? number + 0 : undefined;
}

/**
 * Returns whether a value is a whole number of more digits than JavaScript can hold, such as a long ID: its last digits may have been
 * lost before. Not for numbers that JavaScript writes with an exponent, which are no IDs.
 */
export function isInexact(value: unknown): boolean {
	return Number.isInteger(value) && !Number.isSafeInteger(value) && !String(value).includes('e');
}

/** Returns a number that JavaScript writes with an exponent, such as `1.2e-7`, as a text with all digits; any other number unchanged. */
export function withoutExponent(number: number): number | string {
	const [, sign = '', first = '', rest = '', exponent] =
		/^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(number)) ?? [];
	if (exponent === undefined) return number;
	const digits = first + rest;
	const point = 1 + Number(exponent);
	return sign + (point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`);
}

/**
 * Returns whether two texts of numbers mean the same number. The service may round decimals from about the tenth, and digits that a
 * floating-point number does not hold. Not for empty texts.
 */
export function isSameNumber(saved: string, sent: string): boolean {
	if (toNumberForm(saved) === toNumberForm(sent)) return true;
	const isWhole = [saved, sent].every((text) => /^-?\d+$/.test(text));
	const size = Math.abs(Number(sent));
	const tolerance = Math.max(Math.min(size, 1) * decimalTolerance, size * floatTolerance);
	return !isWhole && Math.abs(Number(saved) - Number(sent)) <= tolerance;
}

/** Compares two texts as numbers. Returns undefined if one of them is not a number. */
export function compareNumbers(left: string, right: string): number | undefined {
	const [first, second] = [numberForm(left), numberForm(right)];
	if (first === undefined || second === undefined) return undefined;
	return first === second ? 0 : Number(first) - Number(second);
}

/** Compares two texts by their UTF-16 code units: negative, zero or positive. */
export function compareTexts(left: string, right: string): number {
	return left < right ? -1 : Number(left > right);
}

/** Returns whether a stored selection has exactly these choices, in any order. A choice that is listed twice is one choice, and so is a single text. */
export function areSameChoices(stored: readonly JsonValue[], input: FieldValue): boolean {
	const single = input === '' ? [] : [String(input)];
	const choices = new Set(Array.isArray(input) ? input : single);
	const storedChoices = new Set(stored.map((choice) => scalarTextOf(choice) ?? ''));
	return (
		storedChoices.size === choices.size && [...choices].every((text) => storedChoices.has(text))
	);
}

/** Returns the text of a value, a number with all digits; undefined for lists, objects and null. */
export function scalarTextOf(value: unknown): string | undefined {
	if (typeof value === 'number') return String(withoutExponent(value));
	if (typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the first non-empty text, number or boolean in a value, as text, that is neither a date of the service nor an ISO 8601
 * date. Skips objects.
 */
export function firstTextWithoutDate(value: unknown): string | undefined {
	const isDate = (text: string) => isDateLike(text) || fromServiceDate(text) !== undefined;
	return [value]
		.flat()
		.map(textOf)
		.find((text) => text !== '' && !isDate(text));
}

/**
 * Throws InputError if a text, number or boolean, or one in an array, is not a date in the format of the service or ISO 8601.
 * Accepts empty values and any object (see `ValueKind.format`). `place` is the quoted name of the field. `basis` says how it is
 * known that the field holds only dates.
 */
export function requireDate(value: unknown, place: string, basis: Basis): void {
	const wrong = firstTextWithoutDate(value);
	if (wrong === undefined) return;
	const advice = isLengthText(wrong)
		? unitAdvice
		: `Write 2026-01-31, 2026-01-31T09:30 or, as the service does, 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ ${dateExample(wrong, `$json['${nameIn(place)}']`)} }}.`;
	throw new ValueError(
		`'${shortened(wrong, maxQuotedCharacters)}' is not a valid date for ${place}`,
		advice + exceptionFor(basis, 'dates'),
	);
}

/** Returns the advice for a value that is right although no value of the newest records is like it. */
function exceptionFor(basis: Basis, values: 'dates' | 'numbers'): string {
	if (basis === 'known') return '';
	return ` The newest records hold only ${values} in this field. If it may hold texts, enter one in one of the newest records first.`;
}

/** Returns the first quoted name in the name of a place, without a field ID, for the example in advice. */
function nameIn(place: string): string {
	const [, name = 'date'] = /^'(.*?)(?: \(\d+\))?'(?: |$)/.exec(place) ?? [];
	return name.replace(/[\\']/g, '\\$&');
}

/**
 * Returns the first non-empty text or boolean in a value, as text, that is not a plain decimal number, with or without commas
 * between thousands. Skips other values.
 */
export function firstTextWithoutNumber(value: unknown): string | undefined {
	return [value]
		.flat()
		.filter((element) => typeof element === 'string' || typeof element === 'boolean')
		.map(textOf)
		.find((text) => text !== '' && numberForm(text) === undefined);
}

/**
 * Throws InputError if a text or boolean, or one in an array, is not a number. `place` is the quoted name of the field. `basis` says how it is
 * known that the field holds only numbers.
 */
export function requireNumber(value: unknown, place: string, basis: Basis): void {
	const wrong = firstTextWithoutNumber(value);
	if (wrong === undefined) return;
	const advice = isLengthText(wrong)
		? unitAdvice
		: `Write 1234.5 or 1,234.5, without a percent sign, unit or currency.${commaAdvice(wrong, place)}`;
	throw new ValueError(
		`'${shortened(wrong, maxQuotedCharacters)}' is not a number for ${place}`,
		advice + exceptionFor(basis, 'numbers'),
	);
}

/** Returns advice for a number with a decimal comma; empty for any other text. */
function commaAdvice(text: string, place: string): string {
	if (!/,\d{1,2}\D*$/.test(text)) return '';
	return ` Convert a decimal comma with an expression, e.g. {{ $json['${nameIn(place)}'].replace(/[^\\d,-]/g, '').replace(',', '.') }}.`;
}

/** Returns the error for a value that cannot be used. `what` is a result of `unusableValue`. */
export function unwritable(place: string, what: string): InputError {
	return new InputError(
		`The value of ${place} cannot be used: the expression returned ${what}`,
		`${adviceFor(what)} A field takes a text, a number, true or false, or a date; a multiple selection takes a list of texts.`,
	);
}

/** Returns the error for a number whose last digits may have been lost: it would find other records. `which` says which number. */
export function inexactNumber(which: string): InputError {
	return new InputError(
		`The number ${which} has more digits than a number in n8n holds, so its last digits are not certain`,
		'Let the node before return it as a text.',
	);
}

/** Returns the error for several values in a field that holds a single one. */
export function severalValues(place: string, texts: readonly string[]): InputError {
	return new InputError(
		`The value of ${place} is a list of ${texts.length} values, but the field holds one: ${shortened(texts.join(', '), maxQuotedCharacters)}`,
		adviceFor('a list'),
	);
}
