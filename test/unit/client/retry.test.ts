import { withheldWords } from '../../../nodes/wire/redaction';
import { outcomeIsUnknown, waitBeforeRetry } from '../../../nodes/service/retry';
import type { RequestPurpose } from '../../../nodes/service/retry';
import { ServiceError } from '../../../nodes/wire/serviceError';
import type { FailureKind } from '../../../nodes/wire/serviceError';
import { FakeService, inOrder, secretKey } from './fakeService';
import type { FakeAnswer } from './fakeService';

const failure = (kind: FailureKind, retryAfterSeconds?: number) =>
	new ServiceError({ kind, message: 'x', retryAfterSeconds });

describe('a failed request', () => {
	const passing: FailureKind[] = [
		'tooFrequent',
		'server',
		'malformed',
		'unreachable',
		'connectionLost',
	];
	const lasting: FailureKind[] = [
		...(['identity', 'sessionExpired', 'noAccess', 'rejected', 'locked', 'notFound'] as const),
		...(['webPage', 'untrusted', 'redirected', 'unsent', 'refused', 'timeout'] as const),
	];

	it.each(passing)('is sent again when it is a read and the failure may pass: %s', (kind) => {
		expect(waitBeforeRetry(failure(kind), 'read', 1)).toBe(500);
	});

	it.each(lasting)('is not sent again when the failure stays: %s', (kind) => {
		expect(waitBeforeRetry(failure(kind), 'read', 1)).toBeUndefined();
		expect(waitBeforeRetry(failure(kind, 0), 'write', 1)).toBeUndefined();
	});

	it('is sent again as a write only when it was surely not carried out', () => {
		const again = [...passing, ...lasting].filter(
			(kind) => waitBeforeRetry(failure(kind), 'write', 1) !== undefined,
		);
		expect(again).toEqual(['tooFrequent', 'unreachable']);
		expect(again.some((kind) => outcomeIsUnknown(failure(kind)))).toBe(false);
	});

	it('waits longer each time, and is given up after the fifth', () => {
		const waits = [1, 2, 3, 4, 5, 6].map((attempts) =>
			waitBeforeRetry(failure('server'), 'read', attempts),
		);
		expect(waits).toEqual([500, 1000, 2000, 4000, undefined, undefined]);
	});

	it('waits as long as the service asks, up to a minute', () => {
		const wait = (seconds: number) => waitBeforeRetry(failure('tooFrequent', seconds), 'read', 1);
		expect([0, 7, 60, 61, 86_400].map(wait)).toEqual([0, 7_000, 60_000, 60_000, 60_000]);
	});

	it('leaves nobody knowing whether a write was carried out, when it came back without an answer', () => {
		const unknown = [...passing, ...lasting].filter((kind) => outcomeIsUnknown(failure(kind)));
		expect(unknown).toEqual(['server', 'malformed', 'connectionLost', 'webPage']);
	});
});

const request = { path: '/acme/sales/1', query: 'api' };
const now = { 'retry-after': '0' };
const good: FakeAnswer = { body: { status: 'SUCCESS' } };
const lost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

async function run(purpose: RequestPurpose, service: FakeService): Promise<unknown> {
	const client = await service.connect();
	return purpose === 'read'
		? await client.read(request)
		: await client.write({ ...request, method: 'POST', body: '{}' });
}

