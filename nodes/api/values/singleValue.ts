import { isObject } from '../json/objects';
import { hasDateMembers, isDateLike, toServiceDate, type TimeZone } from './dates';
import { InputError } from './inputError';
import { shortened } from './text';

/** A duration in ISO 8601, such as `P3D` or `PT5H`. n8n converts Luxon Durations inside an object to this text. */
const durationText =
	/^[+-]?P(?=[-+\dT])(?:[-+]?\d+(?:[.,]\d+)?[YMWD])*(?:T(?:[-+]?\d+(?:[.,]\d+)?[HMS])+)?$/;

/** The text of a Luxon Interval inside a longer text. */
const intervalText = /^\[\S+ – \S+\)$/;

const lengthOfTime = 'a length of time';

/** Name of a list with objects, such as the choices or links of another database. */
export const listOfObjects = 'a list of objects';

/** The text to which n8n converts an invalid Luxon DateTime inside an object. */
const invalidDateText = 'Invalid DateTime';
const invalidDate = 'an invalid date';

/**
 * Returns what a value is, for example `a list`, if it is neither a text, a number, true or false, a date nor empty. Returns
 * undefined otherwise. The words complete "the expression returned …".
 */
export function unusableValue(value: unknown): string | undefined {
	if (typeof value === 'number') {
		if (Number.isNaN(value)) return '"not a number"';
		return Number.isFinite(value) ? undefined : '"Infinity"';
	}
	if (value === invalidDateText) return invalidDate;
	if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
	return typeof value === 'object' && value !== null ? unusableObject(value) : undefined;
}

/** Returns what an object or a list is; undefined for a date. */
function unusableObject(value: object): string | undefined {
	if (isDateLike(value)) return undefined;
	if (Array.isArray(value)) return 'a list';
	if (hasDateMembers(value)) return invalidDate;
	if (isFile(value)) return 'a file';
	return isLengthOfTime(value) ? lengthOfTime : 'an object';
}

/** Returns whether an object is a file of an n8n item, such as `$binary.data`. */
function isFile(value: object): boolean {
	return 'mimeType' in value && 'data' in value;
}

/** Like `unusableValue`, for places where a text is expected, so that a date is not usable, either. */
export function unusableText(value: unknown): string | undefined {
	const isDate = typeof value === 'object' && isDateLike(value);
	return isDate ? 'a date' : unusableValue(value);
}

/** Returns whether a text is a duration, or an interval of two dates, in ISO 8601 or as Luxon writes it. */
export function isLengthText(text: string): boolean {
	if (intervalText.test(text.trim())) return true;
	const [start = '', end, ...rest] = text.trim().split('/');
	if (end === undefined) return durationText.test(start);
	const isBound = (bound: string) => isDateLike(bound) && bound.includes('-');
	return (
		rest.length === 0 && [start, end].every((part) => isBound(part) || durationText.test(part))
	);
}

/** Maximum number of characters that a message quotes of a value. */
const maxQuotedCharacters = 60;

/** Returns what a value is, for example `a list`, or quotes a usable value. */
export function quotedValue(value: unknown): string {
	return unusableValue(value) ?? `'${shortened(String(value), maxQuotedCharacters)}'`;
}

/** Returns the advice for a value that cannot be used. `what` is a result of `unusableValue`. */
export function adviceFor(what: string): string {
	if (what === lengthOfTime) return unitAdvice;
	if (what === listOfObjects) {
		return 'Choose one value of each object, e.g. {{ $json.tags.map((tag) => tag.name) }}.';
	}
	if (what === 'a list') return 'Choose one value of the list, e.g. {{ $json.values[0] }}.';
	if (what === 'a date') return "Convert it to a text, e.g. {{ $now.toFormat('yyyy-MM-dd') }}.";
	if (what === 'a file') {
		return 'A file is not a value. To send it, enter the name of its input data field, e.g. data.';
	}
	if (what === 'an object') return 'Choose one of its values, e.g. {{ $json.customer.name }}.';
	const zone =
		what === invalidDate ? " The time zone in the workflow's settings must exist, too." : '';
	return `Check the expression, and what it returns for this item.${zone}`;
}

/** Advice for a length of time in place of a date or a number. */
export const unitAdvice =
	"A length of time is not a date. Choose a unit, e.g. {{ $json.x.diff($now, 'days').days }}.";

/** Throws InputError if a parameter that needs a text is a list, an object, a date, NaN or Infinity. */
export function requireTextual(value: unknown, displayName: string): void {
	const what = unusableText(value);
	if (what === undefined) return;
	throw new InputError(
		`'${displayName}' needs a text, but the expression returned ${what}`,
		adviceFor(what),
	);
}

/**
 * Returns the value of a parameter that needs a text. A date object becomes a text in the service's format, in the time zone.
 * Throws InputError as `requireTextual` for any other value that is no text.
 */
export function textualValue(value: unknown, displayName: string, timeZone: TimeZone): unknown {
	const date = typeof value === 'object' ? toServiceDate(value, timeZone) : undefined;
	if (date === undefined) requireTextual(value, displayName);
	return date ?? value;
}

/** Returns whether an object is a Luxon Duration or Interval. Luxon cannot be imported here. */
function isLengthOfTime(value: object): boolean {
	const { toMillis, toDuration }: Record<string, unknown> = isObject(value) ? value : {};
	return typeof toMillis === 'function' || typeof toDuration === 'function';
}
