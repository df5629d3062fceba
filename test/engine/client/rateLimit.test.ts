import { createCustomer, readOrder, readOwnOrder } from '../operations';
import { startReferenceService } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { CredentialStore } from '../runner';

const testbed = useRecordTestbed();

const overlaps = () =>
	testbed.service.requests.all().filter(({ inFlightAtStart }) => inFlightAtStart > 0);

function sharedStore(overrides = {}) {
	const credentialStore = new CredentialStore();
	const credentials = {
		...testbed.credentials('member', overrides),
		...testbed.sessionCredentials('admin', overrides),
	};
	for (const [type, data] of Object.entries(credentials)) credentialStore.add(type, data);
	return credentialStore;
}

const many = <T>(length: number, make: (index: number) => Promise<T>) =>
	Promise.all(Array.from({ length }, async (_, index) => await make(index)));

it('requests of one account are sent one at a time, across runs, users and credential types', async () => {
	testbed.service.switches.latencyMilliseconds = 15;
	const credentialStore = sharedStore();
	const results = await many(4, async (index) => {
		const authentication = index % 2 === 0 ? 'apiKey' : 'session';
		const parameters = index < 2 ? createCustomer() : readOwnOrder();
		return await testbed.runById({ ...parameters, authentication }, [{}, {}], { credentialStore });
	});
	expect(results.map(({ status }) => status)).toEqual(Array(4).fill('success'));
	// 8 requests and one login, in addition to the requests for the kinds of fields.
	expect(testbed.service.requests.count).toBeGreaterThanOrEqual(9);
	expect(overlaps()).toEqual([]);
});

it('requests of two accounts do not wait for each other', async () => {
	const otherService = await startReferenceService({ demoRecords: 10 });
	try {
		testbed.inject({ kind: 'hang', when: () => true });
		const stop = new AbortController();
		const stuck = testbed.run(readOrder(), [{}], { signal: stop.signal });
		const { apiKey } = otherService.identities.member;
		const data = {
			...testbed.credentials().sheetRecordsApi,
			baseUrl: otherService.baseUrl,
			apiKey,
		};
		const credentials = { sheetRecordsApi: data };
		const result = await testbed.run(readOrder(), [{}], { credentials });
		expect(result.status).toBe('success');
		stop.abort();
		expect((await stuck).status).toBe('canceled');
	} finally {
		await otherService.close();
	}
});

describe('requests per second', () => {
	const listOne = { ...onOrders('getAll'), limit: 1 };
	const arrivals = () =>
		testbed.service.requests.all().map(({ at }, _, [first]) => at - Number(first?.at));

	it('requests per second do not exceed the limit of the credential, across all runs', async () => {
		const credentialStore = sharedStore({ requestsPerSecond: 4 });
		await many(3, async () => await testbed.run(listOne, [{}, {}, {}], { credentialStore }));
		const times = arrivals();
		expect(times).toHaveLength(9);
		// Lower bounds hold on slow machines, too.
		expect(times[4]).toBeGreaterThanOrEqual(1_000);
		expect(times[8]).toBeGreaterThanOrEqual(2_000);
		expect(overlaps()).toEqual([]);
	});

	it('the default limit is 5 requests per second', async () => {
		const { requestsPerSecond, ...usual } = testbed.credentials().sheetRecordsApi;
		expect(requestsPerSecond).toBe(0);
		await testbed.run(listOne, Array(6).fill({}), { credentials: { sheetRecordsApi: usual } });
		const times = arrivals();
		expect(times).toHaveLength(6);
		expect(times[5]).toBeGreaterThanOrEqual(1_000);
	});

	it('all runs pause if the service answers that there are too many requests', async () => {
		const tooMany = { kind: 'status' as const, status: 429, headers: { 'retry-after': '1' } };
		testbed.inject(tooMany);
		await many(3, async () => await testbed.run(readOrder()));
		const [first, ...later] = testbed.service.requests.all().map(({ at }) => at);
		expect(later).toHaveLength(3);
		expect(Math.min(...later) - Number(first)).toBeGreaterThan(900);
		expect(overlaps()).toEqual([]);
	});
});
