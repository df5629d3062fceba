import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { customers, orders, type SheetAddress } from '../../service';
import { assign, byItems, mass } from '../massOperation/massParameters';
import { onOrders, recordId, useRecordTestbed } from '../recordTestbed';
import { packageName, packageTypes, type InputItem } from '../runner';
import { Sheet } from '../../service/data/sheet';
import { linesOf, onLines, rowAsJson } from '../subtableRow/rowTestbed';

const testbed = useRecordTestbed();
const { lines } = orders.subtables;

/** Options that change the request of a row. Two items with different values cannot share a request. */
const sentOptions = [
	'checkLock',
	'doDefaultValue',
	'doFormula',
	'doLinkLoad',
	'doValidation',
	'doWorkflow',
	'notification',
	'timeZone',
	'version',
];
/** Options that change the values or the output of a single row. */
const ownOptions = [
	'clearEmpty',
	'fieldKeys',
	'files',
	'ignoreFields',
	'missingFile',
	'unknownChoices',
	'unknownFields',
];

type Property = INodeProperties | INodePropertyCollection;

async function optionsOf(resource: string, operation: string): Promise<INodeProperties[]> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	const isShown = ({ displayOptions: { show } = {} }: INodeProperties) =>
		show?.resource?.includes(resource) === true && show.operation?.includes(operation) === true;
	return properties
		.filter((property) => property.name === 'options' && isShown(property))
		.flatMap(({ options = [] }) => options.filter(isProperty));
}

function isProperty(option: object): option is INodeProperties {
	return 'type' in option && 'default' in option;
}

/** Returns two different values of an option. */
function valuesOf({ name, type, options = [] }: INodeProperties): [unknown, unknown] {
	if (name === 'version') return ['2025-01-01', '2025-02-02'];
	if (type === 'boolean') return [true, false];
	if (type === 'number') return [0, 8];
	const [first, second] = options.filter((choice: Property | object) => 'value' in choice);
	if (first && second && 'value' in first && 'value' in second) return [first.value, second.value];
	return ['', 'Unit'];
}

const operations: Array<[string, INodeParameters]> = [
	['add', onLines('add', rowAsJson({ [lines.fields.article]: 'new' }))],
	[
		'update',
		onLines('update', {
			...rowAsJson({ [lines.fields.article]: 'new' }),
			rowId: '={{ $json.line }}',
		}),
	],
	['delete', onLines('delete', { rowId: '={{ $json.line }}' })],
];

const itemsOf = (...items: object[]) => {
	const [first, second] = linesOf(testbed.service, 11);
	return [first, second].map((line, index) => ({
		order: 11,
		line: line?.[0] ?? 0,
		...items[index],
	}));
};

const returns = { id: '2000098', articleId: '3000098' };
const addressOf = ({ path, index }: SheetAddress) => `${path}/${index}`;

/** A sheet with the number, the fields and the records of the orders in another folder. */
const archive = { path: 'archive/orders', index: orders.index };

function addArchive(): void {
	const { data } = testbed.service;
	const ofOrders = data.sheet(orders);
	data.sheets.push(new Sheet({ ...ofOrders.definition, ...archive }, ofOrders));
}

/** Puts the lines of order 11 into three more places: order 12, another subtable of order 11, and another sheet. */
function copyLines(): void {
	const { data } = testbed.service;
	const ordersSheet = data.sheet(orders);
	const subtable = ordersSheet.subtable(lines.id);
	if (!subtable) throw new Error('The orders have no lines');
	const copyOf = (name: string) => structuredClone({ ...subtable, name });
	data.sheet(customers).subtables.push(copyOf('Lines'));
	const article = { id: returns.articleId, name: 'Returned', type: 'text' as const };
	ordersSheet.subtables.push({ ...copyOf('Returns'), id: returns.id, fields: [article] });
	const rows = ordersSheet.record(11).rows(lines.id);
	const newRows = () => new Map([...rows].map(([id, row]) => [id, new Map(row)]));
	ordersSheet.record(12).subtables.set(lines.id, newRows());
	ordersSheet.record(11).subtables.set(returns.id, newRows());
	data.record(customers, 11).subtables.set(lines.id, newRows());
}

describe.each(operations)('rows of subtableRow.%s', (operation, parameters) => {
	it('two rows of one record and with the same options share a request', async () => {
		await testbed.run(parameters, itemsOf());
		expect(testbed.writes).toHaveLength(1);
	});

	it.each([
		['sheet', { at: addressOf(customers) }],
		['folder', { at: addressOf(archive) }],
		['subtable', { subtable: returns.id, article: returns.articleId }],
		['record', { order: 12 }],
	])('two rows that differ in their %s alone need a request each', async (_, difference) => {
		copyLines();
		addArchive();
		const place = {
			sheet: { __rl: true, mode: 'path', value: '={{ $json.at }}' },
			subtableId: '={{ $json.subtable }}',
		};
		const row = rowAsJson('={{ JSON.stringify({ [$json.article]: "new" }) }}');
		const input = operation === 'delete' ? {} : row;
		const first = { at: addressOf(orders), subtable: lines.id, article: lines.fields.article };
		const items = itemsOf(first, { ...first, ...difference });
		const { errorItems } = await testbed.runAll({ ...parameters, ...place, ...input }, items);
		expect(errorItems).toEqual([]);
		const places = testbed.writes.map(({ path, body }) =>
			[path, ...Object.keys(Object(body))].join(),
		);
		expect(new Set(places).size).toBe(2);
		expect(testbed.bodies.map(rowsIn)).toEqual([1, 1]);
	});

	it('each option of the operation is in one of the two lists', async () => {
		const named = (await optionsOf('subtableRow', operation)).map(({ name }) => name);
		expect(named.filter((name) => ![...sentOptions, ...ownOptions].includes(name))).toEqual([]);
		expect(named.length).toBeGreaterThan(sentOptions.length - 1);
	});

	it('two values of an option need two requests exactly if the option is sent', async () => {
		for (const option of await optionsOf('subtableRow', operation)) {
			if (option.name === 'files') continue;
			testbed.service.reset();
			const items = valuesOf(option).map((value) => ({ value }));
			const options = { [option.name]: '={{ $json.value }}' };
			await testbed.run({ ...parameters, options }, itemsOf(...items));
			const expected = sentOptions.includes(option.name) ? 2 : 1;
			expect([option.name, testbed.writes.length]).toEqual([option.name, expected]);
		}
	});
});

