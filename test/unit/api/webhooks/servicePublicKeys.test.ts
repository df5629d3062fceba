import { generateKeyPairSync } from 'node:crypto';
import { clearProcessState } from '../../../../nodes/api/http/processState';
import type { Client } from '../../../../nodes/api/http/client';
import { DeliveryRefusal } from '../../../../nodes/api/webhooks/delivery';
import { servicePublicKeys } from '../../../../nodes/api/webhooks/publicKey';
import { FakeService, type FakeAnswer } from '../http/fakeService';
import { keyTexts } from './signatureVectors';

const newKey = () =>
	generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({
		...{ type: 'spki', format: 'pem' },
	}) as string;
const failing: FakeAnswer = { body: { status: 'ERROR', code: 107, msg: 'No key' } };

const refusal =
	'503 The public key of the service cannot be downloaded: Resource bundle not found: No key';

let now = 0;

beforeEach(() => {
	clearProcessState('publicKeys');
	now = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Returns a service whose answer with the key can be changed, and a trigger's client. */
async function keyService(first: FakeAnswer) {
	const state = { answer: first };
	const service = new FakeService(() => state.answer);
	return { state, service, client: await service.connect() };
}

/** Returns the keys that are tried for a delivery as texts, or the error message if it is rejected. */
async function keysFor(client: Client): Promise<string | string[]> {
	const keys: string[] = [];
	try {
		for await (const key of servicePublicKeys(client)) {
			keys.push(key.export({ type: 'spki', format: 'pem' }).toString());
		}
	} catch (error) {
		if (error instanceof DeliveryRefusal) return `${error.status} ${error.message}`;
		throw error;
	}
	return keys;
}

/** Returns the key that is tried first for a delivery. */
const firstKeyFor = async (client: Client) => (await servicePublicKeys(client).next()).value;

it('the key is fetched once, and is the first one from then on', async () => {
	const { client, service } = await keyService({ body: keyTexts.pem });
	const key = await firstKeyFor(client);
	expect(key?.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(keyTexts.der);
	expect(await firstKeyFor(client)).toBe(key);
	expect(service.requests.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
		'/api/http/getWebhookSignaturePublicKey.jsp?type=string',
	]);
});

it('a new key is offered after the known one', async () => {
	const { client, state } = await keyService({ body: keyTexts.pem });
	const [first = ''] = await keysFor(client);
	const second = newKey();
	state.answer = { body: second };
	expect(await keysFor(client)).toEqual([first, second]);
	expect((await keysFor(client))[0]).toBe(second);
});

it('five downloads are made at once, and then one per minute', async () => {
	const { client, service } = await keyService({ body: keyTexts.pem });
	await firstKeyFor(client);
	for (let delivery = 0; delivery < 8; delivery++) await keysFor(client);
	expect(service.requests).toHaveLength(1 + 5);
	now += 59_999;
	expect(await keysFor(client)).toHaveLength(1);
	now += 1;
	expect(await keysFor(client)).toHaveLength(2);
	expect(await keysFor(client)).toHaveLength(1);
	now += 90_000;
	expect(await keysFor(client)).toHaveLength(2);
	now += 30_000;
	expect(await keysFor(client)).toHaveLength(2);
});

it('unused downloads accumulate up to five', async () => {
	const { client, service } = await keyService({ body: keyTexts.pem });
	await firstKeyFor(client);
	now += 10 * 60_000;
	for (let delivery = 0; delivery < 8; delivery++) await keysFor(client);
	expect(service.requests).toHaveLength(1 + 5);
});

it.each([0, 4_999, 5_000, 3_600_000])(
	'without a key, deliveries at once cause a single download, %s ms after a failed one',
	async (milliseconds) => {
		const { client, service } = await keyService(failing);
		expect(await keysFor(client)).toBe(refusal);
		now += milliseconds;
		for (let delivery = 0; delivery < 8; delivery++) expect(await keysFor(client)).toBe(refusal);
		expect(service.requests).toHaveLength(milliseconds < 5_000 ? 1 : 2);
	},
);

it('a failed download keeps the known key, and rejects deliveries that it does not fit with the reason', async () => {
	const { client, state } = await keyService({ body: keyTexts.pem });
	const known = await firstKeyFor(client);
	state.answer = failing;
	for (let delivery = 0; delivery < 8; delivery++) expect(await keysFor(client)).toBe(refusal);
	expect(await firstKeyFor(client)).toBe(known);
	state.answer = { body: keyTexts.pem };
	now += 60_000;
	expect(await keysFor(client)).toHaveLength(2);
	expect(await keysFor(client)).toHaveLength(1);
});

/** A key endpoint whose requests after the first `answered` ones hang until they are answered, and waits that end at once. */
async function hangingService(answered: number) {
	const hanging: Array<(answer: FakeAnswer) => void> = [];
	const service = new FakeService(async () => {
		if (service.requests.length <= answered) return { body: keyTexts.pem };
		return await new Promise<FakeAnswer>((resolve) => hanging.push(resolve));
	});
	const waits = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const timeUp = new AbortController();
		setImmediate(() => timeUp.abort());
		return timeUp.signal;
	});
	return { service, hanging, waits, client: await service.connect() };
}

