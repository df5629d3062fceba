import { orders } from '../service';
import { usePickListWorld } from './pickListWorld';
import { asJson } from './record/recordValues';
import { recordId, sheet } from './recordWorld';

const world = usePickListWorld();
const { lines } = orders.subtables;
const getFields = { name: 'getFields', identity: 'admin' } as const;

afterEach(() => jest.restoreAllMocks());

/** Moves the clock on, so that tests need not wait. */
function later(milliseconds: number): void {
	const now = performance.now() + milliseconds;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
}

function addField(name: string): void {
	const sheetOfOrders = world.service.data.sheet(orders);
	sheetOfOrders.fields.push({
		id: String(1_000_100 + sheetOfOrders.fields.length),
		name,
		type: 'text',
	});
}

it('all lists of one session share what was learnt', async () => {
	const parameters = { resource: 'subtableRow', operation: 'add', subtableId: lines.id };
	await world.ask({ kind: 'resourceMapping', name: 'getRowFields', identity: 'admin', parameters });
	await world.ask({ name: 'getSubtables', identity: 'admin' });
	await world.ask({ name: 'getFilterFields', identity: 'admin' });
	await world.ask({ kind: 'resourceMapping', name: 'getRecordFields', identity: 'admin' });
	expect(world.asked).toEqual(['schema']);
});

it('lists that are asked for at once ask the service once', async () => {
	await Promise.all([
		world.ask(getFields),
		world.ask({ name: 'getSubtables', identity: 'admin' }),
		world.ask({ name: 'getFilterFields', identity: 'admin' }),
	]);
	expect(world.asked).toEqual(['schema']);
});

it('key and session of different users are kept apart', async () => {
	await world.ask(getFields);
	const options = await world.ask({
		name: 'getFields',
		parameters: { authentication: 'session' },
		credentials: world.sessionCredentials('member'),
	});
	expect(options).not.toEqual([]);
	const askers = world.reads.filter(({ path }) => path !== '/AUTH').map(({ identity }) => identity);
	expect(new Set(askers.slice(1))).toEqual(new Set(['member']));
	expect(askers.length).toBeGreaterThan(1);
});

it('is asked for anew after a short time', async () => {
	await world.ask(getFields);
	addField('Brand New');
	later(20_000);
	expect(JSON.stringify(await world.ask(getFields))).not.toContain('Brand New');
	later(3_600_000);
	expect(JSON.stringify(await world.ask(getFields))).toContain('Brand New');
	expect(world.asked).toEqual(['schema', 'schema']);
});

it('is asked for anew when the clock was set back', async () => {
	await world.ask(getFields);
	addField('Brand New');
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000);
	later(60_001);
	expect(JSON.stringify(await world.ask(getFields))).toContain('Brand New');
});

it.each([
	['a record', { operation: 'update', ...asJson({ 'Brand New': 'x' }) }],
	[
		'a row',
		{
			resource: 'subtableRow',
			operation: 'add',
			subtableId: lines.id,
			inputMode: 'json',
			rowJson: '{ "Brand New": "x" }',
		},
	],
])('is asked for anew when a name of %s is not known', async (_, parameters) => {
	await world.ask({ name: 'getFields' });
	const before = world.reads.length;
	addField('Brand New');
	world.service.data
		.sheet(orders)
		.subtable(lines.id)
		?.fields.push({ id: '3000099', name: 'Brand New', type: 'text' });
	const onOrder = { sheet: sheet(orders), recordId: recordId(4) };
	const result = await world.run({ ...onOrder, ...parameters });
	expect(result.status).toBe('success');
	expect(world.reads.length).toBeGreaterThan(before);
	expect(world.writes).toHaveLength(1);
});
