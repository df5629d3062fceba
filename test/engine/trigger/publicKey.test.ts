import { orders } from '../../service';
import { until } from '../../until';
import { useCancellable } from '../cancellable';
import { exportOrder } from '../document/documentTestbed';
import { passMinutes, useFreshTriggerTestbed } from './triggerTestbed';

const trigger = useFreshTriggerTestbed();

const startCancellable = useCancellable(trigger.testbed);

async function statusOf(listener: Awaited<ReturnType<typeof trigger.listen>>): Promise<number> {
	return (await listener.post(trigger.body([5]))).status;
}

describe('the public key', () => {
	it('is fetched once for many deliveries, without the mark of an API request', async () => {
		const listener = await trigger.listen();
		for (let count = 0; count < 20; count++) expect(await statusOf(listener)).toBe(200);
		passMinutes(600);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests.map(({ rawUrl }) => rawUrl)).toEqual([
			'/api/http/getWebhookSignaturePublicKey.jsp?type=string',
		]);
	});

	it('is fetched once for deliveries that come together', async () => {
		const listener = await trigger.listen();
		const statuses = await Promise.all(
			Array.from({ length: 20 }, async () => await statusOf(listener)),
		);
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(trigger.keyRequests).toHaveLength(1);
	});

	it('is shared by the triggers of one service', async () => {
		const [one, other] = [await trigger.listen(), await trigger.listen()];
		expect(await statusOf(one)).toBe(200);
		expect(await statusOf(other)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(1);
	});

	it('that came without a check of the certificate is trusted by nobody who checks it', async () => {
		const unchecked = trigger.testbed.credentials('member', { allowUnauthorizedCerts: true });
		const [careless, careful] = [
			await trigger.listen({}, { credentials: unchecked }),
			await trigger.listen(),
		];
		const { key } = trigger.service.webhooks;
		key.rotate();
		const forged = trigger.body([5]);
		const body = key.der;
		key.reset();
		// Somebody between n8n and the service answers in its place.
		trigger.service.faults.inject({ kind: 'body', body, when: ({ path }) => path.includes('Key') });
		expect((await careless.post(forged)).status).toBe(200);
		expect((await careful.post(forged)).status).toBe(401);
		expect(await statusOf(careful)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(2);
	});

	it('that has changed is picked up without a restart', async () => {
		const listener = await trigger.listen();
		expect(await statusOf(listener)).toBe(200);
		passMinutes(2);
		trigger.service.webhooks.key.rotate();
		expect(await statusOf(listener)).toBe(200);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(2);
		expect(listener.executions).toHaveLength(3);
	});

	it('that has changed within a minute is picked up after it, and the old one is refused then', async () => {
		const listener = await trigger.listen();
		const old = trigger.body([5]);
		expect((await listener.post(old)).status).toBe(200);
		trigger.service.webhooks.key.rotate();
		expect(await statusOf(listener)).toBe(401);
		expect(trigger.keyRequests).toHaveLength(1);
		passMinutes(1);
		expect(await statusOf(listener)).toBe(200);
		expect((await listener.post(old)).status).toBe(401);
		expect(trigger.keyRequests).toHaveLength(2);
	});

	it('stays when it cannot be fetched again: forged deliveries do no harm', async () => {
		const listener = await trigger.listen();
		expect(await statusOf(listener)).toBe(200);
		passMinutes(2);
		trigger.service.faults.inject({ kind: 'body', times: 99, body: '<title>Maintenance</title>' });
		const forged = trigger.body([5], 'UPDATE', { signature: 'forged' });
		expect((await listener.post(forged)).status).toBe(401);
		expect(await statusOf(listener)).toBe(200);
		expect((await listener.post(forged)).status).toBe(401);
		expect(trigger.keyRequests).toHaveLength(2);
	});

	it.each([
		['a web page', { kind: 'body' as const, body: '<html><title>Login</title>' }],
		['a refusal', { kind: 'body' as const, body: '{"status":"ERROR","code":106,"msg":"No"}' }],
		[
			'a redirect to another host',
			{ kind: 'redirect' as const, location: 'https://other.example/' },
		],
		['nothing', { kind: 'body' as const, body: '' }],
		['half of a key', { kind: 'truncateSilently' as const }],
	])('that cannot be had is told with 503: the service answers %s', async (_what, fault) => {
		const listener = await trigger.listen();
		trigger.service.faults.inject({ ...fault, times: 99 });
		const answer = await listener.post(trigger.body([5]));
		expect(answer).toEqual({ status: 503, body: expect.stringContaining('public key') });
		trigger.service.faults.clear();
		expect(await statusOf(listener)).toBe(503);
		passMinutes(1);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
		expect(listener.failures).toEqual([]);
	});

	it('is fetched with a session, too', async () => {
		const credentials = trigger.testbed.sessionCredentials();
		const listener = await trigger.listen({ authentication: 'session' }, { credentials });
		expect(await statusOf(listener)).toBe(200);
	});

	it.each(['apiKey', 'session'])(
		'is fetched without identity, so that no %s that is refused stands in the way',
		async (authentication) => {
			const { baseUrl, account } = trigger.service;
			const wrong = { baseUrl, account, requestsPerSecond: 0 };
			const credentials = {
				sheetRecordsApi: { ...wrong, apiKey: 'not-a-key' },
				sheetRecordsSessionApi: { ...wrong, email: 'nobody@acme.example', password: 'not it' },
			};
			const listener = await trigger.listen({ authentication }, { credentials });
			expect(await statusOf(listener)).toBe(200);
			expect(trigger.testbed.logins).toEqual([]);
			expect(trigger.keyRequests.map(({ headers }) => headers)).toEqual([
				expect.not.objectContaining({ authorization: expect.anything() }),
			]);
		},
	);

	it('that could not be had is asked for again after some seconds', async () => {
		const listener = await trigger.listen();
		const fault = { kind: 'body' as const, body: '<html><title>Restarting</title></html>' };
		trigger.service.faults.inject({ ...fault, times: 1 });
		expect(await statusOf(listener)).toBe(503);
		expect(await statusOf(listener)).toBe(503);
		expect(trigger.keyRequests).toHaveLength(1);
		passMinutes(0.1);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(2);
	});
});

describe('beside a download of the same account', () => {
	/** A download that goes on until the test has ended. */
	async function startDownload() {
		const { requests } = trigger.service;
		const end = startCancellable(exportOrder(5));
		await until(() => requests.all().some(({ path }) => path.endsWith('.pdf')));
		return end;
	}

	it.each([
		['stands still in the middle', { kind: 'stall' as const }],
		['is not answered', { kind: 'hang' as const }],
	])('that %s, the key is fetched at once', async (_what, fault) => {
		const listener = await trigger.listen();
		trigger.service.faults.inject({ ...fault, when: ({ path }) => path.endsWith('.pdf') });
		const end = await startDownload();
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(1);
		expect((await end()).status).not.toBe('success');
	});

	it('that takes long, the key is fetched at once, and the download comes whole', async () => {
		const listener = await trigger.listen();
		let answer = () => {};
		const answering = new Promise<number>((resolve) => (answer = () => resolve(0)));
		trigger.service.switches.latencyMilliseconds = ({ path }) =>
			path.endsWith('.pdf') ? answering : 0;
		const download = trigger.testbed.run(exportOrder(5));
		await until(() => trigger.service.requests.count > 0);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests.map(({ inFlightAtStart }) => inFlightAtStart)).toEqual([1]);
		answer();
		expect((await download).status).toBe('success');
	});
});

