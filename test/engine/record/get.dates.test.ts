import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

async function readOrder(options: INodeParameters, more: INodeParameters = {}) {
	const result = await testbed.run({
		operation: 'get',
		sheet: sheet(orders),
		recordId: recordId(1),
		options,
		...more,
	});
	expect(result.error).toBeUndefined();
	return result.items[0]?.json ?? {};
}

describe('dates', () => {
	it('are as the service writes them', async () => {
		expect(await readOrder({})).toMatchObject({
			'Order Date': '2023/01/01',
			'Delivery Time': '2023/01/03 22:05:00',
		});
		expect(testbed.reads[0]?.query.some(([name]) => name === 'tz')).toBe(false);
	});

	it('are in the time zone that was chosen', async () => {
		expect(await readOrder({ timeZone: 8 })).toMatchObject({
			'Order Date': '2023/01/01',
			'Delivery Time': '2023/01/04 06:05:00',
		});
		expect(testbed.reads[0]?.query).toContainEqual(['tz', '8']);
	});

	it('send a time zone of 0 too', async () => {
		await readOrder({ timeZone: 0 });
		expect(testbed.reads[0]?.query).toContainEqual(['tz', '0']);
	});

	it('become ISO 8601, without offset while none is known', async () => {
		expect(await readOrder({ isoDates: true, info: true })).toMatchObject({
			'Order Date': '2023-01-01',
			'Delivery Time': '2023-01-03T22:05:00',
			_create_date: '2023-01-02T11:00:00',
			Reference: 'REF-1',
		});
	});

	it.each([
		[8, '2023-01-04T06:05:00+08:00'],
		[0, '2023-01-03T22:05:00+00:00'],
		[-3.5, '2023-01-03T18:35:00-03:30'],
		[5.75, '2023-01-04T03:50:00+05:45'],
	])('become ISO 8601 with the offset of %d hours', async (timeZone, expected) => {
		const json = await readOrder({ isoDates: true, timeZone });
		expect(json).toMatchObject({ 'Order Date': '2023-01-01', 'Delivery Time': expected });
		// The same moment, whatever the offset.
		expect(Date.parse(String(json['Delivery Time']))).toBe(Date.UTC(2023, 0, 3, 22, 5));
	});

	it('become ISO 8601 in the raw record, too', async () => {
		const json = await readOrder({ isoDates: true, timeZone: 1 }, { simplify: false });
		expect(json['Delivery Time']).toBe('2023-01-03T23:05:00+01:00');
	});

	it('of the edit history stay in UTC, as the service gives them', async () => {
		const { _history: history } = await readOrder({ isoDates: true, timeZone: 8, history: true });
		const times = [history].flat().map((entry) => Object(entry).Time);
		expect(times.map((time) => Date.parse(String(time)))).toEqual([
			Date.UTC(2023, 0, 2, 11),
			Date.UTC(2023, 1, 2),
		]);
		expect(times[1]).toBe('2023-02-02T00:00:00+00:00');
	});

	it('in texts that are more than a date stay as they are', async () => {
		testbed.service.data.record(orders, 1).set(orders.fields.remark, 'since 2023/01/01');
		expect(await readOrder({ isoDates: true })).toMatchObject({ Remark: 'since 2023/01/01' });
	});
});
