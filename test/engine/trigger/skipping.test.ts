import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { remark } = orders.fields;
const unchanged = { options: { skipUnchanged: true } };
const repeats = { options: { skipRepeats: true } };

/** A delivery in short: its event, and the IDs of records with their remarks, as in `UPDATE 1=A 2=B`. */
function bodyOf(delivery: string): string {
	const [event = '', ...records] = delivery.split(' ');
	return signed(
		records.map((record) => {
			const [id, text = ''] = record.split('=');
			return { _svcId: Number(id), [remark]: text, '512': 'r' };
		}),
		event,
	);
}

function signed(data: Array<Record<string, string | number>>, eventType = 'UPDATE'): string {
	const others = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType };
	return trigger.service.webhooks.signedBody(data, others);
}

/** What started the workflow, in the same words, from some execution on. */
function told(listener: TriggerListener, first = 0): string[] {
	return listener.executions.slice(first).map(({ items }) => {
		const [event] = items.map(({ json }) => json.event);
		const records = items.map(
			({ json: { recordId, record } }) => `${String(recordId)}=${String(Object(record)[remark])}`,
		);
		return [event, ...records].join(' ');
	});
}

/** Sends deliveries, and answers which of them, or what of them, started the workflow. */
async function after(listener: TriggerListener, ...deliveries: string[]): Promise<string[]> {
	const before = listener.executions.length;
	for (const delivery of deliveries) {
		expect((await listener.post(bodyOf(delivery))).status).toBe(200);
	}
	return told(listener, before);
}

/** The same with deliveries that arrive together. */
async function together(listener: TriggerListener, ...deliveries: string[]): Promise<string[]> {
	const before = listener.executions.length;
	const answers = await listener.postTogether(...deliveries.map(bodyOf));
	expect(answers.map(({ status }) => status)).toEqual(deliveries.map(() => 200));
	return told(listener, before);
}

type Case = [what: string, parameters: INodeParameters, deliveries: string[], told: string[]];

const casesOfUnchanged: Case[] = [
	[
		'drops them from a delivery of many, too, and keeps the order of the others',
		unchanged,
		['UPDATE 3=A 1=A 2=A', 'UPDATE 3=B 1=A 2=B'],
		['UPDATE 3=A 1=A 2=A', 'UPDATE 3=B 2=B'],
	],
	[
		'keeps a change back to what was before: A → B → A',
		unchanged,
		['UPDATE 1=A', 'UPDATE 1=B', 'UPDATE 1=A', 'UPDATE 1=A', 'UPDATE 1=B'],
		['UPDATE 1=A', 'UPDATE 1=B', 'UPDATE 1=A', 'UPDATE 1=B'],
	],
	[
		'keeps a change back within one delivery',
		unchanged,
		['UPDATE 1=A', 'UPDATE 1=B 1=A'],
		['UPDATE 1=A', 'UPDATE 1=B 1=A'],
	],
	[
		'knows records apart when they interleave',
		unchanged,
		['UPDATE 1=A', 'UPDATE 2=A', 'UPDATE 1=A', 'UPDATE 2=B', 'UPDATE 1=A', 'UPDATE 2=B'],
		['UPDATE 1=A', 'UPDATE 2=A', 'UPDATE 2=B'],
	],
	[
		'never drops new, deleted or restored records',
		unchanged,
		[
			'UPDATE 1=A',
			'CREATE 1=A',
			'UPDATE 1=A',
			'DELETE 1=A',
			'CREATE 1=A',
			'DELETE 1=A',
			'UPDATE 1=A',
		],
		['UPDATE 1=A', 'CREATE 1=A', 'DELETE 1=A', 'CREATE 1=A', 'DELETE 1=A', 'UPDATE 1=A'],
	],
	[
		'compares with what an event that was not chosen said',
		{ ...unchanged, events: ['UPDATE'] },
		['CREATE 1=A', 'UPDATE 1=A', 'UPDATE 1=B'],
		['UPDATE 1=B'],
	],
];

