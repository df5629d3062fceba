import { fromServiceDate, toServiceDate } from '../api/values/dates';
import { dateTimeForm } from '../api/values/normalForm';
import type { JsonObject } from '../api/json/orderedJson';

const commonForm = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/;

/** Returns the Last Update Date of a record that was read with `info`, as a text that sorts by time; undefined if it is missing. */
export function updateTime(content: JsonObject): string | undefined {
	return timeIn(content, '_update_date');
}

/** Returns the Create Date of a record that was read with `info`, as a text that sorts by time; undefined if it is missing. */
export function createTime(content: JsonObject): string | undefined {
	return timeIn(content, '_create_date');
}

/** Returns whether a text is a time of the service in the sortable format. */
export function isSortableTime(text: string): boolean {
	return commonForm.test(text);
}

/** Returns a time of the service plus `seconds` (may be negative), rounded down to the minute. */
export function minuteAfter(time: string, seconds: number): string {
	const milliseconds = millisecondsOf(time) + seconds * 1_000;
	const minute = new Date(Math.floor(milliseconds / 60_000) * 60_000);
	return toServiceDate(minute, { offsetHours: 0 }, 'dateTime') ?? '';
}

/**
 * Returns whether two times can be the same moment in two time zones: they differ by any number of whole quarters of an hour, or
 * both are undefined.
 */
export function mayBeSameMoment(left: string | undefined, right: string | undefined): boolean {
	if (left === undefined || right === undefined) return left === right;
	return (millisecondsOf(left) - millisecondsOf(right)) % (15 * 60_000) === 0;
}

/** Returns the latest of the times; an empty text if the list is empty. */
export function latest(times: readonly string[]): string {
	return times.reduce((latestTime, time) => (time > latestTime ? time : latestTime), '');
}

/** Returns a time of the service in ms since 1970, as if it were in UTC. */
function millisecondsOf(time: string): number {
	return Date.parse(`${fromServiceDate(time) ?? ''}Z`);
}

function timeIn(content: JsonObject, key: string): string | undefined {
	const value = content.get(key);
	if (typeof value !== 'string') return undefined;
	// Check the common format first: nearly all times have it, and a poll reads thousands of them.
	return commonForm.test(value) ? value : dateTimeForm(value);
}