describe('a download that hangs', () => {
	const inTime = 'The service does not answer in time';
	const tooSlow = `503 The public key of the service cannot be downloaded: ${inTime}`;

	it('a delivery does not wait longer than 1.5 s for another key, and later ones use it', async () => {
		const { client, hanging, waits } = await hangingService(1);
		await firstKeyFor(client);
		waits.mockClear();
		expect(await keysFor(client)).toBe(tooSlow);
		expect(waits.mock.calls).toEqual([[1_500]]);
		const second = newKey();
		hanging[0]?.({ body: second });
		expect(await keysFor(client)).toContain(second);
	});

	it.each([
		['with a known key', 1],
		['without a key', 0],
	])('%s, a delivery after 10 s tries again', async (_title, answered) => {
		const { client, hanging, service } = await hangingService(answered);
		for (let known = 0; known < answered; known++) await firstKeyFor(client);
		for (let delivery = 0; delivery < 3; delivery++) expect(await keysFor(client)).toBe(tooSlow);
		expect(service.requests).toHaveLength(answered + 1);
		now += 10_000;
		const delivery = keysFor(client);
		const second = newKey();
		await new Promise(process.nextTick);
		hanging[1]?.({ body: second });
		expect(await delivery).toContain(second);
		// The answer that was given up comes late, and changes nothing.
		hanging[0]?.({ body: newKey() });
		expect(
			await firstKeyFor(client).then((key) => key?.export({ type: 'spki', format: 'pem' })),
		).toBe(second);
	});

	it.each([
		['with a known key', 1],
		['without a key', 0],
	])(
		'%s, the end of one that was given up leaves the next one running',
		async (_title, answered) => {
			const { client, hanging, service } = await hangingService(answered);
			for (let known = 0; known < answered; known++) await firstKeyFor(client);
			expect(await keysFor(client)).toBe(tooSlow);
			now += 10_000;
			// This delivery gives up the first download, and does not wait for the end of its own one.
			expect(await keysFor(client)).toBe(tooSlow);
			const delivery = keysFor(client);
			await new Promise(process.nextTick);
			const second = newKey();
			hanging[1]?.({ body: second });
			expect(await delivery).toContain(second);
			expect(service.requests).toHaveLength(answered + 2);
		},
	);

	it('without a key, a delivery waits at most 10 s', async () => {
		const { client, waits } = await hangingService(0);
		expect(await keysFor(client)).toBe(tooSlow);
		expect(waits.mock.calls).toEqual([[10_000]]);
	});
});

it('without any key a delivery is rejected temporarily, and the download repeated after 5 s', async () => {
	const { client, service, state } = await keyService(failing);
	expect(await keysFor(client)).toBe(refusal);
	state.answer = { body: keyTexts.pem };
	now += 4_999;
	expect(await keysFor(client)).toBe(refusal);
	expect(service.requests).toHaveLength(1);
	now += 1;
	expect(await firstKeyFor(client)).toBeDefined();
});

it('without any key unused downloads do not accumulate', async () => {
	const { client, service } = await keyService(failing);
	now += 60_000;
	for (let delivery = 0; delivery < 3; delivery++) await keysFor(client);
	expect(service.requests).toHaveLength(1);
});

it('deliveries at the same time wait for one download', async () => {
	const { client, service } = await keyService({ body: keyTexts.pem });
	const [left, right] = await Promise.all([firstKeyFor(client), firstKeyFor(client)]);
	expect(left).toBeDefined();
	expect(left).toBe(right);
	expect(service.requests).toHaveLength(1);
});

it('the sender of a delivery does not learn why the request for the key was never sent', async () => {
	const fault = 'The file /home/node/secret.pem does not exist';
	const service = new FakeService(() => {
		throw new Error(fault);
	});
	const [sent, ofOwner] = [await service.connect(), await service.connect()];
	expect(await keysFor(sent)).toBe(
		'503 The public key of the service cannot be downloaded: The request could not be sent',
	);
	clearProcessState('publicKeys');
	const rejected = servicePublicKeys(ofOwner).next();
	await expect(rejected).rejects.toMatchObject({ cause: { kind: 'unsent', message: fault } });
});

it.each<{ title: string; answer: FakeAnswer; cause: object }>([
	{ title: 'an error response', answer: failing, cause: { details: { code: 107 } } },
	{
		title: 'a text that is no key',
		answer: { body: 'Hello' },
		cause: {
			kind: 'unexpected',
			message: 'The service did not hand out its public key for webhooks',
			details: {
				description: 'Download the key from the service and paste it into the node.',
				status: 200,
			},
		},
	},
	{ title: 'a key with an error status', answer: { status: 403, body: keyTexts.pem }, cause: {} },
])('the error names the reason for the missing key: $title', async ({ answer, cause }) => {
	const { client } = await keyService(answer);
	const rejected = servicePublicKeys(client).next();
	await expect(rejected).rejects.toMatchObject({ status: 503, cause });
});
