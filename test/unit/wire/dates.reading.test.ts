import fc from 'fast-check';
import { fromServiceDate, toServiceDate } from '../../../nodes/wire/dates';

const moments = fc.date({
	min: new Date('0001-01-02T00:00:00Z'),
	max: new Date('9999-12-30T00:00:00Z'),
	noInvalidDate: true,
});
const offsets = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters / 4);

describe("the service's dates in ISO 8601", () => {
	it('name the moment that was written, when the offset is known', () => {
		fc.assert(
			fc.property(moments, offsets, (moment, offsetHours) => {
				const written = toServiceDate(moment, { offsetHours }, 'dateTime') ?? '';
				const read = fromServiceDate(written, offsetHours) ?? '';
				expect(Math.floor(moment.getTime() / 1000)).toBe(Date.parse(read) / 1000);
			}),
			{ numRuns: 1000 },
		);
	});

	it('are written again as they were', () => {
		fc.assert(
			fc.property(moments, fc.option(offsets, { nil: undefined }), (moment, offsetHours) => {
				const clock = { offsetHours: offsetHours ?? 3 };
				const dateTime = moment.toISOString().slice(0, 19).replace(/-/g, '/').replace('T', ' ');
				const date = dateTime.slice(0, 10);
				expect(toServiceDate(fromServiceDate(dateTime, offsetHours), clock)).toBe(dateTime);
				expect(toServiceDate(fromServiceDate(date, offsetHours), clock)).toBe(date);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each<[text: string, offsetHours: number | undefined, iso: string]>([
		['2026/01/31', undefined, '2026-01-31'],
		['2026/01/31', 8, '2026-01-31'],
		['2026/01/31 09:30:15', undefined, '2026-01-31T09:30:15'],
		['2026/01/31 09:30', undefined, '2026-01-31T09:30:00'],
		['2026/01/31 09:30:15', 0, '2026-01-31T09:30:15+00:00'],
		['2026/01/31 09:30:15', 8, '2026-01-31T09:30:15+08:00'],
		['2026/01/31 09:30', 5.5, '2026-01-31T09:30:00+05:30'],
		['2026/01/31 09:30', -3.5, '2026-01-31T09:30:00-03:30'],
		['2026/01/31 09:30', -0.25, '2026-01-31T09:30:00-00:15'],
		['2024/02/29', undefined, '2024-02-29'],
	])('%s with the offset %p is %s', (text, offsetHours, iso) => {
		expect(fromServiceDate(text, offsetHours)).toBe(iso);
	});

	it.each([
		...['', '2026', '2026/1/31', '26/01/31', '2026-01-31', '2026/01/31T09:30', '2026/01/31 9:30'],
		...['2026/01/31 ', ' 2026/01/31', '2026/01/31\n', '2026/01/31 09:30:15.5', 'on 2026/01/31'],
		...['2026/02/30', '2026/02/29', '2026/13/01', '2026/00/10', '9999/99/99', '2026/01/31 25:00'],
		...['2026/01/31 09:60', '2026/01/31 09:30:61', '0000/00/00', '12026/01/31'],
	])('leave %j alone: it is no date', (text) => {
		expect(fromServiceDate(text)).toBeUndefined();
		expect(fromServiceDate(text, 8)).toBeUndefined();
	});
});
