import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import type { InputItem } from '../runner';
import { linesOf, rowIdsOf } from '../subtableRow/rowTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const byItem = onOrder('update');
const record = (id: number) => testbed.order(id);

it("only the given fields of each item's record are changed", async () => {
	const before = record(12).text(fields.status);
	const values = mapped({ [fields.remark]: '={{ $json.remark }}' });
	const result = await testbed.runById({ ...byItem, ...values }, [
		{ id: 12, remark: 'one' },
		{ id: '300', remark: 'two' },
	]);
	expect(result.records).toEqual(['12 #0', '300 #1']);
	expect(result.json[0]).toMatchObject({ [fields.remark]: 'one', [fields.status]: before });
	expect(testbed.writes.map(({ method, rawUrl, body }) => [method, rawUrl, body])).toEqual([
		['POST', '/acme/sales/orders/1/12?api', { [fields.remark]: 'one' }],
		['POST', '/acme/sales/orders/1/300?api', { [fields.remark]: 'two' }],
	]);
	expect(record(12).text(fields.remark)).toBe('one');
	expect(record(12).text(fields.status)).toBe(before);
});

describe('empty values', () => {
	const values = { Remark: '', Reference: null, Tags: [] };
	const ofFourteen = { ...onOrder('update', 14), ...autoMapped() };

	it('empty values leave the fields unchanged', async () => {
		const before = Object.fromEntries(record(14).values);
		const options = { doWorkflow: false };
		await testbed.runById({ ...ofFourteen, options }, [{ ...values, Express: 'Yes' }]);
		const after = Object.fromEntries(record(14).values);
		expect(after).toEqual({ ...before, [fields.express]: 'Yes' });
	});

	it('empty values clear the fields with Clear Empty, also selections', async () => {
		record(14).set(fields.tags, ['Gift', 'Bulk']).set(fields.remark, 'full');
		await testbed.runById({ ...ofFourteen, options: { clearEmpty: true } }, [values]);
		const cleared = [fields.tags, fields.remark, fields.reference].map((id) => record(14).text(id));
		expect(cleared).toEqual(['', '', '']);
	});
});

it.each<[INodeParameters, string]>([
	[{}, 'api'],
	[{ checkLock: true, doValidation: true }, 'api&doValidation=true&checkLock=true'],
	[{ doWorkflow: false, version: '2025-01-01' }, 'api&doWorkflow=false&version=2025-01-01'],
])('the options %j are sent as %s', async (options, query) => {
	await testbed.runById({ ...onOrder('update', 12), ...asJson({ [fields.remark]: 'x' }), options });
	expect(testbed.writeUrls).toEqual([`/acme/sales/orders/1/12?${query}`]);
});

/** Items with three orders. Order 3 is locked. */
const items = [{ id: 2 }, { id: 3 }, { id: 5 }];
const remark = (id: number) => record(id).text(fields.remark);
const remarked = { ...byItem, ...asJson({ [fields.remark]: 'written' }) };

describe('a locked record', () => {
	it('a locked record is changed without Check Lock', async () => {
		const result = await testbed.runById(remarked, items);
		expect(result.status).toBe('success');
		expect(remark(3)).toBe('written');
	});

	it('a locked record is not changed with Check Lock: code 402 stops the workflow with advice', async () => {
		const before = remark(3);
		const { error } = await testbed.runById({ ...remarked, options: { checkLock: true } }, items);
		expect(error?.message).toContain('Record locked');
		expect(error?.description).toMatch(/(?=.*402).*Unlock/s);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect([remark(2), remark(3)]).toEqual(['written', before]);
		expect(testbed.writes).toHaveLength(2);
	});
});

it('an update of a missing record, and of a required field to an empty value, is rejected', async () => {
	const before = remark(2);
	const clearing = { ...asJson('={{ $json.record }}'), options: { clearEmpty: true } };
	const result = await testbed.runAllById({ ...remarked, ...clearing }, [
		{ id: 99999, record: { [fields.remark]: 'written' } },
		{ id: 2, record: { [fields.customerNumber]: '', [fields.remark]: 'written' } },
		{ id: 5, record: { [fields.remark]: 'written' } },
	]);
	testbed.expectErrors(result, [/Record not found.*\bcode 404\b/i, 'Customer Number']);
	expect(result.links).toEqual([{ item: 2 }]);
	expect([remark(2), remark(5)]).toEqual([before, 'written']);
});

it.each(['update', 'upsert'])(
	'an item that has only files does not fail with the others: %s',
	async (operation) => {
		const fileAlone: InputItem = JSON.parse('{"binary":{}}');
		const values = asJson(
			`={{ ({ ${fields.reference}: 'KEY ' + $itemIndex, ${fields.remark}: 'of each' }) }}`,
		);
		for (const index of [0, 1]) record(11 + index).set(fields.reference, `KEY ${index}`);
		const result = await testbed.runAllById(
			{
				...onOrder(operation, '={{ $itemIndex + 11 }}'),
				...values,
				matchFields: [fields.reference],
			},
			[fileAlone, {}],
		);
		expect(result.outcomes).toEqual(['11 updated #0', '12 updated #1']);
	},
);

