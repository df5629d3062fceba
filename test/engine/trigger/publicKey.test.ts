import { generateKeyPairSync } from 'node:crypto';
import type { Fault } from '../../service';
import { until } from '../../until';
import { exportOrder } from '../document/documentTestbed';
import type { TriggerListener } from '../runner';
import { passMinutes, useFreshTriggerTestbed } from './triggerTestbed';

const trigger = useFreshTriggerTestbed();
const { publicKey: ellipticKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherAlgorithm = ellipticKey.export({ type: 'spki', format: 'pem' }).toString();

async function statusOf(listener?: TriggerListener): Promise<number | undefined> {
	return (await listener?.post(trigger.body([5])))?.status;
}

describe('the public key', () => {
	it('the public key is fetched once for many deliveries, without the api flag of API requests', async () => {
		const listener = await trigger.listen();
		for (let count = 0; count < 3; count++) expect(await statusOf(listener)).toBe(200);
		passMinutes(600);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests.map(({ rawUrl }) => rawUrl)).toEqual([
			'/api/http/getWebhookSignaturePublicKey.jsp?type=string',
		]);
	});

	it('the public key is fetched once for concurrent deliveries to several triggers of one service', async () => {
		const listeners = [await trigger.listen(), await trigger.listen()];
		const statuses = await Promise.all(
			Array.from({ length: 20 }, async (_, index) => await statusOf(listeners[index % 2])),
		);
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(trigger.keyRequests).toHaveLength(1);
	});

	it('a public key that was fetched without a certificate check is not used by triggers that check it', async () => {
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
		// An attacker between n8n and the service answers instead of it.
		trigger.service.faults.inject({ kind: 'body', body, when: ({ path }) => path.includes('Key') });
		expect((await careless.post(forged)).status).toBe(200);
		expect((await careful.post(forged)).status).toBe(401);
		expect(await statusOf(careful)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(2);
	});

	it('a new public key is used within a minute without a restart, and the old one is rejected then', async () => {
		const listener = await trigger.listen();
		const old = trigger.body([5]);
		expect((await listener.post(old)).status).toBe(200);
		const forged = trigger.body([5], 'UPDATE', {
			signature: Buffer.alloc(256, 7).toString('base64'),
		});
		for (let forgeries = 0; forgeries < 3; forgeries++) {
			expect((await listener.post(forged)).status).toBe(401);
		}
		// A forged delivery right before the new key does no harm.
		trigger.service.webhooks.key.rotate();
		expect(await statusOf(listener)).toBe(200);
		expect((await listener.post(old)).status).toBe(401);
		expect(trigger.keyRequests).toHaveLength(6);
		trigger.service.webhooks.key.rotate();
		expect(await statusOf(listener)).toBe(401);
		passMinutes(1);
		expect(await statusOf(listener)).toBe(200);
		expect(trigger.keyRequests).toHaveLength(7);
	});

	it('the public key stays valid if it cannot be fetched again: forged deliveries do no harm', async () => {
		const listener = await trigger.listen();
		expect(await statusOf(listener)).toBe(200);
		passMinutes(2);
		trigger.service.faults.inject({ kind: 'body', times: 99, body: '<title>Maintenance</title>' });
		const forged = trigger.body([5], 'UPDATE', { signature: 'forged' });
		// The signature may be valid by a new key that cannot be downloaded.
		const reason =
			'The public key of the service cannot be downloaded: The service seems to be in maintenance';
		const unavailable = { status: 503, body: expect.stringContaining(reason) };
		expect(await listener.post(forged)).toEqual(unavailable);
		expect(await statusOf(listener)).toBe(200);
		expect(await listener.post(forged)).toEqual(unavailable);
		expect(trigger.keyRequests).toHaveLength(3);
	});

	it('a genuine delivery after a change of the key is answered with 503 and the reason if the new key cannot be downloaded', async () => {
		const listener = await trigger.listen();
		expect(await statusOf(listener)).toBe(200);
		trigger.service.webhooks.key.rotate();
		trigger.service.faults.inject({ kind: 'status', status: 500, times: 99 });
		expect(await listener.post(trigger.body([5]))).toEqual({
			status: 503,
			body: expect.stringContaining('HTTP 500'),
		});
		trigger.service.faults.clear();
		passMinutes(1);
		expect(await statusOf(listener)).toBe(200);
	});

	it.each<[what: string, fault: Fault]>([
		['an empty answer', { kind: 'body', body: '' }],
		['an empty key', { kind: 'body', body: '{"publicKey":""}' }],
		['a key of another algorithm', { kind: 'body', body: otherAlgorithm }],
		['a redirect to another site', { kind: 'redirect', location: 'https://other.example/key' }],
		['half of a key', { kind: 'truncateSilently' }],
		['status 204', { kind: 'status', status: 204 }],
	])(
		'with %s in place of a new public key, its deliveries get 503 and those of the old key 200',
		async (_what, fault) => {
			const listener = await trigger.listen();
			const old = trigger.body([5]);
			expect((await listener.post(old)).status).toBe(200);
			trigger.service.webhooks.key.rotate();
			trigger.service.faults.inject({ ...fault, times: 99 });
			expect(await statusOf(listener)).toBe(503);
			expect((await listener.post(old)).status).toBe(200);
			trigger.service.faults.clear();
			passMinutes(1);
			expect(await statusOf(listener)).toBe(200);
			expect((await listener.post(old)).status).toBe(401);
		},
	);

	it.each<[what: string, fault: Fault]>([
		['a web page', { kind: 'body', body: '<html><title>Login</title>' }],
	])(
		'a public key that cannot be fetched is answered with 503, and requested again after 5 s: %s',
		async (_what, fault) => {
			const listener = await trigger.listen();
			trigger.service.faults.inject({ ...fault, times: 99 });
			const answer = await listener.post(trigger.body([5]));
			expect(answer).toEqual({ status: 503, body: expect.stringContaining('public key') });
			trigger.service.faults.clear();
			const { length } = trigger.keyRequests;
			expect(await statusOf(listener)).toBe(503);
			expect(trigger.keyRequests).toHaveLength(length);
			passMinutes(0.1);
			expect(await statusOf(listener)).toBe(200);
			expect(trigger.keyRequests).toHaveLength(length + 1);
			expect(listener.failures).toEqual([]);
		},
	);

	it.each(['apiKey', 'session'])(
		'the public key is fetched without identity, so a rejected %s does not prevent it',
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
});

it('the public key is fetched at once during a long download of the same account, and the download is complete', async () => {
	const listener = await trigger.listen();
	let answer = () => {};
	const answering = new Promise<void>((resolve) => (answer = resolve));
	trigger.service.beforeRequest(async ({ path }) => {
		if (path.endsWith('.pdf')) await answering;
	});
	const download = trigger.testbed.run(exportOrder(5));
	await until(() => trigger.service.requests.count > 0);
	expect(await statusOf(listener)).toBe(200);
	expect(trigger.keyRequests.map(({ inFlightAtStart }) => inFlightAtStart)).toEqual([1]);
	answer();
	expect((await download).status).toBe('success');
});

describe('a pasted key', () => {
	it.each(['require', 'ifPresent'])(
		'a pasted key that does not match the signature rejects the delivery without a request to the service: %s',
		async (verification) => {
			const { key } = trigger.service.webhooks;
			const publicKeyPem = key.pem;
			key.rotate();
			const pasted = { publicKeySource: 'pem', publicKeyPem };
			const listener = await trigger.listen({ verification, ...pasted });
			expect(await statusOf(listener)).toBe(401);
			expect(trigger.service.requests.count).toBe(0);
		},
	);

	it('an invalid pasted key prevents the activation with advice, if it is needed', async () => {
		const pasted = { publicKeySource: 'pem', publicKeyPem: 'MIIB' };
		const unneeded = await trigger.listen({ ...pasted, verification: 'off' });
		expect(await statusOf(unneeded)).toBe(200);
		await expect(trigger.listen(pasted)).rejects.toMatchObject({
			message: expect.stringContaining('not an RSA public key'),
			description: expect.stringContaining('Paste the complete key'),
		});
	});
});
