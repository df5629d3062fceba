import { empty, orders } from '../../service';
import { until } from '../../until';
import { addressOf } from './client';
import { useService } from './useService';

const { service, client } = useService();

const oneOrder = addressOf(orders, 1);
const create = async () => await client().postJson(addressOf(empty), { [empty.fields.title]: 'x' });
const created = () => service().data.sheet(empty).records.size;
const lastStatus = () => service().requests.all().at(-1)?.status;

/** Lets requests in and holds their answers back until they are released. */
function holdAnswers(): { release: () => void } {
	let release = () => {};
	const released = new Promise<number>((resolve) => {
		release = () => resolve(0);
	});
	service().switches.latencyMilliseconds = async () => await released;
	return { release };
}

afterEach(() => jest.restoreAllMocks());

describe('faults', () => {
	it('strike the requests that they are meant for, as often as they are meant to', async () => {
		service().faults.inject({
			kind: 'status',
			status: 503,
			times: 2,
			when: (seen) => seen.method === 'GET',
		});
		expect((await create()).status).toBe(200);
		expect((await client().get(oneOrder)).status).toBe(503);
		expect((await client().get(oneOrder)).status).toBe(503);
		expect((await client().get(oneOrder)).status).toBe(200);
		expect(
			service()
				.requests.all()
				.map(({ status }) => status),
		).toEqual([200, 503, 503, 200]);
	});

	it('answer with a status, headers and a body', async () => {
		service().faults.inject({
			kind: 'status',
			status: 429,
			headers: { 'retry-after': '2' },
			body: 'slow',
		});
		expect(await client().get(oneOrder)).toMatchObject({
			status: 429,
			headers: { 'retry-after': '2' },
			text: 'slow',
		});
	});

	it('answer a page or broken JSON with status 200', async () => {
		service().faults.inject({ kind: 'body', body: '<html>Maintenance</html>' });
		const page = await client().get(oneOrder);
		expect(page).toMatchObject({ status: 200, text: '<html>Maintenance</html>' });
		expect(page.headers['content-type']).toContain('text/html');
		service().faults.inject({ kind: 'body', body: '{"status":' });
		expect((await client().get(oneOrder)).headers['content-type']).toContain('application/json');
	});

	it('redirect', async () => {
		service().faults.inject({
			kind: 'redirect',
			location: 'https://other.localhost/x',
			status: 307,
		});
		expect(await client().get(oneOrder)).toMatchObject({
			status: 307,
			headers: { location: 'https://other.localhost/x' },
		});
	});

	it('hang until the client gives up', async () => {
		service().faults.inject({ kind: 'hang' });
		const patience = new AbortController();
		const asking = client().get(oneOrder, { signal: patience.signal });
		await until(() => service().requests.openRequests.size === 1);
		patience.abort();
		await expect(asking).rejects.toThrow();
		await until(() => service().requests.openRequests.size === 0);
		expect(lastStatus()).toBe(0);
	});

	it('cut the connection before the work', async () => {
		service().faults.inject({ kind: 'reset' });
		await expect(create()).rejects.toThrow();
		expect(created()).toBe(0);
		expect(lastStatus()).toBe(0);
	});

	it('cut the connection after the work', async () => {
		service().faults.inject({ kind: 'resetAfterWork' });
		await expect(create()).rejects.toThrow();
		expect(created()).toBe(1);
	});

	it('cut the connection in the middle of a body', async () => {
		service().faults.inject({ kind: 'truncate' });
		await expect(client().get(oneOrder)).rejects.toThrow();
		expect(lastStatus()).toBe(200);
	});

	it('send half of a body as if it were all', async () => {
		const whole = await client().get(oneOrder);
		service().faults.inject({ kind: 'truncateSilently' });
		const half = await client().get(oneOrder);
		expect(half.status).toBe(200);
		expect(whole.text.startsWith(half.text)).toBe(true);
		expect(half.text.length).toBeLessThan(whole.text.length);
		expect(() => half.json()).toThrow();
	});

	it('can be cleared', async () => {
		service().faults.inject({ kind: 'reset', times: 100 });
		service().faults.clear();
		expect((await client().get(oneOrder)).status).toBe(200);
	});
});

