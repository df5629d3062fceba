import { orders } from '../../service';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { remark } = orders.fields;
const unchanged = { options: { skipUnchanged: true } };

function body(recordId: number, text: string): string {
	const others = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };
	return trigger.service.webhooks.signedBody([{ _svcId: recordId, [remark]: text }], others);
}

/** Sends deliveries that arrive together, and answers which remarks started the workflow. */
async function together(
	listener: TriggerListener,
	...told: Array<[recordId: number, text: string]>
): Promise<string[]> {
	const before = listener.executions.length;
	const answers = await listener.postTogether(...told.map(([id, text]) => body(id, text)));
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
	return listener.executions
		.slice(before)
		.flatMap(({ items }) => items)
		.map(({ json: { record } }) => String(Object(record)[remark]));
}

describe('skipUnchanged under deliveries that arrive together', () => {
	it('keeps a change and the change back', async () => {
		const listener = await trigger.listen(unchanged);
		await together(listener, [1, 'A']);
		expect(await together(listener, [1, 'B'], [1, 'A'])).toEqual(['B', 'A']);
	});

	it('keeps a change back that comes later, whichever static data were stored last', async () => {
		const listener = await trigger.listen(unchanged);
		const ids = [1, 2, 3, 4, 5, 6];
		const all = (text: string) => ids.map((id): [number, string] => [id, text]);
		for (const text of ['A', 'B', 'A']) {
			expect(await together(listener, ...all(text))).toEqual(all(text).map(() => text));
		}
	});

	it('drops what comes twice', async () => {
		const listener = await trigger.listen(unchanged);
		expect(await together(listener, [1, 'A'], [1, 'A'], [1, 'A'])).toEqual(['A']);
	});

	it('stores what all of them said, for the next start of n8n', async () => {
		const listener = await trigger.listen(unchanged);
		await together(listener, [1, 'A'], [2, 'A'], [3, 'A']);
		const stored = listener.staticData.seenRecords;
		expect(Array.isArray(stored) && stored.map((seen) => Object(seen).recordId).sort()).toEqual([
			'1',
			'2',
			'3',
		]);
	});
});
