import { fromServiceDate, toServiceDate } from '../api/values/dates';
import { dateTimeForm } from '../api/values/normalForm';
import type { JsonObject } from '../api/json/orderedJson';

/** The format of nearly all times. February 29 is left out, because it needs a look at the calendar. */
const commonForm =
	/^\d{4}\/(?:(?:0[1-9]|1[0-2])\/(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])\/(?:29|30)|(?:0[13578]|1[02])\/31) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Maximum shift when the time zone of an account changes, in seconds, and its unit. */
const maxZoneShiftSeconds = 26 * 3_600;
const zoneShiftUnitSeconds = 15 * 60;
/** Maximum difference between the shifts of two dates, in seconds: one may be in summer time and the other not. */
const maxSummerTimeSeconds = 3_600;

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
	return commonForm.test(text) || dateTimeForm(text) === text;
}

/** Returns a time of the service plus `seconds` (may be negative), rounded down to the minute. */
export function minuteAfter(time: string, seconds: number): string {
	const milliseconds = millisecondsOf(time) + seconds * 1_000;
	return timeOf(Math.floor(milliseconds / 60_000) * 60_000);
}

/** Returns a time of the service plus `seconds` (may be negative); an empty text for an empty text. */
export function timeAfter(time: string, seconds: number): string {
	return timeOf(millisecondsOf(time) + seconds * 1_000);
}

/** Returns the number of seconds from one time of the service to another; negative if the other is earlier. */
export function secondsBetween(from: string, to: string): number {
	return (millisecondsOf(to) - millisecondsOf(from)) / 1_000;
}

/**
 * Returns whether two times can be the same moment in two time zones: they differ by any number of whole quarters of an hour, or
 * both are undefined.
 */
export function mayBeSameMoment(left: string | undefined, right: string | undefined): boolean {
	if (left === undefined || right === undefined) return left === right;
	return (millisecondsOf(left) - millisecondsOf(right)) % (15 * 60_000) === 0;
}

/**
 * Returns the shift of the time `after` in seconds, if both times of a record moved as they do when the account's time zone
 * changes. Returns 0 if the Create Date has not moved or is unknown, because an update never moves it.
 *
 * @param created the Create Date before and now
 * @param updated the Last Update Date before and now
 */
export function zoneShift(
	created: readonly [before: string | undefined, now: string | undefined],
	updated: readonly [before: string, now: string],
): number {
	const [createdBefore, createdNow] = created;
	if (!createdBefore || !createdNow || createdBefore === createdNow) return 0;
	const createShift = secondsBetween(createdBefore, createdNow);
	const updateShift = secondsBetween(...updated);
	const isZone = [createShift, updateShift].every(isZoneShift);
	return isZone && Math.abs(createShift - updateShift) <= maxSummerTimeSeconds ? updateShift : 0;
}

/** Returns whether times can move by this number of seconds with the time zone of an account. */
export function isZoneShift(seconds: number): boolean {
	return seconds % zoneShiftUnitSeconds === 0 && Math.abs(seconds) <= maxZoneShiftSeconds;
}

/** Returns the latest of the times; an empty text if the list is empty. */
export function latest(times: readonly string[]): string {
	return times.reduce((latestTime, time) => (time > latestTime ? time : latestTime), '');
}

/** Returns a time of the service in ms since 1970, as if it were in UTC. */
function millisecondsOf(time: string): number {
	const iso = commonForm.test(time)
		? time.replace(/\//g, '-').replace(' ', 'T')
		: fromServiceDate(time);
	return Date.parse(`${iso ?? ''}Z`);
}

/** The reverse of `millisecondsOf`. */
function timeOf(milliseconds: number): string {
	return toServiceDate(new Date(milliseconds), { offsetHours: 0 }, 'dateTime') ?? '';
}

function timeIn(content: JsonObject, key: string): string | undefined {
	const value = content.get(key);
	if (typeof value !== 'string') return undefined;
	return commonForm.test(value) ? value : dateTimeForm(value);
}
