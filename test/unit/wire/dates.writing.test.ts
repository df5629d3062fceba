import fc from 'fast-check';
import { DateTime } from 'luxon';
import { isDateLike, toServiceDate } from '../../../nodes/wire/dates';
import type { Clock } from '../../../nodes/wire/dates';

const utc: Clock = { offsetHours: 0 };
const zones = fc.constantFrom(
	...['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Taipei', 'Asia/Kolkata'],
	...[
		'Asia/Kathmandu',
		'America/St_Johns',
		'Australia/Lord_Howe',
		'Pacific/Apia',
		'Africa/Monrovia',
	],
);
const offsets = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters / 4);
const moments = fc.date({
	min: new Date('0002-01-01T00:00:00Z'),
	max: new Date('9998-12-31T00:00:00Z'),
	noInvalidDate: true,
});
/** ISO texts have no offsets with seconds, as some zones had before. */
const wholeMinutesSince = new Date('1980-01-01T00:00:00Z');
const format = 'yyyy/MM/dd HH:mm:ss';

describe('a moment', () => {
	it('is read off the clock of a zone as Luxon reads it', () => {
		fc.assert(
			fc.property(moments, zones, (moment, zone) => {
				const wall = DateTime.fromJSDate(moment).setZone(zone);
				expect(toServiceDate(moment, { zone }, 'dateTime')).toBe(wall.toFormat(format));
				expect(toServiceDate(moment, { zone }, 'date')).toBe(wall.toFormat('yyyy/MM/dd'));
			}),
			{ numRuns: 2000 },
		);
	});

	it('is read off the clock of an offset, whole hours or not', () => {
		fc.assert(
			fc.property(moments, offsets, (moment, offsetHours) => {
				const wall = DateTime.fromMillis(moment.getTime() + offsetHours * 3_600_000, {
					zone: 'utc',
				});
				expect(toServiceDate(moment, { offsetHours }, 'dateTime')).toBe(wall.toFormat(format));
			}),
			{ numRuns: 1000 },
		);
	});

	it('is the same whether it comes as Date, as Luxon value or as ISO text with an offset', () => {
		fc.assert(
			fc.property(moments, zones, zones, (moment, zone, own) => {
				const luxon = DateTime.fromJSDate(moment).setZone(own);
				const written = toServiceDate(moment, { zone }, 'dateTime');
				expect(toServiceDate(luxon, { zone }, 'dateTime')).toBe(written);
				expect(toServiceDate(moment.toISOString(), { zone }, 'dateTime')).toBe(written);
				if (moment < wholeMinutesSince) return;
				expect(toServiceDate(luxon.toISO(), { zone }, 'dateTime')).toBe(written);
			}),
			{ numRuns: 500 },
		);
	});

	it('may have an offset of hours alone, as databases write it', () => {
		fc.assert(
			fc.property(moments, fc.integer({ min: -12, max: 14 }), zones, (moment, hours, zone) => {
				const own = DateTime.fromJSDate(moment).setZone(`UTC${hours < 0 ? hours : `+${hours}`}`);
				const text = own.toFormat('yyyy-MM-dd HH:mm:ss.SSS');
				const sign = hours < 0 ? '-' : '+';
				const offset = `${sign}${String(Math.abs(hours)).padStart(2, '0')}`;
				const written = toServiceDate(moment, { zone }, 'dateTime');
				expect(toServiceDate(`${text}${offset}`, { zone }, 'dateTime')).toBe(written);
				expect(toServiceDate(`${text}${offset}00`, { zone }, 'dateTime')).toBe(written);
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['before clocks go forward', '2026-03-08T06:59:59Z', '2026/03/08 01:59:59'],
		['when clocks go forward', '2026-03-08T07:00:00Z', '2026/03/08 03:00:00'],
		['before clocks go back', '2026-11-01T05:30:00Z', '2026/11/01 01:30:00'],
		['after clocks went back', '2026-11-01T06:30:00Z', '2026/11/01 01:30:00'],
		['on the evening before', '2026-01-01T02:00:00Z', '2025/12/31 21:00:00'],
		['of the first year', '0001-01-02T00:00:00Z', '0001/01/01 19:03:58'],
	])('in New York %s', (_, text, written) => {
		expect(toServiceDate(text, { zone: 'America/New_York' })).toBe(written);
		expect(toServiceDate(new Date(text), { zone: 'America/New_York' })).toBe(written);
	});

	it.each<[text: string, clock: Clock, written: string]>([
		['2026-01-31T23:30:00+01:00', utc, '2026/01/31 22:30:00'],
		['2026-01-31T23:30:00-0330', utc, '2026/02/01 03:00:00'],
		['2026-01-31T23:30Z', { offsetHours: 5.5 }, '2026/02/01 05:00:00'],
		['2026-01-31T00:10:00Z', { offsetHours: -3.5 }, '2026/01/30 20:40:00'],
		['2026-01-31T00:00:00Z', { offsetHours: 5.75 }, '2026/01/31 05:45:00'],
		['2026-04-04T15:00:00Z', { zone: 'Australia/Lord_Howe' }, '2026/04/05 01:30:00'],
		['1969-12-31T23:59:59.999Z', utc, '1969/12/31 23:59:59'],
		['2024-02-29T12:00:00Z', utc, '2024/02/29 12:00:00'],
	])('%s on the clock %j', (text, clock, written) => {
		expect(toServiceDate(text, clock)).toBe(written);
	});

	it.each([
		['beyond four digits of the year', new Date('+010000-01-01T00:00:00Z')],
		['before the year 0', new Date('-000001-01-01T00:00:00Z')],
		['at the end of time', new Date(8.64e15)],
		['pushed beyond by the offset', '9999-12-31T23:30:00-01:00'],
	])('that the service cannot hold is no date: %s', (_, value) => {
		for (const form of [undefined, 'date', 'dateTime'] as const) {
			expect(toServiceDate(value, { offsetHours: 1 }, form)).toBeUndefined();
		}
	});
});

describe('a text without an offset', () => {
	it('is taken as written, on whichever clock', () => {
		fc.assert(
			fc.property(moments, zones, (moment, zone) => {
				const text = moment.toISOString().slice(0, 19);
				const written = text.replace(/-/g, '/').replace('T', ' ');
				expect(toServiceDate(text, { zone })).toBe(written);
				expect(toServiceDate(text.replace('T', ' '), { zone })).toBe(written);
				expect(toServiceDate(text.slice(0, 10), { zone })).toBe(written.slice(0, 10));
			}),
		);
	});

	it.each<[text: string, form: 'date' | 'dateTime' | undefined, written: string]>([
		['2026-01-31', undefined, '2026/01/31'],
		['2026-01-31', 'date', '2026/01/31'],
		['2026-01-31', 'dateTime', '2026/01/31 00:00:00'],
		['2026-01-31T00:00:00', undefined, '2026/01/31 00:00:00'],
		['2026-01-31 09:30', 'date', '2026/01/31'],
		[' 2026-01-31T09:30:15.5 ', undefined, '2026/01/31 09:30:15'],
	])('%j as %s is %s', (text, form, written) => {
		expect(toServiceDate(text, { zone: 'America/New_York' }, form)).toBe(written);
	});
});

describe('midnight', () => {
	it.each([{ zone: 'America/New_York' }, { zone: 'Asia/Kolkata' }])(
		'of an object is a date on that clock (%j), unless the form says otherwise',
		(clock) => {
			const midnight = DateTime.fromISO('2026-01-31T00:00:00', clock);
			expect(toServiceDate(midnight, clock)).toBe('2026/01/31');
			expect(toServiceDate(midnight.toJSDate(), clock)).toBe('2026/01/31');
			expect(toServiceDate(midnight, clock, 'dateTime')).toBe('2026/01/31 00:00:00');
			expect(toServiceDate(midnight.plus({ seconds: 1 }), clock)).toBe('2026/01/31 00:00:01');
		},
	);

	it('of a text stays a date-time', () => {
		expect(toServiceDate('2026-01-31T00:00:00Z', utc)).toBe('2026/01/31 00:00:00');
	});
});

describe('what is no date', () => {
	it.each([
		['30 February', '2026-02-30'],
		['29 February of no leap year', '2026-02-29T10:00:00Z'],
		['29 February of a century', '1900-02-29'],
		['31 April', '2026-04-31'],
		['month 13', '2026-13-01'],
		['day 0', '2026-01-00'],
		['hour 24', '2026-01-31T24:00:00'],
		['minute 60', '2026-01-31T10:60:00'],
		['second 60', '2026-01-31T10:00:60'],
		['a year of two digits', '26-01-31'],
		['the form of the service itself', '2026/01/31'],
		['a text with more behind it', '2026-01-31 and later'],
		['an offset without a time', '2026-01-31Z'],
		['a number', 1769817600000],
		['digits', '20260131'],
		['an invalid Date', new Date(NaN)],
		['an invalid Luxon value', DateTime.invalid('test')],
		['nothing', undefined],
		['null', null],
		['an empty text', ''],
		['another object', { year: 2026 }],
		['an array of a date', ['2026-01-31']],
	])('%s', (_, value) => {
		expect(toServiceDate(value, utc)).toBeUndefined();
		expect(isDateLike(value)).toBe(false);
	});
});
