import { Agent, request } from 'undici';

import { customers, tasks } from '../../service';
import { sheet } from '../recordTestbed';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();

describe('a delivery that is not for this node is refused with a valid signature: it is for another', () => {
	it.each(['require', 'ifPresent', 'off'])(
		'account, path or sheet: verification %s',
		async (verification) => {
			const listener = await trigger.listen({ verification });
			for (const changes of [
				{ apname: 'other' },
				{ apname: 'ACME' },
				...['/sales/invoices', '/sales', '/sales/orders/1', '/sales/x/../orders'].map((path) => ({
					path,
				})),
				{ sheetIndex: 2 },
				{ sheetIndex: '11' },
			]) {
				const answer = await listener.post(trigger.body([5], 'UPDATE', changes));
				expect([changes, answer]).toEqual([
					changes,
					{ status: 401, body: expect.stringContaining('another account, path or sheet') },
				]);
			}
			expect(listener.executions).toEqual([]);
			expect(trigger.keyRequests).toEqual([]);
		},
	);

	it('sheet, whose own trigger takes it', async () => {
		const listener = await trigger.listen();
		const other = await trigger.listen({ sheet: sheet(customers) });
		const { data, webhooks } = trigger.service;
		const customersSheet = data.sheet(customers);
		const body = webhooks.body(customersSheet, 'UPDATE', [customersSheet.record(3)]);
		expect((await listener.post(body)).status).toBe(401);
		expect((await other.post(body)).status).toBe(200);
	});

	it('no other: its path is spelled in another way, or its sheet was chosen by an address', async () => {
		const listener = await trigger.listen({ sheet: sheet(tasks) });
		for (const path of ['/archive/2024/tasks', 'archive/2024/tasks', 'archive/2024/tasks/']) {
			const body = trigger.body([5], 'UPDATE', { path, sheetIndex: 7 });
			expect((await listener.post(body)).status).toBe(200);
		}
		const value = `${trigger.service.baseUrl}/acme/sales/orders/1?PAGEID=x#top`;
		const pasted = await trigger.listen({ sheet: { __rl: true, mode: 'url', value } });
		expect((await pasted.post(trigger.body([5]))).status).toBe(200);
	});
});

describe('what is no delivery', () => {
	it.each([
		['data that are no list', () => trigger.body([5], 'UPDATE', { data: {} }), undefined, 400],
		['an unknown event', () => trigger.body([5], 'UPDATE', { eventType: 'X' }), undefined, 400],
		['no JSON, as text', () => 'data=1', 'text/plain', 400],
		['no JSON, which n8n finds itself', () => '{"data":[', 'application/json', 422],
		['nothing', () => '', 'application/json', 400],
		[
			'not UTF-8',
			() => Buffer.from(trigger.body([5], 'UPDATE', { x: 'ÿ' }), 'latin1'),
			'text/plain',
			400,
		],
		['a form with files', () => '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x', 400],
		// n8n lets in what is over 16 MB where it is told to.
		['too large', () => `"${'x'.repeat(16 * 1024 * 1024)}"`, 'text/plain', 413],
	])('is refused: %s', async (_what, body, type, status) => {
		const listener = await trigger.listen({}, { bodyLimit: 64 * 1024 * 1024 });
		const headers = type === undefined ? undefined : { 'content-type': type };
		expect((await listener.post(body(), headers)).status).toBe(status);
		expect(listener.executions).toEqual([]);
		expect(listener.failures).toEqual([]);
	});
});

describe('the answer', () => {
	it('says what is wrong and holds nothing of the node’s', async () => {
		const listener = await trigger.listen();
		for (const [sent, reason] of [
			['[5]', 'not signed'],
			['{}', 'eventType'],
			[trigger.body([5], 'UPDATE', { signature: undefined }), 'not signed'],
			[trigger.body([5], 'UPDATE', { apname: 'x' }), 'another account'],
		] as const) {
			const { body } = await listener.post(sent);
			expect(JSON.parse(body)).toEqual({ message: expect.stringContaining(reason) });
			expect(body).not.toMatch(/acme|sales|localhost/);
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