describe('the client', () => {
	it.each<[string, FakeAnswer]>([
		['HTTP 408', { status: 408, headers: now }],
		['HTTP 429', { status: 429, headers: now }],
		['HTTP 500', { status: 500, headers: now }],
		['HTTP 503', { status: 503, headers: now, body: '<html>' }],
		['code 204', { headers: now, body: { status: 'ERROR', code: 204, msg: 'Slow down' } }],
	])('asks again after %s, until it has an answer', async (_, failed) => {
		const service = new FakeService(inOrder([failed, failed, failed, failed, good]));
		await expect(run('read', service)).resolves.toEqual(new Map([['status', 'SUCCESS']]));
		expect(
			service.requests.map(({ method, url }) => `${method} ${url.pathname}${url.search}`),
		).toEqual(Array(5).fill('GET /acme/sales/1?api'));
	});

	it('gives up after five times, and says so', async () => {
		const service = new FakeService(inOrder([{ status: 503, headers: now }]));
		await expect(run('read', service)).rejects.toMatchObject({
			kind: 'server',
			details: { status: 503, description: 'Try again later. Tried 5 times.' },
		});
		expect(service.requests).toHaveLength(5);
	});

	it.each<[string, FakeAnswer]>([
		['HTTP 429', { status: 429, headers: now }],
		['code 204', { headers: now, body: { status: 'ERROR', code: 204, msg: 'Slow down' } }],
	])('writes again after %s, which refused it at the door', async (_, failed) => {
		const service = new FakeService(inOrder([failed, good]));
		await expect(run('write', service)).resolves.toEqual(new Map([['status', 'SUCCESS']]));
		expect(service.requests.map(({ body }) => body)).toEqual(['{}', '{}']);
	});

	it.each<[string, () => FakeAnswer]>([
		['HTTP 500', () => ({ status: 500, headers: now })],
		['HTTP 503', () => ({ status: 503, headers: now })],
		['HTTP 408', () => ({ status: 408, headers: now })],
		['half an answer', () => ({ body: '{"status":"SUCC' })],
		['an empty answer', () => ({ body: '' })],
		['a web page', () => ({ body: '<html>' })],
		[
			'a lost connection',
			() => {
				throw lost();
			},
		],
	])('never writes again after %s, and says that the outcome is unknown', async (_, answer) => {
		const service = new FakeService(answer);
		await expect(run('write', service)).rejects.toMatchObject({
			details: { description: expect.stringContaining('not known whether the change was made') },
		});
		expect(service.requests).toHaveLength(1);
	});

	it.each<[string, FakeAnswer]>([
		['a record that is not valid', { body: { status: 'INVALID', code: 202, msg: 'City' } }],
		['a locked record', { body: { status: 'ERROR', code: 402, msg: 'Locked' } }],
		['HTTP 401', { status: 401, body: 'Unauthorized' }],
		['HTTP 400', { status: 400 }],
	])('knows the outcome of a write after %s', async (_, answer) => {
		const service = new FakeService(inOrder([answer]));
		const failed = await run('write', service).catch((error: unknown) => error);
		expect(failed).toBeInstanceOf(ServiceError);
		expect(JSON.stringify(failed)).not.toContain('not known');
		expect(service.requests).toHaveLength(1);
	});

	it.each<RequestPurpose>(['read', 'write'])(
		'asks a second time, and no third time, when it is taken for a guest: %s',
		async (purpose) => {
			const guest: FakeAnswer = { body: { status: 'ERROR', code: 106, msg: 'No access right.' } };
			const once = new FakeService(inOrder([guest, good]));
			await expect(run(purpose, once)).resolves.toEqual(new Map([['status', 'SUCCESS']]));
			const always = new FakeService(inOrder([guest]));
			await expect(run(purpose, always)).rejects.toMatchObject({ details: { code: 106 } });
			expect([once, always].map(({ requests }) => requests.length)).toEqual([2, 2]);
		},
	);

	it('believes the next refusal at once, until something is not refused', async () => {
		const guest: FakeAnswer = { body: { status: 'ERROR', code: 106, msg: 'No access right.' } };
		const service = new FakeService(inOrder([guest, guest, guest, good, guest, good]));
		const client = await service.connect();
		const counts: number[] = [];
		for (let reads = 0; reads < 4; reads++) {
			await client.read(request).catch(() => undefined);
			counts.push(service.requests.length);
		}
		expect(counts).toEqual([2, 3, 4, 6]);
	});

	it.each([
		['/acme/sales/1/5', '/acme/sales/1/6', 1],
		['/acme/sales/1', '/acme/sales/1/6', 1],
		['/acme/sales/1', '/acme/sales/2', 2],
		['/acme/sales/1/5', '/acme/sales/2/5', 2],
	])('believes the refusal of a sheet of all its records: %s, %s', async (one, other, times) => {
		const guest: FakeAnswer = { body: { status: 'ERROR', code: 106, msg: 'No access right.' } };
		const service = new FakeService(inOrder([guest]));
		const client = await service.connect();
		for (const path of [one, other]) await client.read({ ...request, path }).catch(() => undefined);
		const asked = service.requests.filter(({ url }) => url.pathname === other);
		expect(asked).toHaveLength(times);
	});

	it('waits half a second, one, two and four between its attempts', async () => {
		jest.useFakeTimers();
		const service = new FakeService(() => {
			starts.push(performance.now());
			throw lost();
		});
		const starts: number[] = [];
		const failed = run('read', service).catch((error: unknown) => error);
		await jest.advanceTimersByTimeAsync(60_000);
		jest.useRealTimers();
		expect(await failed).toMatchObject({ kind: 'connectionLost' });
		expect(starts.slice(1).map((start, index) => Math.round(start - (starts[index] ?? 0)))).toEqual(
			[500, 1000, 2000, 4000],
		);
	});

	it('stops waiting at once when it is cancelled', async () => {
		const cancel = new AbortController();
		const service = new FakeService(inOrder([{ status: 503, headers: { 'retry-after': '60' } }]));
		const client = await service.connect({ signal: cancel.signal });
		const reading = client.read(request);
		setImmediate(() => cancel.abort(new Error('stopped by the user')));
		await expect(reading).rejects.toThrow('stopped by the user');
		expect(service.requests).toHaveLength(1);
	});

	it('keeps its key out of what it throws', async () => {
		const words = {
			status: 'ERROR',
			code: 201,
			msg: `Unknown: ?APIKey=${encodeURIComponent(secretKey)} or ${secretKey}`,
		};
		const failed = await run('write', new FakeService(inOrder([{ body: words }]))).catch(
			(error: unknown) => error,
		);
		expect(failed).toMatchObject({ details: { serviceMessage: withheldWords } });
		expect(`${String(failed)} ${JSON.stringify(failed)}`).not.toContain(secretKey.slice(0, 8));
	});
});
