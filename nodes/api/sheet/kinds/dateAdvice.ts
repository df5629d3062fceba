/** Returns an expression that converts a text or number in `input`, such as a date of Excel or a Unix time, into a date. */
export function dateExample(wrong: string, input: string): string {
	const excel = `Number(${input}).toDateTime('excel').toUTC()`;
	if (/^\d{5}$/.test(wrong)) return `${excel}.toISODate()`;
	// n8n cuts the fraction of a second, so add half a second.
	if (/^\d{5}\.\d+$/.test(wrong)) return `${excel}.plus(500).toFormat('yyyy/MM/dd HH:mm:ss')`;
	if (/^\d{8}$/.test(wrong)) return `DateTime.fromFormat(String(${input}), 'yyyyMMdd')`;
	if (/^\d{10}(?:\.\d+)?$/.test(wrong)) return `Number(${input}).toDateTime('s')`;
	if (/^\d{13}$/.test(wrong)) return `Number(${input}).toDateTime('ms')`;
	if (mailDatePattern.test(wrong)) return `DateTime.fromRFC2822(${input})`;
	if (scriptDatePattern.test(wrong)) return `new Date(${input})`;
	return `DateTime.fromFormat(${input}, '${formatLike(wrong)}')`;
}

/** Matches dates of e-mails and feeds, such as `Thu, 02 Jul 2026 22:30:00 +0200`. */
const mailDatePattern = /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} [\d:]+ (?:[+-]\d{4}|[a-z]{1,3})$/i;
/** Matches the text of a JavaScript Date, such as `Thu Jul 02 2026 22:30:00 GMT+0200`. */
const scriptDatePattern = /^(?:[a-z]{3} ){2}\d\d \d{4} [\d:]+ GMT/i;
/** Matches the parts of a date: the name of a month, a year, a time, AM or PM, and a day or month. */
const datePartPattern =
	/(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\d{4}|\d{1,2}:\d\d(?::\d\d)?|[ap]m\b|\d{1,2}/gi;

/** Returns the likely Luxon format of a text that has the name of a month or begins with the year; undefined for other texts. */
function formatOfParts(text: string): string | undefined {
	const hasName = /[a-z]{3}/i.test(text);
	const isTwelveHours = /\d ?[ap]m\b/i.test(text);
	let hasMonth = hasName;
	const format = text.replace(datePartPattern, (part) => {
		if (/^\d{4}$/.test(part)) return 'yyyy';
		if (/^[ap]m$/i.test(part)) return 'a';
		if (/^[a-z]/i.test(part)) return part.length > 3 || /^may$/i.test(part) ? 'MMMM' : 'MMM';
		if (part.includes(':')) {
			const seconds = part.split(':').length > 2 ? ':ss' : '';
			return (isTwelveHours ? 'h:mm' : 'H:mm') + seconds;
		}
		const letter = hasMonth ? 'd' : 'M';
		hasMonth = true;
		return letter.repeat(part.length);
	});
	const isUnderstood = !/[a-z'\\{}]/i.test(text.replace(datePartPattern, ''));
	const hasTwoTimes = /mm.*mm/.test(format);
	const isLikely = format.startsWith('yyyy') || (hasName && format.includes('yyyy'));
	return isUnderstood && !hasTwoTimes && isLikely ? format : undefined;
}

/** Returns the likely Luxon format of a text that is not a date of the service, for the example in advice. */
function formatLike(text: string): string {
	const ofParts = formatOfParts(text.trim());
	if (ofParts !== undefined) return ofParts;
	const [, first = '', separator = '.', second = '', minutes, seconds] =
		/^(\d{1,2})([./-])(\d{1,2})\2\d{4}\b(?: \d{1,2}(:\d\d)(:\d\d)?$)?/.exec(text.trim()) ?? [];
	// Americans put the month first, and use slashes.
	const isMonthFirst = Number(second) > 12 || (separator === '/' && Number(first) <= 12);
	const [day, month] = [first, second].some((part) => part.length === 1)
		? ['d', 'M']
		: ['dd', 'MM'];
	const parts = isMonthFirst ? [month, day, 'yyyy'] : [day, month, 'yyyy'];
	return parts.join(separator) + (minutes ? ' H:mm' : '') + (seconds ? ':ss' : '');
}
