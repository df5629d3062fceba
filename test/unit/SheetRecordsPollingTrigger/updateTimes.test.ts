import fc from 'fast-check';
import {
	createTime,
	isSortableTime,
	latest,
	mayBeSameMoment,
	minuteAfter,
	timeAfter,
	updateTime,
	zoneShift,
} from '../../../nodes/SheetRecordsPollingTrigger/updateTimes';

const noon = '2026/03/04 12:00:30';

it.each([
	{ title: 'the same time', other: '2026/03/04 12:00:30', isSame: true },
	{ title: 'the time in India, 5.5 hours ahead', other: '2026/03/04 17:30:30', isSame: true },
	{ title: 'the time in Nepal, 5.75 hours ahead', other: '2026/03/04 17:45:30', isSame: true },
	{
		title: 'the time in Newfoundland, 3.5 hours behind',
		other: '2026/03/04 08:30:30',
		isSame: true,
	},
	{ title: 'a time on another day', other: '2026/03/05 01:00:30', isSame: true },
	{ title: 'a second later', other: '2026/03/04 12:00:31', isSame: false },
	{ title: 'ten minutes later', other: '2026/03/04 12:10:30', isSame: false },
	{ title: 'no time', other: undefined, isSame: false },
])('$title may be the same moment in another time zone: $isSame', ({ other, isSame }) => {
	expect(mayBeSameMoment(noon, other)).toBe(isSame);
	expect(mayBeSameMoment(other, noon)).toBe(isSame);
});

it('two missing times may be the same moment', () => {
	expect(mayBeSameMoment(undefined, undefined)).toBe(true);
});

it.each([
	{ seconds: 0, minute: '2026/03/04 12:00:00' },
	{ seconds: 29, minute: '2026/03/04 12:00:00' },
	{ seconds: 30, minute: '2026/03/04 12:01:00' },
	{ seconds: -31, minute: '2026/03/04 11:59:00' },
	{ seconds: 86_400, minute: '2026/03/05 12:00:00' },
])('$seconds seconds after a time is rounded down to the minute', ({ seconds, minute }) => {
	expect(minuteAfter(noon, seconds)).toBe(minute);
});

it.each([
	{ value: noon, time: noon },
	{ value: '2026-03-04 12:00:30', time: noon },
	{ value: 5, time: undefined },
	{ value: undefined, time: undefined },
])('the Create Date and the Last Update Date $value are read as $time', ({ value, time }) => {
	const contentOf = (key: string) => new Map(value === undefined ? [] : [[key, value]]);
	expect(createTime(contentOf('_create_date'))).toBe(time);
	expect(updateTime(contentOf('_update_date'))).toBe(time);
	expect(updateTime(contentOf('_create_date'))).toBeUndefined();
});

it('a Last Update Date is read on exactly the days of the calendar', () => {
	const two = (number: number) => String(number).padStart(2, '0');
	for (const year of ['0000', '1900', '2000', '2023', '2024']) {
		for (let month = 0; month <= 13; month++) {
			for (let day = 0; day <= 32; day++) {
				const time = `${year}/${two(month)}/${two(day)} 12:00:30`;
				const date = new Date(0);
				date.setUTCFullYear(Number(year), month - 1, day);
				const isDay = month > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
				const known = isDay && month <= 12 ? time : undefined;
				expect([time, updateTime(new Map([['_update_date', time]]))]).toEqual([time, known]);
				if (known) expect(timeAfter(known, 0)).toBe(known);
			}
		}
	}
});

it('only a time in the format of the service sorts by time', () => {
	expect(isSortableTime(noon)).toBe(true);
	for (const text of ['2026-03-04 12:00:30', '2026/03/04 12:00', `${noon}.5`, `on ${noon}`, '']) {
		expect([text, isSortableTime(text)]).toEqual([text, false]);
	}
});

it('the latest time is the last in order, whatever the order of the list', () => {
	const time = fc.integer({ min: 0, max: 3_000_000 }).map((seconds) => minuteAfter(noon, seconds));
	fc.assert(
		fc.property(fc.array(time), (times) => {
			expect(latest(times)).toBe([...times].sort().at(-1) ?? '');
		}),
	);
});

describe('times that moved with the time zone of the account', () => {
	const created = '2026/01/02 08:00:00';
	const hour = 3_600;
	/** Shift of the Create Date and of the Last Update Date in hours. */
	it.each<[create: number, update: number, shift: number]>([
		[8, 8, 8],
		[-5.75, -5.75, -5.75],
		[1, 2, 2],
		[2, 1, 1],
		[26, 26, 26],
		[1, 2.25, 0],
		[26.25, 26.25, 0],
		[0, 8, 0],
		[8, 8 + 1 / hour, 0],
		[1 / 6, 1 / 6, 0],
	])('moved by %d and %d hours, as by %d hours', (create, update, shift) => {
		const moved = (time: string, hours: number) => timeAfter(time, Math.round(hours * hour));
		const createDates = [created, moved(created, create)] as const;
		const updates = [noon, moved(noon, update)] as const;
		expect(zoneShift(createDates, updates)).toBe(shift * hour);
		expect(zoneShift([undefined, createDates[1]], updates)).toBe(0);
		expect(zoneShift([created, undefined], updates)).toBe(0);
	});
});
