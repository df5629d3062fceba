import { isObject } from '../json/objects';
import { InputError } from './inputError';

/** A parsed date. If `isInstant` is false, it is a wall-clock time, and its milliseconds are computed as if it were in UTC. */
interface DateReading {
	/** Milliseconds since 1970. The service stores whole seconds. */
	milliseconds: number;
	isInstant: boolean;
	hasTime: boolean;
	isUtc: boolean;
}

/** A time zone: a UTC offset in hours, or an IANA zone name. */
export type TimeZone = { offsetHours: number } | { zone: string };

/** A date in ISO 8601. The minutes of the offset are optional. */
const isoText =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:[.,]\d+)?)?\s*(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)?)?$/;
/** Date and time of an ISO 8601 text. The service has no format for years without four digits. */
const wallClockText = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})/;
const luxonText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;
/** A date of the service. Some accounts leave out leading zeros: `2026/6/5`. */
const serviceText = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?: (\d{1,2}):(\d{2})(:\d{2})?)?$/;

/**
 * Returns a date object or ISO 8601 text in the service's format (specification, "Value formats"); undefined for any other
 * value. A point in time is converted to the time zone; a text without offset is kept as written. Exception: if `form` is
 * `date`, midnight UTC (a `Date`, or a value with offset zero) keeps its UTC day, because databases return dates that way.
 *
 * @param form date or date-time; if undefined, a text without a time and an object at midnight in the time zone become a date
 */
export function toServiceDate(
	value: unknown,
	timeZone: TimeZone,
	form?: 'date' | 'dateTime',
): string | undefined {
	const reading = readDate(value);
	if (!reading) return undefined;
	const isDay = form === 'date' && reading.isUtc && reading.milliseconds % 86_400_000 === 0;
	const zone = reading.isInstant && !isDay ? timeZone : { offsetHours: 0 };
	const parts = wallClockParts(reading.milliseconds, zone);
	if (!parts) return undefined;
	const { day, time } = parts;
	const midnightMeansDate = typeof value === 'object' && time === '00:00:00';
	const inferredForm = reading.hasTime && !midnightMeansDate ? 'dateTime' : 'date';
	return (form ?? inferredForm) === 'dateTime' ? `${day} ${time}` : day;
}

/** Returns the date and the time in a time zone, in the service's format; undefined outside the range of dates. */
function wallClockParts(
	milliseconds: number,
	timeZone: TimeZone,
): { day: string; time: string } | undefined {
	const [, date, time] = wallClockText.exec(wallClock(milliseconds, timeZone)) ?? [];
	if (date === undefined || time === undefined) return undefined;
	return { day: date.replace(/-/g, '/'), time };
}

/**
 * Returns a date or date-time of the service in ISO 8601; undefined for any other text. A date-time gets the offset, if one is
 * given.
 */
export function fromServiceDate(text: string, offsetHours?: number): string | undefined {
	const [, year, month = '', dayOfMonth = '', hour, minute = '', second = ':00'] =
		serviceText.exec(text) ?? [];
	if (year === undefined) return undefined;
	const two = (digits: string) => digits.padStart(2, '0');
	const time = hour === undefined ? undefined : `${two(hour)}:${minute}`;
	const iso = `${year}-${two(month)}-${two(dayOfMonth)}${time === undefined ? '' : `T${time}${second}`}`;
	if (readIsoText(iso) === undefined) return undefined;
	return time === undefined || offsetHours === undefined ? iso : `${iso}${offsetText(offsetHours)}`;
}

/** Returns a date of the service with leading zeros and seconds (specification, "Value formats"); undefined for any other text. */
export function fullServiceDate(text: string): string | undefined {
	return fromServiceDate(text)?.replaceAll('-', '/').replace('T', ' ');
}

/**
 * Returns the stored time of a date-time that was read with `tz`: the value minus `hours`, in the service's format. The value
 * must be a date-time in the service's format, or in ISO 8601 with the offset `offsetHours`. Returns undefined otherwise.
 */
export function storedTime(value: unknown, offsetHours: number, hours: number): string | undefined {
	const stored = new Date((wallClockMilliseconds(value, offsetHours) ?? NaN) - hours * 3_600_000);
	return toServiceDate(stored, { offsetHours: 0 }, 'dateTime');
}

/** Returns the hours between two date-times of the service, or undefined if one of the values is not a date-time. */
export function hoursBetween(earlier: unknown, later: unknown): number | undefined {
	const from = wallClockMilliseconds(earlier);
	const to = wallClockMilliseconds(later);
	return from === undefined || to === undefined ? undefined : (to - from) / 3_600_000;
}