describe('a pasted key', () => {
	it('that does not fit the signature refuses it, and the service is not asked', async () => {
		const { key } = trigger.service.webhooks;
		const publicKeyPem = key.pem;
		key.rotate();
		const listener = await trigger.listen({ publicKeySource: 'pem', publicKeyPem });
		expect(await statusOf(listener)).toBe(401);
		expect(trigger.service.requests.count).toBe(0);
	});

	it('that is none keeps the workflow from becoming active, with a word on what to paste', async () => {
		const pasted = { publicKeySource: 'pem', publicKeyPem: 'MIIB' };
		await expect(trigger.listen(pasted)).rejects.toMatchObject({
			message: expect.stringContaining('not an RSA public key'),
			description: expect.stringContaining('Paste it whole'),
		});
	});

	it('that is none does not matter without verification', async () => {
		const pasted = { verification: 'off', publicKeySource: 'pem', publicKeyPem: 'MIIB' };
		expect(await statusOf(await trigger.listen(pasted))).toBe(200);
	});
});

describe('without the service', () => {
	it('verified deliveries are still taken: the key is known', async () => {
		const listener = await trigger.subscribe();
		expect(await statusOf(listener)).toBe(200);
		trigger.service.requests.clear();
		trigger.service.people.edit(orders, 5, { [orders.fields.remark]: 'x' });
		await trigger.service.webhooks.settled();
		expect(await listener.items()).toHaveLength(2);
		expect(trigger.service.requests.count).toBe(0);
	});
});