describe('skipUnchanged', () => {
	it.each(casesOfUnchanged)('it %s', async (_what, parameters, deliveries, expected) => {
		expect(await after(await trigger.listen(parameters), ...deliveries)).toEqual(expected);
	});

	it('drops the rows of a list page that nobody changed', async () => {
		const listener = await trigger.subscribe(unchanged);
		const shown = [1, 2, 3, 4];
		trigger.service.people.editOnListPage(orders, shown, {});
		trigger.service.people.editOnListPage(orders, shown, { 3: { [remark]: 'new' } });
		await trigger.service.webhooks.settled();
		const items = await listener.items();
		expect(items.map(({ recordId }) => recordId)).toEqual([1, 2, 3, 4, 3]);
		expect(items[4]).toHaveProperty(['record', remark], 'new');
	});

	it('does not mind when a record was saved, nor the order of its keys', async () => {
		const listener = await trigger.listen(unchanged);
		const bodies = [
			signed([{ _svcId: 1, '109': '2026/01/01 10:00:00', _update_date: 'x', a: 'same', b: 1 }]),
			signed([{ b: 1, a: 'same', '109': '2026/01/02 11:00:00', _update_date: 'y', _svcId: 1 }]),
		];
		for (const body of bodies) await listener.post(body);
		expect(listener.executions).toHaveLength(1);
	});

	it('remembers 2,000 records and no more: the oldest starts the workflow once more', async () => {
		const listener = await trigger.listen(unchanged);
		const all = Array.from({ length: 2_000 }, (_, index) => `${index + 1}=A`).join(' ');
		await after(listener, `UPDATE ${all}`);
		expect(listener.staticDataLength).toBeLessThan(400_000);
		expect(await after(listener, 'UPDATE 2001=A', 'UPDATE 3=A', 'UPDATE 1=A')).toEqual([
			'UPDATE 2001=A',
			'UPDATE 1=A',
		]);
		expect(listener.staticData.recentDeliveries).toHaveLength(2_000);
	});

	it('keeps nothing readable of the records, nothing that was refused, and nothing unless it is on', async () => {
		const [off, listener] = [await trigger.listen(), await trigger.listen(unchanged)];
		expect(await after(off, 'UPDATE 1=A', 'UPDATE 1=A')).toEqual(['UPDATE 1=A', 'UPDATE 1=A']);
		const forged = bodyOf('UPDATE 1=A').replace('"A"', '"B"');
		expect((await listener.post(forged)).status).toBe(401);
		expect([off.staticData, listener.staticData]).toEqual([{}, {}]);
		await after(listener, 'UPDATE 1=somebody');
		expect(JSON.stringify(listener.staticData)).toContain('"recordId":"1"');
		expect(JSON.stringify(listener.staticData)).not.toContain('somebody');
	});

	it('stores what an event that was not chosen said, for the next start of n8n', async () => {
		const listener = await trigger.listen({ ...unchanged, events: ['UPDATE'] });
		expect(await after(listener, 'CREATE 1=A 2=A')).toEqual([]);
		expect(listener.staticData.recentDeliveries).toHaveLength(2);
	});

	it('works for records that were fetched, and for one that was gone in between', async () => {
		const options = { fetchRecord: true, skipUnchanged: true };
		const listener = await trigger.listen({ verification: 'off', options });
		for (let count = 0; count < 2; count++) await listener.post('[5]');
		trigger.service.people.delete(orders, 5);
		await listener.post('[5]');
		trigger.service.people.restore(orders, 5);
		await listener.post('[5]');
		expect((await listener.items()).map(({ deleted = false }) => deleted)).toEqual([
			false,
			true,
			false,
		]);
	});

	it('under deliveries that arrive together drops what comes twice, keeps a change and the change back', async () => {
		const listener = await trigger.listen(unchanged);
		expect(await together(listener, 'UPDATE 1=A', 'UPDATE 1=A')).toEqual(['UPDATE 1=A']);
		const backAndForth = ['UPDATE 1=B', 'UPDATE 1=A'];
		expect(await together(listener, ...backAndForth)).toEqual(backAndForth);
		const ofMany = (text: string) => [1, 2, 3, 4, 5, 6].map((id) => `UPDATE ${id}=${text}`);
		for (const text of ['B', 'C', 'B']) {
			expect(await together(listener, ...ofMany(text))).toEqual(ofMany(text));
		}
		// For the next start of n8n, all of them are stored.
		expect(listener.staticData.recentDeliveries).toHaveLength(6);
	});
});

const casesOfRepeats: Case[] = [
	[
		'drops a delivery that was taken already',
		repeats,
		['UPDATE 1=A 2=A', 'UPDATE 1=A 2=A', 'UPDATE 1=A 2=A'],
		['UPDATE 1=A 2=A'],
	],
	[
		'drops it after deliveries of other records',
		repeats,
		['CREATE 1=A', 'CREATE 2=B', 'CREATE 1=A'],
		['CREATE 1=A', 'CREATE 2=B'],
	],
	[
		'keeps a change back to what was before: A → B → A',
		repeats,
		['UPDATE 1=A', 'UPDATE 1=B', 'UPDATE 1=A'],
		['UPDATE 1=A', 'UPDATE 1=B', 'UPDATE 1=A'],
	],
	[
		'keeps a delivery in which any record is another',
		repeats,
		['UPDATE 1=A 2=A', 'UPDATE 1=A 2=B'],
		['UPDATE 1=A 2=A', 'UPDATE 1=A 2=B'],
	],
	[
		'keeps another event with the same content',
		repeats,
		['CREATE 1=A', 'UPDATE 1=A', 'DELETE 1=A'],
		['CREATE 1=A', 'UPDATE 1=A', 'DELETE 1=A'],
	],
	[
		'keeps a second deletion after a restoration that was not chosen',
		{ ...repeats, events: ['DELETE'] },
		['DELETE 1=A', 'CREATE 1=A', 'DELETE 1=A'],
		['DELETE 1=A', 'DELETE 1=A'],
	],
];

describe('skipRepeats', () => {
	it.each(casesOfRepeats)('it %s', async (_what, parameters, deliveries, expected) => {
		expect(await after(await trigger.listen(parameters), ...deliveries)).toEqual(expected);
	});

	it('keeps an update whose content is the same but saved later', async () => {
		const listener = await trigger.listen(repeats);
		for (const time of ['10:00:00', '11:00:00', '11:00:00']) {
			await listener.post(signed([{ _svcId: 1, '109': `2026/01/01 ${time}` }]));
		}
		expect(listener.executions).toHaveLength(2);
	});

	it('keeps records without an id', async () => {
		const listener = await trigger.listen(repeats);
		for (let count = 0; count < 2; count++) await listener.post(signed([{ [remark]: 'A' }]));
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([null, null]);
	});
});

it('both remember over a restart of n8n', async () => {
	const listener = await trigger.listen({ options: { skipRepeats: true, skipUnchanged: true } });
	await after(listener, 'UPDATE 1=A', 'UPDATE 2=A', 'DELETE 3=A');
	await listener.restart();
	expect(await after(listener, 'UPDATE 1=A', 'UPDATE 2=B', 'DELETE 3=A')).toEqual(['UPDATE 2=B']);
});
