import { fromServiceDate, toServiceDate } from '../api/values/dates';
import { dateTimeForm } from '../api/values/normalForm';
import type { JsonObject } from '../api/json/orderedJson';

const longestForm = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/;

/** Returns when a record read with `info` was last changed, in the form that sorts as text; undefined when it has no such date. */
export function updateTime(content: JsonObject): string | undefined {
	return timeIn(content, '_update_date');
}

/** Returns when a record was created, as `updateTime` does. */
export function createTime(content: JsonObject): string | undefined {
	return timeIn(content, '_create_date');
}

/** Returns the whole minute in which it is so many seconds after a time of the service, by the same clock. */
export function minuteAfter(time: string, seconds: number): string {
	const milliseconds = Date.parse(`${fromServiceDate(time) ?? ''}Z`) + seconds * 1_000;
	const minute = new Date(Math.floor(milliseconds / 60_000) * 60_000);
	return toServiceDate(minute, { offsetHours: 0 }, 'dateTime') ?? '';
}

/** Returns the latest of some times of the service; an empty text where there is none. */
export function latest(times: readonly string[]): string {
	return times.reduce((one, other) => (one > other ? one : other), '');
}

function timeIn(content: JsonObject, key: string): string | undefined {
	const value = content.get(key);
	if (typeof value !== 'string') return undefined;
	// Nearly all are in that form: a poll asks thousands of times.
	return longestForm.test(value) ? value : dateTimeForm(value);
}
