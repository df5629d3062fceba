import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { numbers, onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';
import { lookUpsOf } from './upserts';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const getAll = { ...onOrders('getAll'), limit: 20 };
const ragic = () => testbed.as('member', { serviceDialect: 'ragic' });
const standard = () => testbed.as('member', { serviceDialect: 'standard' });

function asked(name: string): string[] {
	return testbed.reads
		.filter(({ path }) => path.startsWith('/acme/sales/orders/1') && !path.includes('metadata'))
		.flatMap(({ query }) => query.filter(([key]) => key === name).map(([, value]) => value));
}

async function read(options: INodeParameters, overrides = {}) {
	testbed.service.requests.clear();
	const result = await testbed.run({ ...getAll, options }, [{}], overrides);
	expect(result.error).toBeUndefined();
	return result.json;
}

describe('Only Fields', () => {
	it('Only Fields requests no rows, unless a subtable is named', async () => {
		await read({ onlyFields: 'City, Reference' });
		expect(asked('subtables')).toEqual(['0']);
		await read({ onlyFields: `City, _subtable_${lines.id}` });
		expect(asked('subtables')).toEqual([]);
		await read({ onlyFields: 'City', subtables: true });
		expect(asked('subtables')).toEqual(['1']);
	});

	const requestedFields = [fields.city, fields.reference];

	it.each<[string, INodeParameters, string[]]>([
		['by name', { onlyFields: `City, ${fields.reference}` }, requestedFields],
		['by id', { onlyFields: `City, ${fields.reference}`, fieldKeys: 'id' }, requestedFields],
		// Read from whole records.
		['together with information', { onlyFields: 'City, _create_date', info: true }, []],
		['together with rows', { onlyFields: `City, _subtable_${lines.id}` }, []],
	])(
		'Only Fields requests only these fields from a service that supports it: %s',
		async (_, options, fieldIds) => {
			const usual = await read(options, standard());
			expect(asked('fetchDomainIds')).toEqual([]);
			expect(await read(options, ragic())).toEqual(usual);
			expect(asked('fetchDomainIds')).toEqual(fieldIds);
		},
	);
});

it.each([
	{ dialect: 'ragic', requested: [fields.city, fields.reference] },
	{ dialect: 'standard', requested: [] },
] as const)(
	'only some fields are requested if earlier answers have shown the dialect: $dialect',
	async ({ dialect, requested }) => {
		testbed.service.switches.dialect = dialect;
		await testbed.run({ ...getAll, limit: 1 });
		const items = await read({ onlyFields: 'City, Reference' });
		expect(items).toHaveLength(20);
		for (const item of items) {
			expect(Object.keys(item)).toEqual(['_recordId', '_title', '_starred', 'City', 'Reference']);
		}
		expect(asked('fetchDomainIds')).toEqual(requested);
	},
);

it.each([
	{ what: 'only the given fields', item: {}, requested: [fields.description] },
	{
		what: 'whole records for rows',
		item: { [`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'Pen' }] },
		requested: [],
	},
	{
		what: 'whole records, which have the date of the last change, for an item with its date',
		item: { _update_date: '2024/01/01 00:00:00' },
		requested: [],
	},
])('Skip Unchanged requests $what from a service that supports it', async ({ item, requested }) => {
	const parameters = { ...onOrder('update', 9), ...autoMapped(), options: { skipUnchanged: true } };
	const items = [{ [fields.description]: 'new', ...item }];
	const result = await testbed.runById(parameters, items, ragic());
	expect(result.error).toBeUndefined();
	expect(asked('fetchDomainIds')).toEqual(requested);
});

it('an upsert requests only the match fields from a service that supports it', async () => {
	testbed.order(7).set(fields.reference, 'HERE');
	const result = await testbed.runById(
		{ ...onOrders('upsert'), ...autoMapped([fields.reference]) },
		[{ [fields.reference]: 'HERE', [fields.remark]: 'found' }],
		ragic(),
	);
	expect(result.outcomes).toEqual(['7 updated #0']);
	expect(asked('fetchDomainIds')).toEqual([fields.reference]);
});

describe('Skip Unchanged with a service that can select fields', () => {
	const options = { skipUnchanged: true };
	const update = (values: object) => ({ ...onOrder('update', 7), ...asJson(values), options });

	it('Skip Unchanged requests whole records, because an unchanged item has the keys of an updated one', async () => {
		const status = testbed.order(7).text(fields.status);
		const same = await testbed.runById(update({ [fields.status]: status }), [{}], ragic());
		const title = { _recordId: 7, _title: 'SO-00007', _starred: false };
		expect(same.json).toMatchObject([
			{ ...title, [fields.status]: status, _action: 'unchanged', _changed: [] },
		]);
		expect(Object.keys(same.json[0] ?? {})).toContain(fields.city);
		expect(asked('fetchDomainIds')).toEqual([]);
		testbed.service.requests.clear();
		const rows = { [`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'Chair' }] };
		await testbed.runById(update(rows), [{}], ragic());
		expect(asked('fetchDomainIds')).toEqual([]);
	});

	it('Skip Unchanged requests the records of all items in one look-up', async () => {
		const { reference, remark, city } = fields;
		const ids = numbers(30, 101);
		for (const id of ids) testbed.order(id).set(reference, `FIELDS-${id}`);
		const items = ids.map((id) => {
			const field = id % 2 ? remark : city;
			return { [reference]: `FIELDS-${id}`, [field]: testbed.order(id).text(field) };
		});
		const parameters = { ...onOrders('upsert'), ...autoMapped([reference]), options };
		const { outcomes } = await testbed.runById(parameters, items, ragic());
		expect(outcomes).toEqual(ids.map((id, item) => `${id} unchanged #${item}`));
		expect(asked('fetchDomainIds')).toEqual([]);
		expect(lookUpsOf(testbed)).toHaveLength(1);
	});
});

