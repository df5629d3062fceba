import { createCustomer, readOrder } from '../oneRequest';
import { orders, startReferenceService } from '../../service';
import { sheet, useRecordWorld } from '../recordWorld';
import { CredentialStore } from '../runner';

const world = useRecordWorld();

const overlaps = () =>
	world.service.requests.all().filter(({ inFlightAtStart }) => inFlightAtStart > 0);

/** A store with both credentials of one account. */
function sharedStore(more = {}) {
	const credentialStore = new CredentialStore();
	const credentials = {
		...world.credentials('member', more),
		...world.sessionCredentials('admin', more),
	};
	for (const [type, data] of Object.entries(credentials)) credentialStore.add(type, data);
	return credentialStore;
}

const many = <T>(length: number, make: (index: number) => Promise<T>) =>
	Promise.all(Array.from({ length }, async (_, index) => await make(index)));

describe('requests of one account', () => {
	it('go out one at a time, over runs, users and kinds of credential', async () => {
		world.service.switches.latencyMilliseconds = 15;
		const credentialStore = sharedStore();
		const results = await many(8, async (index) => {
			const authentication = index % 2 === 0 ? 'apiKey' : 'session';
			const parameters = index % 3 === 0 ? createCustomer() : readOrder();
			return await world.run({ ...parameters, authentication }, [{}, {}], { credentialStore });
		});
		expect(results.map(({ status }) => status)).toEqual(Array(8).fill('success'));
		// 16 and one login.
		expect(world.service.requests.count).toBe(17);
		expect(overlaps()).toEqual([]);
	});

	it('go out one at a time when some of them fail and are asked again', async () => {
		world.service.switches.latencyMilliseconds = 5;
		const again = { kind: 'status' as const, status: 503, headers: { 'retry-after': '0' } };
		world.service.faults.inject({ ...again, times: 6 });
		world.service.faults.inject({ kind: 'reset' });
		await many(4, async () => await world.run(readOrder(), [{}, {}]));
		expect(world.service.requests.count).toBe(8 + 7);
		expect(overlaps()).toEqual([]);
	});

	it('never overflow the queue of the service', async () => {
		world.service.switches.queueLength = 1;
		world.service.switches.latencyMilliseconds = 5;
		const results = await many(6, async () => await world.run(readOrder(), [{}, {}]));
		expect(results.map(({ items }) => items.length)).toEqual(Array(6).fill(2));
		expect(world.service.requests.all().map(({ status }) => status)).toEqual(Array(12).fill(200));
	});

	it('keep the order of the items', async () => {
		world.service.switches.latencyMilliseconds = ({ path }) => (path.endsWith('/1') ? 40 : 0);
		const ids = [1, 2, 3, 4];
		const items = ids.map((id) => ({ id }));
		const recordId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const result = await world.run({ ...readOrder(), recordId }, items);
		expect(result.items.map(({ json }) => json._recordId)).toEqual(ids);
		expect(world.reads.map(({ path }) => path)).toEqual(
			ids.map((id) => `/acme/sales/orders/1/${id}`),
		);
	});

	it('go out in the order in which they queued up', async () => {
		world.service.switches.latencyMilliseconds = 10;
		const names = ['a', 'b', 'c', 'd'];
		const runs = names.map(async (name) => await world.run(createCustomer(name)));
		await Promise.all(runs);
		expect(world.writes.map(({ body }) => Object.values(body ?? {})[1])).toEqual(names);
	});
});

describe('requests of two accounts', () => {
	it('do not wait for each other', async () => {
		const other = await startReferenceService({ demoRecords: 10 });
		try {
			world.service.faults.inject({ kind: 'hang', when: () => true });
			const stop = new AbortController();
			const stuck = world.run(readOrder(), [{}], { signal: stop.signal });
			const { apiKey } = other.identities.member;
			const data = { ...world.credentials().sheetRecordsApi, baseUrl: other.baseUrl, apiKey };
			const credentials = { sheetRecordsApi: data };
			const result = await world.run(readOrder(), [{}], { credentials });
			expect(result.status).toBe('success');
			stop.abort();
			expect((await stuck).status).toBe('canceled');
		} finally {
			await other.close();
		}
	});
});

describe('requests per second', () => {
	const all = { operation: 'getAll', sheet: sheet(orders), limit: 1 };
	/** Milliseconds since the first. */
	const arrivals = () =>
		world.service.requests.all().map(({ at }, _, [first]) => at - Number(first?.at));

	it('are no more than the credential says, over all runs', async () => {
		const credentialStore = sharedStore({ requestsPerSecond: 4 });
		await many(3, async () => await world.run(all, [{}, {}, {}], { credentialStore }));
		const times = arrivals();
		expect(times).toHaveLength(9);
		// Lower bounds, which no slow machine can miss.
		expect(times[4]).toBeGreaterThanOrEqual(1_000);
		expect(times[8]).toBeGreaterThanOrEqual(2_000);
		expect(overlaps()).toEqual([]);
	});

	it('may be fewer than one', async () => {
		const credentialStore = sharedStore({ requestsPerSecond: 0.8 });
		await world.run(all, [{}, {}], { credentialStore });
		const times = arrivals();
		expect(times).toHaveLength(2);
		expect(times[1]).toBeGreaterThanOrEqual(1_250);
	});

	it('are 5 by default', async () => {
		const { baseUrl, account, apiKey } = world.credentials().sheetRecordsApi;
		await world.run(all, Array(6).fill({}), {
			credentials: { sheetRecordsApi: { baseUrl, account, apiKey } },
		});
		const times = arrivals();
		expect(times).toHaveLength(6);
		expect(times[5]).toBeGreaterThanOrEqual(1_000);
	});

	it('reach the service in no second more often, however long each is on its way, logins too', async () => {
		const rate = 4;
		const credentialStore = sharedStore({ requestsPerSecond: rate });
		world.service.switches.latencyMilliseconds = ({ at }) => (at % 7) * 20;
		world.service.switches.sessionLifetimeRequests = 2;
		const results = await many(4, async (index) => {
			const authentication = index % 2 === 0 ? 'apiKey' : 'session';
			return await world.run({ ...all, authentication }, [{}, {}, {}], { credentialStore });
		});
		expect(results.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		const times = world.service.requests.all().map(({ at }) => at);
		// Logins and what is asked again after one ended.
		expect(times.length).toBeGreaterThan(15);
		expect(world.logins.length).toBeGreaterThan(2);
		for (const [index, at] of times.entries()) {
			const later = times[index + rate];
			if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(1_000);
		}
	});

	it('are held back for all runs when the service says that they are too many', async () => {
		const tooMany = { kind: 'status' as const, status: 429, headers: { 'retry-after': '1' } };
		world.service.faults.inject(tooMany);
		await many(3, async () => await world.run(readOrder()));
		const [first, ...later] = world.service.requests.all().map(({ at }) => at);
		expect(later).toHaveLength(3);
		expect(Math.min(...later) - Number(first)).toBeGreaterThan(900);
		expect(overlaps()).toEqual([]);
	});
});
