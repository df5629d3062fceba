import { fromServiceDate, toServiceDate } from '../values/dates';
import { dateTimeForm } from '../values/normalForm';
import type { JsonObject } from '../json/orderedJson';

const longestForm = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/;

/**
 * When a record was last changed, by the service's own word in a read with `info`: in its longest form, which
 * sorts as text. Undefined when the record does not tell.
 */
export function updateTime(content: JsonObject): string | undefined {
	return timeIn(content, '_update_date');
}

/** When a record was created, as `updateTime` says. */
export function createTime(content: JsonObject): string | undefined {
	return timeIn(content, '_create_date');
}

/** Returns the whole minute in which it is so many seconds after a time of the service, by the same clock. */
export function minuteAfter(time: string, seconds: number): string {
	const minutes = Math.floor((secondsOf(time) + seconds) / 60);
	const date = new Date(minutes * 60_000);
	return toServiceDate(date, { offsetHours: 0 }, 'dateTime') ?? '';
}

/** The last of some times of the service; an empty text where there is none. */
export function latest(times: readonly string[]): string {
	return times.reduce((one, other) => (one > other ? one : other), '');
}

/** Seconds of a time of the service from a moment that is the same for all of them. */
export function secondsOf(time: string): number {
	return Date.parse(`${fromServiceDate(time) ?? ''}Z`) / 1_000;
}

function timeIn(content: JsonObject, key: string): string | undefined {
	const value = content.get(key);
	if (typeof value !== 'string') return undefined;
	// Nearly all are in that form: a poll asks thousands of times.
	return longestForm.test(value) ? value : dateTimeForm(value);
}