function rowsIn(body: unknown): number {
	return Object.values(Object(body)).flatMap((rows) => Object.keys(Object(rows))).length;
}

const remark = orders.fields.remark;

describe('records with one ID on sheets with one number in two folders', () => {
	const items = [orders, archive].map((address) => ({ at: addressOf(address), Reference: 'R' }));
	const condition = { field: remark, operator: 'eq', value: 'Archived' };

	beforeEach(() => {
		const { data } = testbed.service;
		data.record(orders, 11).set(orders.fields.reference, 'R');
		addArchive();
		data.record(archive, 11).set(remark, 'Archived');
	});

	it.each<[string, INodeParameters]>([
		['get', { recordId: recordId(11) }],
		['get', { getBy: 'match', matchFields: ['Reference'] }],
		['count', { filters: { conditions: [condition] } }],
	])('are read for each item: %s %j', async (operation, parameters) => {
		const sheet = { __rl: true, mode: 'path', value: '={{ $json.at }}' };
		const read = async (some: InputItem[]) =>
			(await testbed.run({ operation, sheet, ...parameters }, some)).json;
		const alone = [];
		for (const item of items) alone.push(...(await read([item])));
		expect(alone).toHaveLength(2);
		expect(alone[0]).not.toEqual(alone[1]);
		expect(await read(items)).toEqual(alone);
	});

	it.each(['update', 'upsert'])('are written for each item: %s', async (operation) => {
		const sheet = { __rl: true, mode: 'path', value: '={{ $json.at }}' };
		const by = { recordId: recordId(11), inputMode: 'json', matchFields: ['Reference'] };
		const recordJson = '={{ JSON.stringify({ Reference: "R", Remark: $json.at }) }}';
		const options = { skipUnchanged: true };
		await testbed.run({ operation, sheet, ...by, recordJson, options }, items);
		const remarks = [orders, archive].map((address) =>
			testbed.service.data.record(address, 11).text(remark),
		);
		expect(remarks).toEqual(items.map(({ at }) => at));
	});
});

describe('items of a mass operation', () => {
	const update = mass('update', { ...byItems(), ...assign([remark, '={{ $json.text }}']) });

	it('two items with the same changes share a task', async () => {
		await testbed.run(
			update,
			[10, 11].map((_recordId) => ({ _recordId, text: 'x' })),
		);
		expect(testbed.writes).toHaveLength(1);
	});

	it.each([
		['value', {}, { text: 'y' }],
		['field', assign(['={{ $json.field }}', 'x']), { field: orders.fields.status }],
		[
			'sheet',
			{ sheet: { __rl: true, mode: 'path', value: '={{ $json.at }}' } },
			{ at: addressOf(customers) },
		],
		[
			'folder',
			{ sheet: { __rl: true, mode: 'path', value: '={{ $json.at }}' } },
			{ at: addressOf(archive) },
		],
		['users sheet', { options: { userSheet: '={{ $json.users }}' } }, { users: 'internal' }],
		['option', { options: { pollInterval: '={{ $json.interval }}' } }, { interval: 0.02 }],
	])('another %s alone needs a task of its own', async (_, overrides, second) => {
		testbed.service.data.sheet(customers).fields.push({ id: remark, name: 'Note', type: 'text' });
		addArchive();
		const at = addressOf(orders);
		const first = { text: 'x', field: remark, at, users: 'none', interval: 0.01 };
		const items = [
			{ ...first, _recordId: 10 },
			{ ...first, ...second, _recordId: 11 },
		];
		await testbed.runAll({ ...update, ...overrides }, items);
		const idsOf = (url: string) => [...url.matchAll(/recordId=(\d+)/g)].map(([, id]) => id);
		expect(testbed.writeUrls.map(idsOf)).toEqual([['10'], ['11']]);
	});
});

describe('reads of several items in the spelling of Ragic', () => {
	const getOrder = { ...onOrders('get'), recordId: recordId(5) };
	const read = async (parameters: INodeParameters, items: InputItem[]) => {
		testbed.service.switches.dialect = 'ragic';
		const credentials = testbed.credentials('member', { serviceDialect: 'ragic' });
		const all = { ...getOrder, ...parameters };
		return await testbed.run(all, items, { credentials });
	};

	it('two items for one record with the same fields share a request', async () => {
		const options = { onlyFields: orders.fields.city };
		const { items } = await read({ options }, [{ value: 1 }, { value: 2 }]);
		expect([
			items.length,
			testbed.reads.filter(({ path }) => path.endsWith('/1/5')).length,
		]).toEqual([2, 1]);
	});

	it('each item gets its own fields', async () => {
		const { city, remark: other } = orders.fields;
		const options = { onlyFields: '={{ $json.value }}', fieldKeys: 'id' };
		const { items } = await read({ options }, [{ value: city }, { value: other }]);
		expect(items.map(({ json }) => Object.keys(json).filter((key) => /^\d+$/.test(key)))).toEqual([
			[city],
			[other],
		]);
	});
});
