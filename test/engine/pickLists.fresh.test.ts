import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';

const testbed = usePickListTestbed();
const { lines } = orders.subtables;
const getFields = { name: 'getFields', identity: 'admin' } as const;

afterEach(() => jest.restoreAllMocks());

/** Advances the clock, so that tests do not wait. */
function later(milliseconds: number): void {
	const now = performance.now() + milliseconds;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
}

function addField(name: string): void {
	const sheetOfOrders = testbed.orders;
	sheetOfOrders.fields.push({
		id: String(1_000_100 + sheetOfOrders.fields.length),
		name,
		type: 'text',
	});
}

it('all lists of an editor session share the loaded fields', async () => {
	const parameters = { resource: 'subtableRow', operation: 'add', subtableId: lines.id };
	// The first two lists load at the same time, the others later.
	await Promise.all([
		testbed.ask(getFields),
		testbed.ask({ name: 'getSubtables', identity: 'admin' }),
		testbed.ask({ name: 'getFilterFields', identity: 'admin' }),
	]);
	const mapper = { kind: 'resourceMapping', identity: 'admin' } as const;
	expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME']);
	await testbed.ask({ ...mapper, name: 'getRowFields', parameters });
	await testbed.ask(getFields);
	expect(testbed.asked).toHaveLength(6);
});

it('the mapper shows a field that was added a moment ago', async () => {
	const mapper = { kind: 'resourceMapping', identity: 'admin', name: 'getRecordFields' } as const;
	const question = { ...mapper, parameters: { operation: 'create' } };
	expect(JSON.stringify(await testbed.ask(question))).not.toContain('Just Made');
	addField('Just Made');
	expect(JSON.stringify(await testbed.ask(question))).toContain('Just Made');
});

it('lists load the fields again after a short time', async () => {
	await testbed.ask(getFields);
	addField('Brand New');
	later(20_000);
	expect(JSON.stringify(await testbed.ask(getFields))).not.toContain('Brand New');
	later(3_600_000);
	expect(JSON.stringify(await testbed.ask(getFields))).toContain('Brand New');
	expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME', 'schema', 'EID', 'FNAME']);
});
