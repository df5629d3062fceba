import { request } from 'undici';

import { customers, orders } from '../../service';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { remark, reference } = orders.fields;

/** What the workflow was told, as event and record id, one list for each execution. */
async function told(listener: TriggerListener): Promise<unknown[][]> {
	await trigger.service.webhooks.settled();
	await listener.settled();
	return listener.executions.map(({ items }) =>
		items.map(({ json }) => [json.event, json.recordId]),
	);
}

describe('changes of many records start the workflow once', () => {
	it('a mass create, with an item for each record', async () => {
		const listener = await trigger.subscribe();
		const { people } = trigger.service;
		const created = people.createMany(
			orders,
			['A', 'B', 'C'].map((text) => ({ [reference]: text })),
		);
		expect(created).toHaveLength(3);
		expect(await told(listener)).toEqual([created.map(({ id }) => ['CREATE', id])]);
		expect((await listener.items()).map(({ record }) => record)).toEqual(
			['A', 'B', 'C'].map((text) => expect.objectContaining({ [reference]: text })),
		);
	});

	it('an import through the API, for each of its events', async () => {
		const listener = await trigger.listen();
		const { data, identities, webhooks, baseUrl } = trigger.service;
		webhooks.register(orders, listener.url);
		const url = 'https://exports.example/orders.json';
		data.sheet(orders).periodicImport = { enabled: true, url };
		const { orderNumber } = orders.fields;
		const numberOf = (id: number) => data.record(orders, id).text(orderNumber);
		const rows = [numberOf(4), 'NEW-1', numberOf(2), 'NEW-2'];
		data.importSources.set(
			url,
			rows.map((text) => ({ [orderNumber]: text })),
		);
		const answer = await request(`${baseUrl}/acme/${orders.path}/${orders.index}?api`, {
			method: 'POST',
			headers: {
				authorization: `Basic ${identities.admin.apiKey}`,
				'content-type': 'application/json',
			},
			body: '{"importData":""}',
		});
		expect(await answer.body.json()).toMatchObject({ status: 'SUCCESS' });
		expect(await told(listener)).toEqual([
			[
				['CREATE', 2501],
				['CREATE', 2502],
			],
			[
				['UPDATE', 4],
				['UPDATE', 2],
			],
		]);
	});
});

describe('a delivery', () => {
	it('that comes late tells what was in the record when it was sent', async () => {
		const listener = await trigger.listen();
		const { data, people } = trigger.service;
		data.record(orders, 5).set(remark, 'then');
		const late = trigger.body([5]);
		people.edit(orders, 5, { [remark]: 'now' });
		people.delete(orders, 5);
		expect((await listener.post(late)).status).toBe(200);
		const [item] = await listener.items();
		expect(item).toMatchObject({ event: 'UPDATE', recordId: 5, record: { [remark]: 'then' } });
	});

	it('is not sent of a change on a related sheet', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.edit(customers, 5, { [customers.fields.city]: 'Oslo' });
		expect(await told(listener)).toEqual([]);
	});
});
