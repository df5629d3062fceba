import { chosenIn } from '../read/selectionText';
import { listOf, type Field } from '../schema/fields';
import { dateForm, holdsDatesOnly, isSelection, valueKind } from '../schema/fieldTypes';
import { fromServiceDate, isDateLike, isLuxonText, toServiceDate } from '../values/dates';
import type { Clock } from '../values/dates';
import { InputError } from '../values/inputError';
import { textOf } from '../values/text';
import type { FieldValue } from './recordContent';

/** Returns a value parsed for its field: a text of choices as a list. Throws InputError for what is no date in a field of dates. */
export function parsedValue({ type, choices }: Field, key: string, value: unknown): unknown {
	if (holdsDatesOnly(type)) requireDate(key, value);
	return splitValue(type, value, choices) ?? value;
}

/** Whether a value would be refused, split into choices or taken for a date unless it was read so. */
export function isValidOnlyAsRead({ type, choices }: Field, value: unknown): boolean {
	const mayBeWrong = holdsDatesOnly(type) ? noDateIn(value) !== undefined : holdsDate(value);
	return mayBeWrong || splitValue(type, value, choices) !== undefined;
}

export function holdsDate(value: unknown): boolean {
	return [value].flat().some(isDateLike);
}

/** Returns a sentence on the first value that is none of the listed choices of a field; undefined when there is none. */
export function unknownChoice(field: Field, key: string, value: unknown): string | undefined {
	const { choices = [] } = isSelection(field) ? field : {};
	const texts = choices.length === 0 ? [] : [value].flat().map(String);
	const unknown = texts.find((text) => text !== '' && !choices.includes(text));
	return unknown && `'${unknown}' is not a choice of '${key}': ${listOf(choices)}`;
}

function splitValue(type: Field['type'], value: unknown, choices?: readonly string[]) {
	const isText = typeof value === 'string' && valueKind(type) === 'list';
	return isText ? chosenIn(value, choices) : undefined;
}

function noDateIn(value: unknown): string | undefined {
	const isDate = (text: string) => isDateLike(text) || fromServiceDate(text) !== undefined;
	const texts = [value].flat().map(textOf);
	return texts.find((text) => text !== '' && !isDate(text));
}

/** Throws InputError for what is no date in any form in which the service or n8n writes one. */
export function requireDate(key: string, value: unknown): void {
	const wrong = noDateIn(value);
	if (wrong === undefined) return;
	throw new InputError(
		`'${wrong}' for '${key}' is no date`,
		"Write 2026-01-31, 2026-01-31T09:30 or, as the service does, 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ DateTime.fromFormat('31.01.2026', 'dd.MM.yyyy') }}.",
	);
}

/** Returns a value in the service's form. Throws InputError for objects, NaN, and what may be a date or a text. */
export function fieldValue(field: Field, key: string, value: unknown, clock: Clock): FieldValue {
	if (Array.isArray(value)) {
		return value.map((element) => {
			if (Array.isArray(element)) throw unwritable(key);
			return String(fieldValue(field, key, element, clock));
		});
	}
	const form = dateForm(field.type);
	if (typeof value === 'object' || (form && isDateLike(value))) {
		const date = toServiceDate(value, clock, form);
		if (date !== undefined) return date;
	}
	if (field.type === undefined && isLuxonText(value)) {
		return toServiceDate(new Date(value), clock) ?? value;
	}
	if (typeof value === 'boolean' && valueKind(field.type) === 'switch') return switchText(value);
	const isText = typeof value === 'string';
	if (isText && field.type === undefined && isDateLike(value)) {
		throw new InputError(
			`'${value}' for '${key}' may be a date or a text: the service does not show this user the type of the field, and no record shows it`,
			"Write a date as the service does, e.g. 2026/01/31 or 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ DateTime.fromISO('2026-01-31') }}.",
		);
	}
	if (isText || typeof value === 'boolean') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	if (typeof value === 'bigint') return String(value);
	throw unwritable(key);
}

/** Returns what the service stores of a switch. */
export function switchText(isOn: boolean): string {
	return isOn ? 'Yes' : 'No';
}

function unwritable(key: string): InputError {
	return new InputError(
		`The value of '${key}' cannot be written: it must be a text, a number, true or false, a date, or an array of texts`,
	);
}