describe('load', () => {
	it('can be refused above a number of requests per second', async () => {
		service().switches.maximumRequestsPerSecond = 2;
		// However slow the machine is: all of them come within the same second.
		jest.spyOn(Date, 'now').mockReturnValue(Date.now());
		const texts = [];
		for (let turn = 0; turn < 3; turn += 1) texts.push((await client().get(oneOrder)).text);
		expect(texts[1]).toContain('SO-00001');
		expect(texts[2]).toContain('"code":204');
	});

	it.each([
		['status429', 429],
		['status503', 503],
	] as const)('is refused as the switch says: %s', async (answer, status) => {
		service().switches.maximumRequestsPerSecond = 0;
		service().switches.overloadAnswer = answer;
		service().switches.retryAfter = '7';
		expect(await client().get(oneOrder)).toMatchObject({ status, headers: { 'retry-after': '7' } });
	});

	it('is refused above the length of the queue, for reads only', async () => {
		const { switches, requests } = service();
		switches.queueLength = 2;
		const held = holdAnswers();
		const reads = [1, 2, 3].map(async (id) => await client().get(addressOf(orders, id)));
		// The one that is refused need not wait.
		expect((await Promise.race(reads)).text).toContain('"code":204');
		held.release();
		const texts = (await Promise.all(reads)).map(({ text }) => text);
		expect(texts.filter((text) => text.includes('"code":204'))).toHaveLength(1);

		const heldWrites = holdAnswers();
		const writes = Promise.all([create(), create(), create()]);
		await until(() => requests.openRequests.size === 3);
		heldWrites.release();
		expect((await writes).filter(({ text }) => text.includes('SUCCESS'))).toHaveLength(3);
	});

	it('is slowed by the latency that a switch asks for', async () => {
		service().switches.latencyMilliseconds = ({ method }) => (method === 'POST' ? 80 : 0);
		await create();
		const [slow] = service().requests.all();
		expect(slow?.durationMs).toBeGreaterThanOrEqual(79);
	});
});

describe('the request log', () => {
	it('keeps what was sent', async () => {
		await client().get(`${addressOf(orders, undefined, 'where=512,eq,a%2Cb')}&limit=1`);
		await client().postJson(addressOf(empty), { [empty.fields.title]: 'x' });
		await client().postForm(addressOf(empty), [[empty.fields.title, 'a & b']]);
		const [read, json, form] = service().requests.all();
		expect(read).toMatchObject({
			method: 'GET',
			path: '/acme/sales/orders/1',
			rawUrl: '/acme/sales/orders/1?api&where=512,eq,a%2Cb&limit=1',
			query: [
				['api', ''],
				['where', '512,eq,a,b'],
				['limit', '1'],
			],
			headers: { authorization: `Basic ${service().identities.member.apiKey}` },
			body: undefined,
			identity: 'member',
			status: 200,
		});
		expect(json?.body).toEqual({ [empty.fields.title]: 'x' });
		expect(form?.body).toEqual([[empty.fields.title, 'a & b']]);
		expect(service().requests.count).toBe(3);
	});

	it('tells requests in turn from requests at once', async () => {
		for (let turn = 0; turn < 20; turn += 1) await client().get(oneOrder);
		expect(
			service()
				.requests.all()
				.every(({ inFlightAtStart }) => inFlightAtStart === 0),
		).toBe(true);
		service().requests.clear();
		const held = holdAnswers();
		const both = Promise.all([client().get(oneOrder), client().get(oneOrder)]);
		await until(() => service().requests.openRequests.size === 2);
		held.release();
		await both;
		expect(
			service()
				.requests.all()
				.map(({ inFlightAtStart }) => inFlightAtStart),
		).toEqual([0, 1]);
	});
});

describe('reset', () => {
	it('brings everything back, again and again', async () => {
		await create();
		service().switches.dialect = 'ragic';
		service().faults.inject({ kind: 'hang' });
		service().data.record(orders, 1).set(orders.fields.city, 'Nowhere');
		for (let times = 0; times < 3; times++) {
			service().reset();
			expect(service().data.record(orders, 1).text(orders.fields.city)).not.toBe('Nowhere');
		}
		expect(created()).toBe(0);
		expect(service().requests.count).toBe(0);
		expect((await client().get(oneOrder)).text).toContain('"_svcId"');
	});
});