describe('Skip Unchanged in an upsert', () => {
	const { reference, remark } = fields;
	const upsert = (overrides: INodeParameters) => ({
		...{ ...onOrders('upsert'), ...autoMapped([reference]) },
		options: { skipUnchanged: true, ...overrides },
	});

	it.each<[string, INodeParameters]>([
		['', {}],
		[' with Time Zone', { timeZone: 2 }],
	])(
		'Skip Unchanged in an upsert looks a key up once for several items of one record%s',
		async (_, overrides) => {
			testbed.order(200).set(reference, 'ONE-RECORD').set(remark, 'old');
			const items = ['new', 'other', 'other'].map((text) => ({
				...{ [reference]: 'ONE-RECORD', [remark]: text },
			}));
			const { outcomes } = await testbed.runById(upsert(overrides), items);
			expect(outcomes).toEqual(['200 updated #0', '200 updated #1', '200 unchanged #2']);
			expect(lookUpsOf(testbed)).toHaveLength(1);
		},
	);

	it('Skip Unchanged in an upsert looks up keys of several records again after each item that writes', async () => {
		const items = numbers(100).map((key) => {
			for (const place of numbers(3, 0)) {
				testbed
					.order(key * 3 - place)
					.set(reference, `KEY-${key}`)
					.set(remark, 'same');
			}
			return { [reference]: `KEY-${key}`, [remark]: key % 4 === 1 ? 'new' : 'same' };
		});
		const parameters = upsert({ onMultipleMatches: 'updateAll' });
		const { actions } = await testbed.runById(parameters, items);
		expect(actions.filter((action) => action === 'updated')).toHaveLength(75);
		expect(actions.filter((action) => action === 'unchanged')).toHaveLength(225);
		expect([testbed.writes.length, lookUpsOf(testbed).length]).toEqual([75, 26]);
	});
});

it.each<INodeParameters>([
	{ skipUnchanged: true },
	{ dryRun: true },
	{ rowsMode: 'replace' },
	{ rowsMode: 'upsert', rowMatchFields: lines.fields.article },
])('an update with %j reads the records of all items together', async (options) => {
	const rows = { [`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'Pen' }] };
	const ids = numbers(30, 40);
	const values = { ...onOrder('update'), ...asJson({ [fields.remark]: 'new', ...rows }), options };
	const result = await testbed.runById(
		values,
		ids.map((id) => ({ id })),
	);
	expect(result.ids).toEqual(ids);
	expect(testbed.reads.filter(({ path }) => /\/orders\/1\/\d+$/.test(path))).toEqual([]);
});
