import { orders } from '../../service';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { remark } = orders.fields;
const unchanged = { options: { skipUnchanged: true } };
const repeats = { options: { skipRepeats: true } };

/** Returns a delivery from a short text: its event, and record IDs with remarks, such as `UPDATE 1=A 2=B`. */
function bodyOf(delivery: string): string {
	const [event = '', ...records] = delivery.split(' ');
	return trigger.readdressed(
		records.map((record) => {
			const [id, text = ''] = record.split('=');
			return { _svcId: Number(id), [remark]: text, '512': 'r' };
		}),
		event,
	);
}

/** Returns the events and remarks that started the workflow, from an execution on. */
function emittedRemarks(listener: TriggerListener, first = 0): string[] {
	return listener.executions.slice(first).map(({ items }) => {
		const [event] = items.map(({ json }) => json.event);
		const records = items.map(
			({ json: { recordId, record } }) => `${String(recordId)}=${String(Object(record)[remark])}`,
		);
		return [event, ...records].join(' ');
	});
}

/** Sends deliveries. Returns the events and remarks that started the workflow. */
async function after(listener: TriggerListener, ...deliveries: string[]): Promise<string[]> {
	const before = listener.executions.length;
	for (const delivery of deliveries) {
		expect((await listener.post(bodyOf(delivery))).status).toBe(200);
	}
	return emittedRemarks(listener, before);
}

/** Sends deliveries that arrive together. Returns the events and remarks that started the workflow. */
async function together(listener: TriggerListener, ...deliveries: string[]): Promise<string[]> {
	const before = listener.executions.length;
	const answers = await listener.postTogether(...deliveries.map(bodyOf));
	expect(answers.map(({ status }) => status)).toEqual(deliveries.map(() => 200));
	return emittedRemarks(listener, before);
}

describe('Skip Unchanged', () => {
	it('Skip Unchanged compares with the content of an event that is not selected', async () => {
		const listener = await trigger.listen({ ...unchanged, events: ['UPDATE'] });
		const emitted = await after(listener, 'CREATE 1=A', 'UPDATE 1=A', 'UPDATE 1=B');
		expect(emitted).toEqual(['UPDATE 1=B']);
		expect(await after(listener, 'CREATE 2=A')).toEqual([]);
		// The next start of n8n needs both deliveries.
		expect(String(listener.staticData.recentDeliveries).split(';')).toHaveLength(2);
	});

	it('Skip Unchanged stores nothing readable, nothing of rejected deliveries, and nothing if it is off', async () => {
		const [off, listener] = [await trigger.listen(), await trigger.listen(unchanged)];
		expect(await after(off, 'UPDATE 1=A', 'UPDATE 1=A')).toEqual(['UPDATE 1=A', 'UPDATE 1=A']);
		const forged = bodyOf('UPDATE 1=A').replace('"A"', '"B"');
		expect((await listener.post(forged)).status).toBe(401);
		expect(off.staticData).toEqual({});
		expect(listener.staticData).toEqual({ storedBy: expect.any(String) });
		await after(listener, 'UPDATE 1=somebody');
		expect(JSON.stringify(listener.staticData)).toContain('1:UPDATE,');
		expect(JSON.stringify(listener.staticData)).not.toContain('somebody');
	});

	it.each([{ options: { skipUnchanged: true } }, { watchFields: ['_subtable_2000001'] }])(
		'an empty subtable and a missing one are the same, and a count beside rows is no content: %j',
		async (parameters) => {
			const listener = await trigger.listen(parameters);
			const ofSheet = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: 'UPDATE' };
			const row = { 7: { '3000001': 'Desk' } };
			const shapes: Array<Record<string, number | Record<string, string>> | undefined> = [
				...[undefined, {}, { _count: 0 }],
				...[row, { ...row, _count: 1 }],
			];
			for (const rows of shapes) {
				const subtable = rows && { _subtable_2000001: rows };
				const record = { _svcId: 1, [remark]: 'A', ...subtable };
				await listener.post(trigger.service.webhooks.signedBody([record], ofSheet));
			}
			expect(listener.executions).toHaveLength(2);
		},
	);

	it('Skip Unchanged keeps the update of a deleted record that was restored as it was', async () => {
		const listener = await trigger.listen(unchanged);
		const deliveries = ['UPDATE 1=A', 'DELETE 1=A', 'UPDATE 1=A'];
		expect(await after(listener, ...deliveries, 'UPDATE 1=A')).toEqual(deliveries);
	});

	it('watched fields keep the update of a deleted record that was restored as it was', async () => {
		const listener = await trigger.listen({ watchFields: [remark] });
		const deliveries = ['UPDATE 1=A', 'DELETE 1=A', 'UPDATE 1=A'];
		expect(await after(listener, ...deliveries, 'UPDATE 1=A')).toEqual(deliveries);
	});

	it('Skip Unchanged with concurrent deliveries drops repetitions, and keeps a change and the change back', async () => {
		const listener = await trigger.listen(unchanged);
		expect(await together(listener, 'UPDATE 1=A', 'UPDATE 1=A')).toEqual(['UPDATE 1=A']);
		const backAndForth = ['UPDATE 1=B', 'UPDATE 1=A'];
		expect(await together(listener, ...backAndForth)).toEqual(backAndForth);
		const ofMany = (text: string) => [1, 2, 3, 4, 5, 6].map((id) => `UPDATE ${id}=${text}`);
		for (const text of ['B', 'C', 'B']) {
			expect(await together(listener, ...ofMany(text))).toEqual(ofMany(text));
		}
		// All of them are stored for the next start of n8n.
		expect(String(listener.staticData.recentDeliveries).split(';')).toHaveLength(6);
	});
});

