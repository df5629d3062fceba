import fc from 'fast-check';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const one = { sheet: sheet(orders), recordId: recordId(5) };

/** The hours of the account's own time zone; the reference service's accounts live in UTC. */
const accountOffset = 0;

it('a moment that is written and read with the offset of the account is the same moment', async () => {
	const moments = fc
		.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2090, 0) })
		.map((milliseconds) => new Date(Math.floor(milliseconds / 1000) * 1000).toISOString());
	await fc.assert(
		fc.asyncProperty(
			fc.array(moments, { minLength: 1, maxLength: 8 }),
			fc.constantFrom('Asia/Taipei', 'America/New_York', 'Europe/Berlin', 'UTC'),
			async (texts, timezone) => {
				const more = { timezone, credentials: testbed.credentials('admin') };
				const items = texts.map((moment) => ({ moment }));
				const options = { timeZone: accountOffset };
				for (const item of items) {
					const value = '={{ ({ "Delivery Time": DateTime.fromISO($json.moment) }) }}';
					const written = { operation: 'update', ...one, ...asJson(value), options };
					expect((await testbed.run(written, [item], more)).error).toBeUndefined();
					const read = { operation: 'get', ...one, options: { ...options, isoDates: true } };
					const [found] = (await testbed.run(read, [{}], more)).items;
					expect(Date.parse(String(found?.json['Delivery Time']))).toBe(Date.parse(item.moment));
				}
			},
		),
		{ numRuns: 5 },
	);
});

it('a moment is found in a filter, whatever offset is chosen for the output', async () => {
	testbed.service.data.record(orders, 5).set(fields.deliveryTime, '2026/03/02 20:30:40');
	for (const options of [{}, { timeZone: 8 }, { timeZone: 0, isoDates: true }]) {
		const value = '={{ DateTime.fromISO("2026-03-02T20:30:40Z") }}';
		const conditions = [{ field: fields.deliveryTime, operator: 'eq', value }];
		const parameters = {
			operation: 'getAll',
			sheet: sheet(orders),
			filters: { conditions },
			options,
		};
		const result = await testbed.run(parameters, [{}], { timezone: 'UTC' });
		expect(result.items.map(({ json }) => json._recordId)).toEqual([5]);
	}
});
