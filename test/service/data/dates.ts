const hour = 60 * 60 * 1000;

/** Dates as the interface stores them. Some accounts store them without leading zeros. */
const datePattern = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/;
const dateTimePattern = /^(\d{4})\/(\d{1,2})\/(\d{1,2}) (\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** Texts that were made last, because a list has the same times many times. */
const momentTexts = new Map<number, string>();
const maxTexts = 20_000;

/** Formats a time as `yyyy/MM/dd HH:mm:ss`, shifted by `timeZone` hours from UTC. */
export function momentText(milliseconds: number, timeZone = 0): string {
	const shifted = milliseconds + timeZone * hour;
	const known = momentTexts.get(shifted);
	if (known !== undefined) return known;
	const text = new Date(shifted).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/');
	if (momentTexts.size >= maxTexts) momentTexts.clear();
	momentTexts.set(shifted, text);
	return text;
}

/** Shifts a stored date-time by `timeZone` hours. Dates and other texts stay unchanged. */
export function shiftDateTime(text: string, timeZone: number): string {
	const milliseconds = timeZone === 0 ? undefined : readDateTime(text);
	return milliseconds === undefined ? text : momentText(milliseconds, timeZone);
}

/** Longest forms of the texts that were compared last, because a list compares the same texts many times. */
const longForms = new Map<string, string | undefined>();

/** Returns a date or date-time in its longest form, which sorts as text, or undefined for other texts. */
export function longDateTime(text: string): string | undefined {
	if (longForms.has(text)) return longForms.get(text);
	const milliseconds = readDateTime(text);
	const long = milliseconds === undefined ? undefined : momentText(milliseconds);
	if (longForms.size >= maxTexts) longForms.clear();
	longForms.set(text, long);
	return long;
}

export function isDate(text: string): boolean {
	return datePattern.test(text) && readDateTime(text) !== undefined;
}

export function isDateTime(text: string): boolean {
	return dateTimePattern.test(text) && readDateTime(text) !== undefined;
}

/** Returns a date or date-time in ms since 1970, or undefined if the text is not a valid date. */
function readDateTime(text: string): number | undefined {
	const match = datePattern.exec(text) ?? dateTimePattern.exec(text);
	if (!match) return undefined;
	const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
		.slice(1)
		.map((part) => Number(part ?? 0));
	const milliseconds = Date.UTC(year, month - 1, day, hours, minutes, seconds);
	const exists =
		new Date(milliseconds).getUTCMonth() === month - 1 &&
		new Date(milliseconds).getUTCDate() === day &&
		hours < 24 &&
		minutes < 60 &&
		seconds < 60;
	return exists ? milliseconds : undefined;
}