describe('rows', () => {
	const { lines } = orders.subtables;
	const { article, quantity } = lines.fields;
	const rowsKey = `_subtable_${lines.id}`;
	const deletionsKey = `_DELSUB_${lines.id}`;
	/** Parameters for order 11, which has three lines. */
	const ofEleven = onOrder('update', 11);
	const ofItem = { ...ofEleven, ...autoMapped() };

	const articles = () => linesOf(testbed.service, 11).map(([id, text]) => `${id} ${text}`);

	let rowIds: number[] = [];

	beforeEach(() => {
		rowIds = rowIdsOf(testbed.service, 11);
		expect(rowIds).toHaveLength(3);
	});

	it('rows with _rowId are changed, rows without are created, and named rows are deleted', async () => {
		const [first, second, third] = rowIds;
		const changed = { _rowId: first, Article: 'changed' };
		const rows = [changed, { Article: 'new', Quantity: 1 }];
		const record = asJson({ [rowsKey]: rows, [deletionsKey]: [third] });
		const [, kept] = articles();
		const result = await testbed.runById({ ...ofEleven, ...record });
		const added = { [article]: 'new', [quantity]: 1 };
		const sent = { [String(first)]: { [article]: 'changed' }, '-1': added };
		expect(testbed.bodies).toEqual([{ [rowsKey]: sent, [deletionsKey]: [third] }]);
		const isNew = expect.stringMatching(/^\d+ new$/);
		expect(articles()).toEqual([`${first} changed`, kept, isNew]);
		expect([second, third]).not.toContain(Number.parseInt(articles()[2] ?? ''));
		expect(result.json[0]?.[rowsKey]).toHaveLength(3);
	});

	it('rows are accepted in the format of the API, with row IDs as texts', async () => {
		const rows = { [String(rowIds[0])]: { Article: 'a' }, '-7': { Article: 'b' } };
		await testbed.runById({ ...ofEleven, ...asJson({ [rowsKey]: rows }) });
		const [first, ...rest] = articles();
		expect([first, rest.length]).toEqual([`${rowIds[0]} a`, 3]);
		expect(rest.at(-1)).toMatch(/^\d+ b$/);
	});

	it('rows are deleted with automatic mapping, one or several', async () => {
		const [first, second, third] = rowIds;
		await testbed.runById(ofItem, [{ [deletionsKey]: [first, String(second)] }]);
		expect(rowIdsOf(testbed.service, 11)).toEqual([third]);
		await testbed.runById(ofItem, [{ [deletionsKey]: third }]);
		expect(articles()).toEqual([]);
	});

	it.each<INodeParameters>([
		{},
		{ skipUnchanged: true },
		{ rowsMode: 'upsert', rowMatchFields: article },
	])(
		'a row that the item both holds and deletes is deleted, like a row of a record that was read, in one request (%j)',
		async (options) => {
			const [first, second, third] = rowIds;
			const read = await testbed.runById(onOrder('get', 11));
			const [item] = read.json;
			testbed.service.requests.clear();
			const named = [`0${second}`, second];
			const result = await testbed.runById({ ...ofItem, options }, [
				{ ...item, [deletionsKey]: named },
			]);
			expect(rowIdsOf(testbed.service, 11)).toEqual([first, third]);
			expect(testbed.bodies.map((body) => Object(body)[deletionsKey])).toEqual([[second]]);
			expect(Object.keys(Object(testbed.bodies[0])[rowsKey])).toEqual([first, third].map(String));
			expect([result.warnings, result.json[0]?._action]).toEqual([[undefined], 'updated']);
		},
	);

	it('cells of rows are cleared with Clear Empty only', async () => {
		const record = asJson({ [rowsKey]: [{ _rowId: rowIds[0], Article: '', Quantity: 0 }] });
		for (const options of [{}, { clearEmpty: true }]) {
			await testbed.runById({ ...ofEleven, ...record, options });
		}
		const rowsSent = testbed.writes.map(({ body }) => Object.values(Object(body)[rowsKey]));
		expect(rowsSent).toEqual([[{ [quantity]: 0 }], [{ [article]: '', [quantity]: 0 }]]);
		expect(articles()[0]).toBe(`${rowIds[0]} `);
	});

	it.each<[string, object, string]>([
		['a deletion of no row id', { [deletionsKey]: ['first'] }, deletionsKey],
		['a deletion of a negative id', { [deletionsKey]: [-1] }, deletionsKey],
		// The service rejects this row.
		['a row that is not there', { [rowsKey]: [{ _rowId: 999999, [article]: 'x' }] }, '999999'],
	])('an update with %s is rejected', async (_, record, message) => {
		expect(await testbed.errorOf({ ...ofEleven, ...asJson(record) })).toContain(message);
		expect(testbed.writes).toHaveLength(message === deletionsKey ? 0 : 1);
	});
});
