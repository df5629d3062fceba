import type { INodeProperties } from 'n8n-workflow';
import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { packageName, packageTypes } from './runner';
import { LoadOptionsContext } from './runner/core';

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
	later(61_000);
	expect(JSON.stringify(await testbed.ask(getFields))).toContain('Brand New');
	expect(testbed.asked).toEqual(['schema', 'EID', 'FNAME', 'schema', 'EID', 'FNAME']);
});

/** Yields each property of a node that has a list of the editor, at any depth. */
function* listsIn(properties: unknown): Generator<INodeProperties> {
	if (typeof properties !== 'object' || properties === null) return;
	if ('typeOptions' in properties && 'name' in properties) {
		const property: INodeProperties = Object(properties);
		const { loadOptionsMethod, resourceMapper } = property.typeOptions ?? {};
		if (loadOptionsMethod ?? resourceMapper) yield property;
	}
	for (const part of Object.values(properties)) yield* listsIn(part);
}

it.each(['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'])(
	'each list of %s is loaded again when a parameter that it reads changes',
	async (node) => {
		const types = await packageTypes();
		const { properties } = types.getByNameAndVersion(`${packageName}.${node}`).description;
		const reads = jest.spyOn(LoadOptionsContext.prototype, 'getCurrentNodeParameter');
		const lists = [...listsIn(properties)];
		expect(lists).not.toEqual([]);
		for (const { name, typeOptions = {} } of lists) {
			const { loadOptionsMethod, loadOptionsDependsOn, resourceMapper } = typeOptions;
			reads.mockClear();
			await testbed.ask({
				kind: resourceMapper ? 'resourceMapping' : 'loadOptions',
				name: loadOptionsMethod ?? resourceMapper?.resourceMapperMethod ?? '',
				parameters: { resource: 'subtableRow', operation: 'add', subtableId: lines.id },
			});
			// Each operation has its own property of the list, and a locator changes by its value.
			const read = reads.mock.calls.map(([parameter]) => parameter);
			const others = read.filter((parameter) => ![name, 'operation'].includes(parameter));
			const named = others.map((parameter) => (parameter === 'sheet' ? 'sheet.value' : parameter));
			const expected = { name, dependsOn: [...new Set(named)].sort() };
			expect({ name, dependsOn: [loadOptionsDependsOn].flat().sort() }).toEqual(expected);
		}
	},
);
