import { fromServiceDate, toServiceDate } from '../api/values/dates';
import { dateTimeForm } from '../api/values/normalForm';
import type { JsonObject } from '../api/json/orderedJson';

const commonForm = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/;

/** Returns the Last Update Date of a record that was read with `info`, as a text that sorts by time; undefined if it has none. */
export function updateTime(content: JsonObject): string | undefined {
	return timeIn(content, '_update_date');
}

/** Returns the Create Date of a record as `updateTime` does. */
export function createTime(content: JsonObject): string | undefined {
	return timeIn(content, '_create_date');
}

/** Whether a stored text is a time of the service in the form that sorts. */
export function isSortableTime(text: string): boolean {
	return commonForm.test(text);
}

/** Returns the whole minute of the time that is `seconds` after a time of the service, which may be negative. */
export function minuteAfter(time: string, seconds: number): string {
	const milliseconds = millisecondsOf(time) + seconds * 1_000;
	const minute = new Date(Math.floor(milliseconds / 60_000) * 60_000);
	return toServiceDate(minute, { offsetHours: 0 }, 'dateTime') ?? '';
}

/** Whether two times can be one moment in two time zones, whose offsets differ by whole quarters of an hour. */
export function mayBeSameMoment(time: string | undefined, otherTime: string | undefined): boolean {
	if (time === undefined || otherTime === undefined) return time === otherTime;
	return (millisecondsOf(time) - millisecondsOf(otherTime)) % (15 * 60_000) === 0;
}

/** Returns the latest time, or an empty text if there is none. */
export function latest(times: readonly string[]): string {
	return times.reduce((latestTime, time) => (time > latestTime ? time : latestTime), '');
}

/** Milliseconds of a time of the service, as if it were in UTC. */
function millisecondsOf(time: string): number {
	return Date.parse(`${fromServiceDate(time) ?? ''}Z`);
}

function timeIn(content: JsonObject, key: string): string | undefined {
	const value = content.get(key);
	if (typeof value !== 'string') return undefined;
	// Nearly all times have the common form, and a poll reads thousands of them.
	return commonForm.test(value) ? value : dateTimeForm(value);
}
