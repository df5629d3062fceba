import { Agent, request } from 'undici';

import { customers, orders, tasks } from '../../service';
import { sheet } from '../recordTestbed';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();

describe('a delivery that is not for this node is refused with a valid signature: it is for another', () => {
	it.each([
		['account', { apname: 'other' }],
		['account, in capitals', { apname: 'ACME' }],
		['path', { path: '/sales/invoices' }],
		['path above', { path: '/sales' }],
		['path below', { path: '/sales/orders/1' }],
		['path with dots', { path: '/sales/x/../orders' }],
		['sheet', { sheetIndex: 2 }],
		['sheet, by a text', { sheetIndex: '11' }],
	])('%s', async (_what, changes) => {
		for (const verification of ['require', 'ifPresent', 'off']) {
			const listener = await trigger.listen({ verification });
			const answer = await listener.post(trigger.body([5], 'UPDATE', changes));
			expect(answer).toEqual({
				status: 401,
				body: expect.stringContaining('another account, path or sheet'),
			});
			expect(listener.executions).toEqual([]);
		}
		expect(trigger.keyRequests).toEqual([]);
	});

	it('sheet, whose own trigger takes it', async () => {
		const listener = await trigger.listen();
		const other = await trigger.listen({ sheet: sheet(customers) });
		const { data, webhooks } = trigger.service;
		const customersSheet = data.sheet(customers);
		const body = webhooks.body(customersSheet, 'UPDATE', [customersSheet.record(3)]);
		expect((await listener.post(body)).status).toBe(401);
		expect((await other.post(body)).status).toBe(200);
	});

	it.each(['/archive/2024/tasks', 'archive/2024/tasks', 'archive/2024/tasks/'])(
		'no other: its path is spelled %s',
		async (path) => {
			const listener = await trigger.listen({ sheet: sheet(tasks) });
			const body = trigger.body([5], 'UPDATE', { path, sheetIndex: 7 });
			expect((await listener.post(body)).status).toBe(200);
		},
	);

	it('no other: its sheet was chosen by a pasted address', async () => {
		const value = `${trigger.service.baseUrl}/acme/sales/orders/1?PAGEID=x#top`;
		const listener = await trigger.listen({ sheet: { __rl: true, mode: 'url', value } });
		expect((await listener.post(trigger.body([5]))).status).toBe(200);
	});
});

