import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	fromServiceDate,
	hasTimeOfDay,
	hoursBetween,
	isDateLike,
	isLuxonText,
	storedTime,
	toServiceDate,
} from '../../../../nodes/api/values/dates';
import type { TimeZone } from '../../../../nodes/api/values/dates';
import { runs } from '../../../amount';

const utc: TimeZone = { offsetHours: 0 };
const zones = fc.constantFrom(
	...['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Taipei', 'Asia/Kolkata', 'Pacific/Apia'],
	...['Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Monrovia'],
);
const offsets = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters / 4);
const moments = fc.date({
	min: new Date('1000-01-02T00:00:00Z'),
	max: new Date('9998-12-31T00:00:00Z'),
	noInvalidDate: true,
});
/** Earlier, some time zones had offsets with seconds, which ISO texts cannot express. */
const wholeMinutesSince = new Date('1980-01-01T00:00:00Z');
/** Returns a point in time in UTC, in the format of the service. */
const onClock = (moment: Date) =>
	moment.toISOString().slice(0, 19).replace(/-/g, '/').replace('T', ' ');

describe('a point in time', () => {
	it('a point in time is converted to a time zone as Luxon does it, as Date, Luxon value or ISO text', () => {
		fc.assert(
			fc.property(moments, zones, zones, (moment, zone, ownZone) => {
				const wall = DateTime.fromJSDate(moment).setZone(zone);
				const written = wall.toFormat('yyyy/MM/dd HH:mm:ss');
				const luxon = DateTime.fromJSDate(moment).setZone(ownZone);
				expect(toServiceDate(moment, { zone }, 'dateTime')).toBe(written);
				// At midnight in UTC it is a date.
				const isDay = moment.getTime() % 86_400_000 === 0;
				const day = isDay ? wall.toUTC() : wall;
				expect(toServiceDate(moment, { zone }, 'date')).toBe(day.toFormat('yyyy/MM/dd'));
				expect(toServiceDate(luxon, { zone }, 'dateTime')).toBe(written);
				expect(toServiceDate(moment.toISOString(), { zone }, 'dateTime')).toBe(written);
				if (moment < wholeMinutesSince) return;
				expect(toServiceDate(luxon.toISO(), { zone }, 'dateTime')).toBe(written);
			}),
			{ numRuns: runs(200, 2000) },
		);
	});

	it('a point in time is converted to an offset in hours or minutes, which may omit its minutes', () => {
		const wholeHours = fc.integer({ min: -12, max: 14 });
		fc.assert(
			fc.property(moments, wholeHours, offsets, (moment, hours, offsetHours) => {
				const shifted = (by: number) => new Date(moment.getTime() + by * 3_600_000);
				const written = onClock(shifted(offsetHours));
				const text = shifted(hours).toISOString().slice(0, -1).replace('T', ' ');
				const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}`;
				const luxonLike = { toMillis: () => moment.getTime(), zone: {}, valueOf: () => 0 };
				for (const input of [moment, luxonLike, `${text}${offset}`, `${text}${offset}00`]) {
					expect(toServiceDate(input, { offsetHours }, 'dateTime')).toBe(written);
				}
			}),
			{ numRuns: runs(200, 2000) },
		);
	});

	const newYork = { zone: 'America/New_York' };

	it.each<[text: string, clock: TimeZone, written: string]>([
		// When clocks go forward, after they go back, and when they go back by half an hour.
		['2026-03-08T07:00:00Z', newYork, '2026/03/08 03:00:00'],
		['2026-11-01T06:30:00Z', newYork, '2026/11/01 01:30:00'],
		['2026-04-04T15:00:00Z', { zone: 'Australia/Lord_Howe' }, '2026/04/05 01:30:00'],
	])('%s in the time zone %j', (text, clock, written) => {
		expect(toServiceDate(text, clock)).toBe(written);
	});

	it('a point in time that the service cannot store is not a date', () => {
		for (const form of [undefined, 'date', 'dateTime'] as const) {
			const beyond = toServiceDate('9999-12-31T23:30:00-01:00', { offsetHours: 1 }, form);
			expect(beyond).toBeUndefined();
		}
	});
});

describe('a text without an offset', () => {
	it('a text without an offset is kept as written, in any time zone', () => {
		fc.assert(
			fc.property(moments, zones, (moment, zone) => {
				const text = moment.toISOString().slice(0, 19);
				expect(toServiceDate(text, { zone })).toBe(onClock(moment));
				expect(toServiceDate(text.replace('T', ' '), { zone })).toBe(onClock(moment));
				expect(toServiceDate(text.slice(0, 10), { zone })).toBe(onClock(moment).slice(0, 10));
			}),
		);
	});

	it.each<[text: string, form: 'date' | 'dateTime' | undefined, written: string]>([
		['2026-01-31', 'dateTime', '2026/01/31 00:00:00'],
		[' 2026-01-31T09:30:15.5 ', undefined, '2026/01/31 09:30:15'],
	])('a text without an offset, %j as %s, is %s', (text, form, written) => {
		expect(toServiceDate(text, { zone: 'America/New_York' }, form)).toBe(written);
	});
});

it.each([{ zone: 'America/New_York' }, { zone: 'Asia/Kolkata' }])(
	'midnight as an object is a date in its time zone (%j) unless another form is requested; midnight as a text is a date-time',
	(clock) => {
		const midnight = DateTime.fromISO('2026-01-31T00:00:00', clock);
		expect(toServiceDate(midnight, clock)).toBe('2026/01/31');
		expect(toServiceDate(midnight.toJSDate(), clock)).toBe('2026/01/31');
		expect(toServiceDate(midnight, clock, 'dateTime')).toBe('2026/01/31 00:00:00');
		expect(toServiceDate(midnight.plus({ seconds: 1 }), clock)).toBe('2026/01/31 00:00:01');
		expect(toServiceDate(midnight.toISO(), clock)).toBe('2026/01/31 00:00:00');
	},
);

it.each([
	['29 February of no leap year', '2026-02-29T10:00:00Z'],
	['the form of the service itself', '2026/01/31'],
	['a text with more behind it', '2026-01-31 and later'],
	['an invalid Date', new Date(NaN)],
	['another object', { year: 2026 }],
	['an empty text', ''],
])('%s is not a date', (_, value) => {
	expect(toServiceDate(value, utc)).toBeUndefined();
	expect(isDateLike(value)).toBe(false);
});

describe("the service's dates in ISO 8601", () => {
	it('dates of the service in ISO 8601 name the same time, and are written back unchanged', () => {
		fc.assert(
			fc.property(moments, offsets, (moment, offsetHours) => {
				const second = Math.floor(moment.getTime() / 1000);
				const written = toServiceDate(moment, { offsetHours }, 'dateTime') ?? '';
				expect(Date.parse(fromServiceDate(written, offsetHours) ?? '') / 1000).toBe(second);
				for (const text of [onClock(moment), onClock(moment).slice(0, 10)]) {
					expect(toServiceDate(fromServiceDate(text, offsetHours), { offsetHours })).toBe(text);
					expect(toServiceDate(fromServiceDate(text), { offsetHours })).toBe(text);
				}
			}),
			{ numRuns: runs(200, 2000) },
		);
	});

	it.each([...['', '2026', '26/01/31', '2026-01-31', '2026/01/31T09:30']])(
		'a text that is not a date of the service is not converted: %j',
		(text) => {
			expect(fromServiceDate(text)).toBeUndefined();
			expect(fromServiceDate(text, 8)).toBeUndefined();
		},
	);
});

describe('a date-time that was read with a time zone', () => {
	it.each([
		{ value: '2031/01/31 10:00:41', offset: 8, hours: 8, stored: '2031/01/31 02:00:41' },
		{ value: '2031/01/31 10:00', offset: 8, hours: 8, stored: '2031/01/31 02:00:00' },
		{ value: '2031-01-31T10:00:00+08:00', offset: 8, hours: 8, stored: '2031/01/31 02:00:00' },
		{ value: '2031-01-31T10:00:00-03:30', offset: -3.5, hours: 1, stored: '2031/01/31 09:00:00' },
		{ value: '2031-01-31T10:00:00+08:00', offset: 7, hours: 8, stored: undefined },
		{ value: '2031-01-31T10:00:00Z', offset: 8, hours: 8, stored: undefined },
		{ value: '2031/01/31', offset: 8, hours: 8, stored: undefined },
		{ value: 'x+08:00', offset: 8, hours: 8, stored: undefined },
		{ value: 7, offset: 8, hours: 8, stored: undefined },
	])('$value at $offset is stored as $stored', ({ value, offset, hours, stored }) => {
		expect(storedTime(value, offset, hours)).toBe(stored);
	});
});

it.each([
	{ earlier: '2031/01/31 10:00', later: '2031/01/31 18:30:00', hours: 8.5 },
	{ earlier: '2031/01/31 10:00', later: '2031/01/31 10:00:00', hours: 0 },
	{ earlier: '2031/01/31 10:00', later: '2031/01/30 10:00', hours: -24 },
	{ earlier: '2031/01/31', later: '2031/01/31 10:00', hours: undefined },
	{ earlier: '2031/01/31 10:00', later: '2031/01/31', hours: undefined },
	{ earlier: '2031/01/31 10:00', later: undefined, hours: undefined },
	{ earlier: '2031/01/31 10:00', later: '2031-01-31T10:00:00', hours: undefined },
])('from $earlier to $later it is $hours hours', ({ earlier, later, hours }) => {
	expect(hoursBetween(earlier, later)).toBe(hours);
});

it.each([
	{ value: '2031-01-31T10:00:00.000Z', isLuxon: true },
	{ value: '2031-01-31T10:00:00.000+05:30', isLuxon: true },
	{ value: '2031-01-31T10:00:00.000', isLuxon: false },
	{ value: '2031-01-31T10:00:00Z', isLuxon: false },
	{ value: ' 2031-01-31T10:00:00.000Z', isLuxon: false },
	{ value: '2031-01-31T10:00:00.000Zulu', isLuxon: false },
	{ value: new Date(0), isLuxon: false },
	{ value: ['2031-01-31T10:00:00.000Z'], isLuxon: false },
])('the value $value is a Luxon value in an object: $isLuxon', ({ value, isLuxon }) => {
	expect(isLuxonText(value)).toBe(isLuxon);
});

describe('a point in time in New York', () => {
	const clock = { zone: 'America/New_York' };
	const luxon = (zone: string) => DateTime.fromISO('2026-01-31T00:00:00Z', { zone });

	it.each([
		{ title: 'a Date at midnight UTC', value: new Date('2026-01-31T00:00:00Z'), day: '31' },
		{ title: 'a text at midnight UTC', value: '2026-01-31T00:00:00Z', day: '31' },
		{ title: 'a Luxon value at midnight UTC', value: luxon('UTC'), day: '31' },
		{ title: 'a Luxon value of Taipei', value: luxon('Asia/Taipei'), day: '30' },
		{ title: 'a text with another offset', value: '2026-01-31T08:00:00+08:00', day: '30' },
	])('at midnight UTC is this date in a date field: $title', ({ value, day }) => {
		expect(toServiceDate(value, clock, 'date')).toBe(`2026/01/${day}`);
		expect(toServiceDate(value, clock, 'dateTime')).toBe('2026/01/30 19:00:00');
	});

	it('at another time is the date in the time zone', () => {
		expect(toServiceDate(new Date('2026-01-31T03:00:00Z'), clock, 'date')).toBe('2026/01/30');
		expect(toServiceDate('2026-01-31T03:00:00Z', clock, 'date')).toBe('2026/01/30');
	});
});

it.each([
	{ text: '2026/01/31', iso: '2026-01-31', inTaipei: '2026-01-31' },
	{ text: '2026/1/31 9:30', iso: '2026-01-31T09:30:00', inTaipei: '2026-01-31T09:30:00+08:00' },
	{ text: '2026/01/31 09:30', iso: '2026-01-31T09:30:00', inTaipei: '2026-01-31T09:30:00+08:00' },
	{
		text: '2026/01/31 09:30:15',
		iso: '2026-01-31T09:30:15',
		inTaipei: '2026-01-31T09:30:15+08:00',
	},
	{ text: '2026/02/30', iso: undefined, inTaipei: undefined },
	{ text: '2026/01/31 24:30', iso: undefined, inTaipei: undefined },
	{ text: 'x2026/01/31', iso: undefined, inTaipei: undefined },
	{ text: '2026/01/31 09:30x', iso: undefined, inTaipei: undefined },
])('the date $text of the service is $iso in ISO 8601', ({ text, iso, inTaipei }) => {
	expect(fromServiceDate(text)).toBe(iso);
	expect(fromServiceDate(text, 8)).toBe(inTaipei);
});

it.each([
	{ offset: -3.5, iso: '2026-01-31T09:30:00-03:30' },
	{ offset: 0, iso: '2026-01-31T09:30:00+00:00' },
	{ offset: 5.75, iso: '2026-01-31T09:30:00+05:45' },
	{ offset: 12, iso: '2026-01-31T09:30:00+12:00' },
])('an offset of $offset hours is written as in $iso', ({ offset, iso }) => {
	expect(fromServiceDate('2026/01/31 09:30', offset)).toBe(iso);
});

it.each([
	{ text: '2026-01-31T09:30', written: '2026/01/31 09:30:00' },
	{ text: '2026-01-31 09:30:15', written: '2026/01/31 09:30:15' },
	{ text: '2026-01-31T09:30:15,5', written: '2026/01/31 09:30:15' },
	{ text: '2026-01-31T09:30:15.123456 Z', written: '2026/01/31 09:30:15' },
	{ text: '2026-01-31T09:30Z', written: '2026/01/31 09:30:00' },
	{ text: '2026-01-31T09:30+01', written: '2026/01/31 08:30:00' },
	{ text: '2026-01-31T09:30-0130', written: '2026/01/31 11:00:00' },
	{ text: '2026-01-31T09:30 +01:30', written: '2026/01/31 08:00:00' },
	{ text: '2026-01-31T09:30+25:00', written: undefined },
	{ text: '2026-01-31T09', written: undefined },
	{ text: '2026-01-31T9:30', written: undefined },
	{ text: '2026-01-31T09:30:5', written: undefined },
	{ text: '2026-01-31T09:30:15.', written: undefined },
	{ text: '2026-01-31T09:30+1', written: undefined },
	{ text: '2026-01-31T09:30+01:3', written: undefined },
	{ text: '2026-01-31Z', written: undefined },
	{ text: '12026-01-31', written: undefined },
	{ text: '2026-1-31', written: undefined },
	{ text: '2026-01-1', written: undefined },
	{ text: '2026-01-31T25:00', written: undefined },
	{ text: '2026-13-01', written: undefined },
])('the text $text is the date-time $written', ({ text, written }) => {
	expect(toServiceDate(text, utc)).toBe(written);
	expect(isDateLike(text)).toBe(written !== undefined);
});

it('a point in time beyond the range of dates is not a date', () => {
	const last = new Date(8.64e15);
	expect(toServiceDate(last, { offsetHours: 1 })).toBeUndefined();
	expect(toServiceDate(last, { zone: 'Asia/Taipei' })).toBeUndefined();
});

it.each<[unknown, boolean]>([
	['2026-01-31T09:30', true],
	['2026-01-31T00:00', false],
	['2026-01-31T00:00:00.000', false],
	['2026-01-31', false],
	['2026-01-31T00:00Z', true],
	['2026-01-31T00:00+08:00', true],
	[new Date(0), true],
	['2026/01/31 09:30', false],
	['noon', false],
	[undefined, false],
])('%p has a time of day: %p', (value, hasTime) => {
	expect(hasTimeOfDay(value)).toBe(hasTime);
});
