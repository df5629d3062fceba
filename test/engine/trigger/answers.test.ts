import { Agent, request } from 'undici';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();

it.each([
	{
		what: 'not JSON, which n8n itself rejects',
		body: () => '{"data":[',
		type: 'application/json',
		status: 422,
	},
	{
		what: 'a form with files',
		body: () => '--x\r\n\r\n--x--',
		type: 'multipart/form-data; boundary=x',
		status: 400,
	},
	// n8n can be configured to accept more than 16 MB.
	{
		what: 'too large',
		body: () => `"${'x'.repeat(16 * 1024 * 1024)}"`,
		type: 'text/plain',
		status: 413,
	},
])('a body that is not a delivery is rejected: $what', async ({ body, type, status }) => {
	const listener = await trigger.listen({}, { bodyLimit: 64 * 1024 * 1024 });
	const headers = type === undefined ? undefined : { 'content-type': type };
	expect((await listener.post(body(), headers)).status).toBe(status);
	expect([listener.executions, listener.failures]).toEqual([[], []]);
});

describe('the answer to a delivery', () => {
	it('the answer to a delivery names the problem, and contains nothing of the node', async () => {
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

	it('the answer to a delivery is sent before any request to the service', async () => {
		const listener = await trigger.listen({ verification: 'off', options: { fetchRecord: true } });
		let lookUp = () => {};
		const lookUpAllowed = new Promise<void>((resolve) => (lookUp = resolve));
		trigger.service.beforeRequest(async () => await lookUpAllowed);
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
