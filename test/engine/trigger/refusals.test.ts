import type { TriggerListener } from '../runner';
import { secretsFoundIn } from '../secrets';
import { passMinutes, useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();

const refused = () => trigger.body([5], 'UPDATE', { signature: 'Zm9yZ2Vk', more: 'what was sent' });

/** Returns the warnings of the trigger in n8n's log. */
function warnings({ printed }: TriggerListener): string[] {
	return printed.filter((line) => line.includes('refused') && line.includes('"level":"warn"'));
}

describe('a rejected delivery in production', () => {
	it('a rejected delivery in production is a warning in the log of n8n, with the reason and without the content', async () => {
		const listener = await trigger.listen();
		expect((await listener.post(refused())).status).toBe(401);
		const [line, ...rest] = warnings(listener);
		expect(rest).toEqual([]);
		expect(line).toContain('The signature is not valid');
		expect(line).toContain('401');
		expect(line).toContain('nodeName');
		expect(line).not.toContain('what was sent');
		expect(line).not.toContain('Zm9yZ2Vk');
		expect(secretsFoundIn(String(line), trigger.service)).toEqual([]);
		expect(listener.executions).toEqual([]);
		expect(listener.failures).toEqual([]);
	});

	it('a rejected delivery is logged at most once a minute for each reason', async () => {
		const listener = await trigger.listen();
		for (let count = 0; count < 3; count++) await listener.post(refused());
		expect(warnings(listener)).toHaveLength(1);
		for (const body of ['[5]', '{}', '{}', '[5]']) await listener.post(body);
		expect(warnings(listener)).toHaveLength(3);
		passMinutes(1);
		for (let count = 0; count < 3; count++) await listener.post(refused());
		expect(warnings(listener)).toHaveLength(4);
	});

	it('a delivery is logged if the credential became invalid later, with details only for the user who tests it', async () => {
		const listener = await trigger.listen();
		const { id = '' } = listener.store.firstOf('sheetRecordsApi') ?? {};
		listener.store.edit(id, 'sheetRecordsApi', { baseUrl: 'http://localhost' });
		const answer = { status: 503, body: expect.not.stringContaining('HTTPS') };
		expect(await listener.post(trigger.body([5]))).toEqual(answer);
		expect(warnings(listener)).toEqual([expect.stringContaining('not set up')]);
		expect([listener.executions, listener.failures]).toEqual([[], []]);
		expect(await listener.postTest(refused())).toEqual(answer);
		expect(listener.executions[0]?.error).toMatchObject({
			message: expect.stringContaining('HTTPS'),
		});
	});
});

describe('a rejected delivery in a test run', () => {
	it.each([
		{ what: 'the signature', body: refused, status: 401, reason: 'The signature is not valid' },
		{ what: 'no delivery', body: () => '{}', status: 400, reason: 'eventType' },
	])(
		'a rejected delivery in a test run is an error of the node that says why: $what',
		async ({ body, status, reason }) => {
			const listener = await trigger.listen();
			expect((await listener.postTest(body())).status).toBe(status);
			const [execution, ...rest] = listener.executions;
			expect(rest).toEqual([]);
			expect(execution?.status).toBe('error');
			expect(execution?.error).toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringContaining(reason),
				description: expect.stringContaining(String(status)),
			});
			expect(warnings(listener)).toEqual([]);
		},
	);

	it('an accepted delivery in a test run is no error, also if it is repeated', async () => {
		const options = { skipUnchanged: true, skipRepeats: true };
		const listener = await trigger.listen({ options });
		const before = { ...listener.staticData };
		for (let count = 0; count < 2; count++) await listener.postTest(trigger.body([5]));
		expect(listener.executions.map(({ status, items }) => [status, items.length])).toEqual([
			['success', 1],
			['success', 1],
		]);
		expect(listener.staticData).toEqual(before);
		await listener.post(trigger.body([5]));
		expect(listener.executions).toHaveLength(3);
	});
});
