import { chain, items, recordLocator, sheetRecords } from './chain';
import { useN8nTestbed } from './n8nTestbed';

const testbed = useN8nTestbed();

beforeEach(() => testbed.service.reset());

const logins = () => testbed.service.requests.all().filter(({ path }) => path === '/AUTH');

/** Reads four orders, one after the other. */
const readFour = (credential: Parameters<typeof sheetRecords>[1]) =>
	chain(
		'Four orders',
		...items({ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }),
		sheetRecords('Get', credential, {
			operation: 'get',
			recordId: recordLocator('={{ $json.id }}'),
		}),
	);

const idsOf = (list: Array<Record<string, unknown>>) => list.map(({ _recordId }) => _recordId);

it('one login serves a run, and the next one', async () => {
	const credential = await testbed.session();
	for (const run of [1, 2]) {
		const execution = await testbed.run(readFour(credential), credential);
		expect([run, execution.status, idsOf(execution.json('Get'))]).toEqual([
			run,
			'success',
			[1, 2, 3, 4],
		]);
	}
	expect(logins()).toHaveLength(1);
});

it('a session that ends in mid-run is renewed once, and n8n keeps the new one', async () => {
	const credential = await testbed.session();
	testbed.service.switches.sessionLifetimeRequests = 2;
	const execution = await testbed.run(readFour(credential), credential);
	expect([execution.status, idsOf(execution.json('Get'))]).toEqual(['success', [1, 2, 3, 4]]);
	expect(logins()).toHaveLength(2);

	testbed.service.switches.sessionLifetimeRequests = undefined;
	await testbed.run(readFour(credential), credential);
	expect(logins()).toHaveLength(2);
});

it('a renewed session outlives a restart of n8n', async () => {
	const credential = await testbed.session();
	await testbed.run(readFour(credential), credential);
	testbed.service.expireSessions();
	await testbed.run(readFour(credential), credential);
	expect(logins()).toHaveLength(2);

	await testbed.n8n.restart();
	const execution = await testbed.run(readFour(credential), credential);
	expect(execution.status).toBe('success');
	expect(logins()).toHaveLength(2);
});
