import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { invoices, orders, type IdentityName, type SeenRequest } from '../service';
import { onOrders, sheet, useRecordTestbed } from './recordTestbed';
import { packageTypes } from './runner';

const testbed = useRecordTestbed({ demoRecords: 300 });
const { fields } = orders;
const getAll = { ...onOrders('getAll'), returnAll: true };
const inLyon = { parameter: [{ name: 'where', value: `${fields.city},eq,Lyon` }] };
const onInvoices = { sheet: sheet(invoices) };

/** Returns the answer of the node as a tool of an agent. */
async function answered(
	options: unknown = {},
	isTool = true,
	overrides = {},
	inputItems: IDataObject[] = [{}],
	as: IdentityName = 'member',
): Promise<IDataObject[]> {
	const name = 'n8n-nodes-sheet-records.sheetRecords';
	const nodeTypes = await packageTypes();
	const type = nodeTypes.getByNameAndVersion(name);
	// n8n creates the tool of a node in the same way.
	const description = { ...type.description, name: 'sheetRecordsTool' };
	const tool = Object.assign(Object.create(type), { description });
	const types = nodeTypes.with({ nodes: { [`${name}Tool`]: tool } });
	const node = isTool ? `${name}Tool` : name;
	const result = await testbed.run(
		{ ...getAll, ...overrides, options: JSON.parse(JSON.stringify(options)) },
		inputItems,
		{ types, node, ...testbed.as(as) },
	);
	expect(result.error).toBeUndefined();
	return result.json;
}

const sizeOf = (items: IDataObject[]) => JSON.stringify(items).length;