describe('Skip Repeats', () => {
	it('Skip Repeats drops a delivery that was already accepted', async () => {
		const deliveries = ['CREATE 1=A 2=A', 'UPDATE 3=A', 'CREATE 1=A 2=A', 'CREATE 1=A 2=A'];
		const emitted = await after(await trigger.listen(repeats), ...deliveries);
		expect(emitted).toEqual(['CREATE 1=A 2=A', 'UPDATE 3=A']);
	});

	it('Skip Repeats keeps a delivery with a new record beside one that was already accepted', async () => {
		const listener = await trigger.listen(repeats);
		const emitted = await after(listener, 'UPDATE 6=A', 'UPDATE 6=A 5=B', 'UPDATE 6=A 5=B');
		expect(emitted).toEqual(['UPDATE 6=A', 'UPDATE 6=A 5=B']);
	});

	it('Skip Repeats drops nothing of another trigger of the workflow that has the same node ID', async () => {
		const ofOneWorkflow = async (name: string) =>
			await trigger.listen(repeats, { workflowId: 'workflow with equal node IDs', name });
		const first = await ofOneWorkflow('First');
		const second = await ofOneWorkflow('Second');
		for (const listener of [first, second]) {
			expect(await after(listener, 'UPDATE 1=A', 'UPDATE 1=A')).toEqual(['UPDATE 1=A']);
		}
	});

	it('Skip Repeats goes on by what n8n has stored when several processes receive deliveries', async () => {
		const listener = await trigger.listen(repeats);
		await after(listener, 'UPDATE 1=A');
		listener.changeStaticData({ ...listener.staticData, storedBy: 'another process' });
		expect(await after(listener, 'UPDATE 1=A', 'UPDATE 2=A', 'UPDATE 2=A')).toEqual(['UPDATE 2=A']);
		const warnings = (await listener.items()).map((item) => item._warning);
		expect(warnings).toEqual([undefined, undefined]);
	});

	it('Skip Unchanged reports on an item that several processes receive, so that nothing is skipped as unchanged', async () => {
		const listener = await trigger.listen({ options: { skipUnchanged: true } });
		await after(listener, 'UPDATE 1=A');
		listener.changeStaticData({ ...listener.staticData, storedBy: 'another process' });
		expect(await after(listener, 'UPDATE 1=A', 'UPDATE 1=A')).toHaveLength(2);
		const warnings = (await listener.items()).map((item) => item._warning);
		expect(warnings).toEqual([
			undefined,
			expect.stringContaining('Nothing is skipped as unchanged any more'),
			undefined,
		]);
	});

	it('the first item has the warnings of deliveries before it that started nothing', async () => {
		const filters = { conditions: [{ field: remark, operator: 'eq', value: 'A' }] };
		const listener = await trigger.listen({ filters, options: { skipUnchanged: true } });
		const wanted = { ...Object(listener.staticData.wanted), changes: 'damaged' };
		listener.changeStaticData({ ...listener.staticData, wanted, storedBy: 'another process' });
		expect(await after(listener, 'UPDATE 1=B', 'UPDATE 1=A')).toEqual(['UPDATE 1=A']);
		const [item] = await listener.items();
		expect(item?._warning).toContain('so they were looked up again');
		expect(item?._warning).toContain('Nothing is skipped as unchanged any more');
	});
});

it('Skip Unchanged and Skip Repeats remember deliveries after a restart of n8n', async () => {
	const listener = await trigger.listen({ options: { skipRepeats: true, skipUnchanged: true } });
	await after(listener, 'UPDATE 1=A', 'UPDATE 2=A', 'DELETE 3=A');
	await listener.restart();
	expect(await after(listener, 'UPDATE 1=A', 'UPDATE 2=B', 'DELETE 3=A')).toEqual(['UPDATE 2=B']);
});