/**
 * Returns a date-time in the service's format, or in ISO 8601 with the offset `offsetHours`, in milliseconds as if it were in
 * UTC. Returns undefined for any other value.
 */
function wallClockMilliseconds(value: unknown, offsetHours = 0): number | undefined {
	if (typeof value !== 'string') return undefined;
	const offset = offsetText(offsetHours);
	const iso = value.endsWith(offset) ? value.slice(0, -offset.length) : fromServiceDate(value);
	const reading = readIsoText(iso ?? '');
	return reading?.hasTime && !reading.isInstant ? reading.milliseconds : undefined;
}

/** Returns whether a value is a text in the format to which n8n converts Luxon values inside an object. */
export function isLuxonText(value: unknown): value is string {
	return typeof value === 'string' && luxonText.test(value);
}

/** Returns whether a value is a date object or a text in ISO 8601. */
export function isDateLike(value: unknown): boolean {
	return readDate(value) !== undefined;
}

/** Returns whether a value is a date object or a text in ISO 8601 with a time. Midnight without an offset from UTC is a day. */
export function hasTimeOfDay(value: unknown): boolean {
	const { hasTime = false, isInstant = false, milliseconds = 0 } = readDate(value) ?? {};
	return hasTime && (isInstant || milliseconds % 86_400_000 !== 0);
}

function readDate(value: unknown): DateReading | undefined {
	if (typeof value === 'string') return readIsoText(value.trim());
	if (!isObject(value) || !hasDateMembers(value)) return undefined;
	const { toMillis, offset } = value;
	const isDate = value instanceof Date;
	const ofLuxon = typeof toMillis === 'function' ? Number(toMillis.call(value)) : NaN;
	const milliseconds = isDate ? value.getTime() : ofLuxon;
	if (!Number.isFinite(milliseconds)) return undefined;
	return { milliseconds, isInstant: true, hasTime: true, isUtc: isDate || offset === 0 };
}

/**
 * Returns whether an object is a `Date` or a Luxon DateTime, valid or not. A DateTime is recognized by its members, because Luxon
 * cannot be imported here: of all Luxon objects with `toMillis`, only a DateTime has a time zone.
 */
export function hasDateMembers(value: object): boolean {
	if (value instanceof Date) return true;
	const { toMillis, zone, offset }: Record<string, unknown> = isObject(value) ? value : {};
	return typeof toMillis === 'function' && (zone !== undefined || offset !== undefined);
}

function readIsoText(text: string): DateReading | undefined {
	const [, day, time, second = ':00', utc, hours, minutes = '00'] = isoText.exec(text) ?? [];
	if (day === undefined) return undefined;
	const wall = `${day}T${time ?? '00:00'}${second}`;
	const inUtc = Date.parse(`${wall}Z`);
	// Date.parse accepts February 30 as March 2. Reject it.
	if (new Date(inUtc).getUTCDate() !== Number(day.slice(-2))) return undefined;
	const offset = utc ?? (hours === undefined ? undefined : `${hours}:${minutes}`);
	const milliseconds = offset === undefined ? inUtc : Date.parse(`${wall}${offset}`);
	if (!Number.isFinite(milliseconds)) return undefined;
	const isUtc = milliseconds === inUtc;
	return { milliseconds, isInstant: offset !== undefined, hasTime: time !== undefined, isUtc };
}

/**
 * Returns the wall-clock time in a time zone, as `yyyy-MM-dd HH:mm:ss` or in ISO 8601; an empty text outside the range of dates.
 * Throws InputError if there is no such time zone.
 */
function wallClock(milliseconds: number, timeZone: TimeZone): string {
	const hours = 'offsetHours' in timeZone ? timeZone.offsetHours : 0;
	const date = new Date(milliseconds + Math.round(hours * 60) * 60_000);
	if (!Number.isFinite(date.getTime())) return '';
	if ('offsetHours' in timeZone) return date.toISOString();
	const text = textInZone(date, timeZone.zone);
	if (text !== undefined) return text;
	const message = `The workflow's time zone '${timeZone.zone}' does not exist`;
	throw new InputError(message, undefined, 'chooseTimeZone');
}

/** Returns the wall-clock time in a time zone; undefined if there is no such time zone. */
function textInZone(date: Date, timeZone: string): string | undefined {
	try {
		// The Swedish locale formats dates in the order of ISO 8601.
		return date.toLocaleString('sv-SE', { timeZone });
	} catch {
		return undefined;
	}
}

function offsetText(hours: number): string {
	const minutes = Math.round(Math.abs(hours) * 60);
	const two = (number: number) => String(number).padStart(2, '0');
	return `${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