describe('the answer to an AI model', () => {
	it('the answer to a model is limited, and says how many items were omitted', async () => {
		const allItems = await answered({}, false);
		expect(sizeOf(allItems)).toBeGreaterThan(100_000);
		const items = await answered();
		const note = items.pop();
		expect(items).toEqual(allItems.slice(0, items.length));
		expect(items.length).toBeGreaterThan(10);
		expect(sizeOf(items)).toBeLessThan(45_000);
		expect(note?._leftOut).toContain(`the last ${300 - items.length} of 300 items were left out`);
	});

	it('the answer to a model omits long fields, and names them', async () => {
		testbed.order(5).set(fields.remark, 'x'.repeat(5_000));
		const items = await answered({ onlyFields: 'Remark' });
		expect(items).toHaveLength(301);
		expect(items.find(({ _recordId }) => _recordId === 5)).not.toHaveProperty('Remark');
		expect(items.find(({ _recordId }) => _recordId === 6)).toHaveProperty('Remark');
		expect(items.at(-1)).toEqual({
			_matched: 300,
			_shown: 300,
			_leftOut: expect.stringMatching(/Long fields were left out of items: Remark\./),
		});
	});

	it('the answer to a model says how many records match and how many it contains', async () => {
		const status = { field: 'Status', operator: 'ne', value: 'Open' };
		const [node, service] = [{ filters: { conditions: [status] } }, testbed.orders.records];
		const rest = [...service.values()].filter((record) => record.text(fields.status) !== 'Open');
		const limited = { ...node, returnAll: false, limit: 5 };
		const items = await answered({}, true, limited);
		expect(items).toHaveLength(6);
		expect(items.at(-1)).toEqual({ _matched: rest.length, _shown: 5 });
		const none = { ...node, filters: { conditions: [{ ...status, operator: 'eq', value: 'x' }] } };
		expect(await answered({}, true, none)).toEqual([{ _matched: 0, _shown: 0 }]);
		// Records are counted only for a tool.
		expect(await answered({}, false, limited)).toEqual(items.slice(0, 5));
	});

	it('the answer to a model counts the records whose shown masked values match', async () => {
		const margin = testbed.order(7).text(fields.internalMargin);
		const conditions = [{ field: fields.internalMargin, operator: 'ne', value: margin }];
		const limited = { filters: { conditions }, returnAll: false, limit: 1 };
		const items = await answered({ ignoreMask: true }, true, limited, [{}], 'admin');
		const others = [...testbed.orders.records.values()].filter(
			(record) => record.text(fields.internalMargin) !== margin,
		);
		expect(items.at(-1)).toEqual({ _matched: others.length, _shown: 1 });
	});

	it('the answer to a model counts the matching records of all input items', async () => {
		const limited = { returnAll: false, limit: '={{ $json.limit }}' };
		const items = await answered({}, true, limited, [{ limit: 1 }, { limit: 2 }]);
		expect(items.at(-1)).toEqual({ _matched: 600, _shown: 3 });
	});

	it.each<[string, IdentityName, INodeParameters]>([
		['Ignore Fixed Filter', 'admin', { ...onInvoices, options: { ignoreFixedFilter: true } }],
		['the fixed filter', 'admin', onInvoices],
		['Apply Default Filter', 'member', { ...onInvoices, options: { defaultFilter: true } }],
		['Shared View ID', 'member', { options: { sharedViewId: orders.views.open } }],
		['Full-Text Search', 'member', { options: { fullText: 'Lyon' } }],
		['Raw Conditions', 'member', { options: { where: `${fields.city},eq,Lyon` } }],
		['Additional Parameters', 'member', { options: { additionalParameters: inLyon } }],
	])('the answer to a model counts all records of the list, with %s', async (_, as, selection) => {
		const all = await answered(selection.options, false, selection, [{}], as);
		const limited = { ...selection, returnAll: false, limit: 1 };
		const items = await answered(selection.options, true, limited, [{}], as);
		expect(items.at(-1)).toEqual({ _matched: all.length, _shown: 1 });
	});

	it('the answer to a model counts with the version of the API with which the list was read', async () => {
		const limited = { returnAll: false, limit: 1 };
		await answered({ version: '2020-01-01' }, true, limited);
		const urls = testbed.readUrls.filter((url) => url.includes('offset='));
		expect(urls.length).toBeGreaterThan(1);
		for (const url of urls) expect(url).toContain('version=2020-01-01');
	});

	it('the answer to a model counts the records of JSONP pages, not the pages', async () => {
		const items = await answered({ callback: 'show', pageSize: 200, onlyFields: 'City' });
		expect(items).toHaveLength(3);
		expect(items.at(-1)).toMatchObject({ _matched: 300 });
	});

	it('the answer to a model counts at most 10,000 matching records, and says if there are more', async () => {
		const [first] = testbed.orders.records.values();
		for (let id = 10_000; first && id < 20_000; id++) {
			testbed.orders.records.set(id, Object.assign(Object.create(first), { id }));
		}
		const items = await answered({}, true, { returnAll: false, limit: 1 });
		expect(items.at(-1)).toEqual({ _matched: 'more than 10000', _shown: 1 });
	});

	it('the answer to a model has raw or simplified records, or the selected fields', async () => {
		const oneResult = { returnAll: false, limit: 1 };
		const [simplified = {}] = await answered({}, true, { ...oneResult, output: 'simplified' });
		expect(simplified).toEqual((await answered({}, false, oneResult))[0]);
		const [raw = {}] = await answered({}, true, { ...oneResult, output: 'raw' });
		expect(raw).toEqual((await answered({}, false, { ...oneResult, simplify: false }))[0]);
		const chosen = { ...oneResult, output: 'fields', outputFields: [fields.city, 'Status'] };
		const [selected = {}] = await answered({}, true, chosen);
		const keys = ['_recordId', '_title', '_starred', 'City', 'Status'];
		expect(Object.keys(selected).sort()).toEqual(keys.sort());
	});

	it('the answer to a model is an error if no field is selected', async () => {
		const chosen = { ...onOrders('getAll'), output: 'fields', outputFields: [] };
		await expect(answered({}, true, chosen)).rejects.toThrow();
	});

	it('the answer to a model names the parameter with an unknown field', async () => {
		const chosen = { ...onOrders('getAll'), output: 'fields', outputFields: ['Citty'] };
		const message = "'Citty' in 'Output Field Names or IDs' is not a field";
		await expect(answered({}, true, chosen)).rejects.toThrow(message);
	});

	it('the answer to a model has the records if the count of all matching ones fails', async () => {
		const isCount = ({ rawUrl }: SeenRequest) => rawUrl.includes('listing');
		testbed.refuse(isCount, Infinity);
		const items = await answered({}, true, { returnAll: false, limit: 3 }, [{}, {}]);
		expect(items.slice(0, 6).map(({ _recordId }) => typeof _recordId)).toEqual(
			Array(6).fill('number'),
		);
		expect(items.at(-1)).toEqual({ _matched: 'unknown', _shown: 6 });
	});

	it('the answer to a model is the number of records for Count', async () => {
		expect(await answered({}, true, { operation: 'count' })).toEqual([{ count: 300 }]);
	});
});

it('the parameter Output is only available in tools, and Simplify only outside of tools', async () => {
	const types = await packageTypes();
	const { description } = types.getByNameAndVersion('n8n-nodes-sheet-records.sheetRecords');
	const visible = (name: string) => {
		const values = { resource: 'record', operation: 'getAll', output: 'fields' };
		const isShown = (property: INodeProperties) =>
			NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, { ...description, name });
		const names = description.properties.filter(isShown).map((property) => property.name);
		return ['simplify', 'output', 'outputFields'].filter((parameter) => names.includes(parameter));
	};
	expect(visible('sheetRecords')).toEqual(['simplify']);
	expect(visible('sheetRecordsTool')).toEqual(['output', 'outputFields']);
});
