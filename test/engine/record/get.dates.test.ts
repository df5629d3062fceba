import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

async function readOrder(options: INodeParameters, more: INodeParameters = {}) {
	const get = { operation: 'get', sheet: sheet(orders), recordId: recordId(1), options };
	const result = await testbed.run({ ...get, ...more });
	expect(result.error).toBeUndefined();
	return result.items[0]?.json ?? {};
}

const zonesSent = () => testbed.reads.map(({ query }) => Object.fromEntries(query).tz);

describe('dates', () => {
	it('are as the service writes them, or in the time zone that was chosen', async () => {
		expect(await readOrder({})).toMatchObject({
			'Order Date': '2023/01/01',
			'Delivery Time': '2023/01/03 22:05:00',
		});
		expect(await readOrder({ timeZone: 8 })).toMatchObject({
			'Order Date': '2023/01/01',
			'Delivery Time': '2023/01/04 06:05:00',
		});
		expect(zonesSent()).toEqual([undefined, '8']);
	});

	it('become ISO 8601 with the offset in hours, in the raw record, too', async () => {
		const zones = [8, 0, -3.5, 5.75];
		const get = { operation: 'get', sheet: sheet(orders), recordId: recordId(1) };
		const options = { isoDates: true, timeZone: '={{ $json.timeZone }}' };
		const { items } = await testbed.run(
			{ ...get, simplify: '={{ $json.timeZone > 0 }}', options },
			zones.map((timeZone) => ({ timeZone })),
		);
		const times = items.map(({ json }) => String(json['Delivery Time']));
		expect(times).toEqual([
			'2023-01-04T06:05:00+08:00',
			'2023-01-03T22:05:00+00:00',
			'2023-01-03T18:35:00-03:30',
			'2023-01-04T03:50:00+05:45',
		]);
		// The same moment, whatever the offset.
		expect(new Set(times.map((time) => Date.parse(time)))).toEqual(
			new Set([Date.UTC(2023, 0, 3, 22, 5)]),
		);
		expect(items.map(({ json }) => json['Order Date'])).toEqual(zones.map(() => '2023-01-01'));
		expect(zonesSent()).toEqual(zones.map(String));
	});

	it('of the edit history stay in UTC, as the service gives them', async () => {
		const { _history: history } = await readOrder({ isoDates: true, timeZone: 8, history: true });
		const times = [history].flat().map((entry) => Object(entry).Time);
		expect(times).toEqual(['2023-01-02T11:00:00+00:00', '2023-02-02T00:00:00+00:00']);
	});
});