describe('a malformed delivery is answered with 400', () => {
	it.each([
		['no data', { data: undefined }, 'data is not an array'],
		['data that are an object', { data: { '5': {} } }, 'data is not an array'],
		['data that are ids', { data: [5] }, 'data is not an array'],
		['an unknown event', { eventType: 'RESTORE' }, 'eventType'],
		['no event', { eventType: undefined }, 'eventType'],
		['no account', { apname: undefined }, 'apname'],
		['a sheet that is no number', { sheetIndex: 'one' }, 'sheetIndex'],
		['a signature that is no text', { signature: 5 }, 'signature'],
	])('%s', async (_what, changes, reason) => {
		const listener = await trigger.listen();
		const answer = await listener.post(trigger.body([5], 'UPDATE', changes));
		expect(answer).toEqual({ status: 400, body: expect.stringContaining(reason) });
		expect(listener.executions).toEqual([]);
	});

	it.each([
		['no JSON, as text', 'data=1', 'text/plain', 400],
		['no JSON, which n8n finds itself', '{"data":[', 'application/json', 422],
		['nothing', '', 'application/json', 400],
		['a number', '5', 'application/json', 400],
		['not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'text/plain', 400],
		['nested without end', '['.repeat(100_000), 'text/plain', 400],
		['a form with files', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x', 400],
	])('%s', async (_what, body, type, status) => {
		const listener = await trigger.listen();
		expect((await listener.post(body, { 'content-type': type })).status).toBe(status);
		expect(listener.executions).toEqual([]);
		expect(listener.failures).toEqual([]);
	});
});

describe('a body', () => {
	const large = () => `"${'x'.repeat(16 * 1024 * 1024)}"`;

	it('over 16 MB is answered with 413 where n8n lets it in', async () => {
		const listener = await trigger.listen({}, { bodyLimit: 64 * 1024 * 1024 });
		const answer = await listener.post(large(), { 'content-type': 'text/plain' });
		expect(answer).toEqual({ status: 413, body: expect.stringContaining('too large') });
	});

	it('over 16 MB is usually stopped by n8n', async () => {
		const listener = await trigger.listen();
		const answer = await listener.post(large(), { 'content-type': 'text/plain' });
		expect(answer.status).toBe(500);
	});

	it('of a delivery below it is taken', async () => {
		const listener = await trigger.listen({ verification: 'off' });
		const data = [{ _svcId: 5, '1000011': 'x'.repeat(15 * 1024 * 1024) }];
		const body = trigger.body([], 'UPDATE', { data });
		expect((await listener.post(body)).status).toBe(200);
		expect(await listener.items()).toHaveLength(1);
	});
});

describe('verification', () => {
	const ids = '[5,6]';
	const unsigned = () => trigger.body([5], 'UPDATE', { signature: undefined });
	const forged = () => trigger.body([5], 'UPDATE', { signature: 'Zm9yZ2Vk' });
	const signed = () => trigger.body([5]);

	it.each([
		['require', [401, 401, 401, 200]],
		['ifPresent', [200, 200, 401, 200]],
		['off', [200, 200, 200, 200]],
	])(
		'%s: ids, unsigned, forged and signed deliveries are answered with %j',
		async (verification, expected) => {
			const listener = await trigger.listen({ verification });
			const statuses: number[] = [];
			for (const body of [ids, unsigned(), forged(), signed()]) {
				statuses.push((await listener.post(body)).status);
			}
			expect(statuses).toEqual(expected);
			expect(listener.executions).toHaveLength(expected.filter((status) => status === 200).length);
		},
	);

	it.each([
		['require', [true]],
		['ifPresent', [false, true]],
		['off', [false, false, false]],
	])('%s: the items tell whether they were verified', async (verification, expected) => {
		const listener = await trigger.listen({ verification });
		for (const body of [unsigned(), forged(), signed()]) await listener.post(body);
		expect((await listener.items()).map(({ verified }) => verified)).toEqual(expected);
	});

	it('required: the answer to ids names the checkbox to tick', async () => {
		const listener = await trigger.subscribe({}, { fullContent: false });
		trigger.service.people.edit(orders, 5, {});
		const [delivery] = await trigger.service.webhooks.settled();
		expect(delivery?.body).toBe('[5]');
		expect(delivery?.status).toBe(401);
		expect(delivery?.answer).toContain("Tick 'Send full content of the changed record'");
		expect(listener.executions).toEqual([]);
	});

	it('off: the service is never asked', async () => {
		const listener = await trigger.listen({ verification: 'off' });
		await listener.post(signed());
		expect(trigger.service.requests.count).toBe(0);
	});
});

describe('the answer', () => {
	it('says what is wrong and holds nothing of the node’s', async () => {
		const listener = await trigger.listen();
		const answers = await Promise.all(
			[
				'[5]',
				'{}',
				trigger.body([5], 'UPDATE', { signature: undefined }),
				trigger.body([5], 'UPDATE', { apname: 'x' }),
			].map(async (body) => await listener.post(body)),
		);
		for (const { body } of answers) {
			expect(body).not.toContain('acme');
			expect(body).not.toContain('sales');
			expect(body).not.toContain(trigger.service.baseUrl);
			expect(Object.keys(JSON.parse(body))).toEqual(['message']);
		}
	});

	it('comes before anything is looked up', async () => {
		const listener = await trigger.listen({ verification: 'off', options: { fetchRecord: true } });
		let lookUp = () => {};
		const held = new Promise<number>((resolve) => {
			lookUp = () => resolve(0);
		});
		trigger.service.switches.latencyMilliseconds = async () => await held;
		const agent = new Agent();
		const answer = await request(listener.url, { method: 'POST', body: '[5]', dispatcher: agent });
		expect(await answer.body.json()).toEqual({ message: 'Accepted' });
		expect(listener.executions).toEqual([]);
		lookUp();
		await listener.settled();
		expect(listener.executions).toHaveLength(1);
		await agent.close();
	});
});
