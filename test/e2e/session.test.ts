import { orders } from '../service';
import { chain, items, recordLocator, sheetRecords } from './chain';
import { useN8nWorld } from './n8nWorld';

const world = useN8nWorld();
const { fields } = orders;

beforeEach(() => world.service.reset());

const logins = () => world.service.requests.all().filter(({ path }) => path === '/AUTH');

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
	const credential = await world.session();
	for (const run of [1, 2]) {
		const execution = await world.run(readFour(credential), credential);
		expect([run, execution.status, idsOf(execution.json('Get'))]).toEqual([
			run,
			'success',
			[1, 2, 3, 4],
		]);
	}
	expect(logins()).toHaveLength(1);
});

it('a session that ends in mid-run is renewed once, and n8n keeps the new one', async () => {
	const credential = await world.session();
	world.service.switches.sessionLifetimeRequests = 2;
	const execution = await world.run(readFour(credential), credential);
	expect([execution.status, idsOf(execution.json('Get'))]).toEqual(['success', [1, 2, 3, 4]]);
	expect(logins()).toHaveLength(2);

	world.service.switches.sessionLifetimeRequests = undefined;
	await world.run(readFour(credential), credential);
	expect(logins()).toHaveLength(2);
});

it('a renewed session outlives a restart of n8n', async () => {
	const credential = await world.session();
	await world.run(readFour(credential), credential);
	world.service.expireSessions();
	await world.run(readFour(credential), credential);
	expect(logins()).toHaveLength(2);

	await world.n8n.restart();
	const execution = await world.run(readFour(credential), credential);
	expect(execution.status).toBe('success');
	expect(logins()).toHaveLength(2);
});

it('a write whose session has ended is carried out once', async () => {
	const credential = await world.session();
	await world.run(readFour(credential), credential);
	world.service.expireSessions();
	const before = world.service.data.sheet(orders).records.size;
	const execution = await world.run(
		chain(
			'One order',
			sheetRecords('Create', credential, {
				operation: 'create',
				inputMode: 'json',
				recordJson: { 'Customer Number': 'C-0001', Reference: 'ONCE' },
			}),
		),
		credential,
	);
	expect(execution.status).toBe('success');
	const { records } = world.service.data.sheet(orders);
	expect(records.size).toBe(before + 1);
	expect(
		[...records.values()].filter((record) => record.text(fields.reference) === 'ONCE'),
	).toHaveLength(1);
});
