import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { onLines, rowAsJson } from '../subtableRow/rowTestbed';
import { itemWithFiles, storedFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, mapped, withFiles } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const { fields } = orders;
const { lines } = orders.subtables;
const ofOrders = { sheet: sheet(orders) };
const update = { operation: 'update', ...ofOrders, recordId: recordId(5) };
const city = `City (${fields.city})`;

/** The mapper as the editor keeps it: the fields' keys with what it knows of them. */
function fromEditor(value: INodeParameters, matchingColumns: string[] = []): INodeParameters {
	const schema = Object.keys(value).map((id) => ({ id, displayName: id, type: 'string' }));
	return mapped(value, matchingColumns, schema);
}

async function run(parameters: INodeParameters, item: object = {}) {
	const result = await testbed.run(parameters, [{ json: { ...item } }]);
	expect(result.error).toBeUndefined();
	return result;
}

const text = (fieldId: string, id = 5) => testbed.service.data.record(orders, id).text(fieldId);

describe('what the mapper stores', () => {
	it('is written without asking for the fields', async () => {
		await run({ ...update, ...fromEditor({ [city]: 'Graz' }) });
		expect(testbed.reads).toEqual([]);
		expect(testbed.writes.map(({ body }) => body)).toEqual([{ [fields.city]: 'Graz' }]);
	});

	it('is written after a rename', async () => {
		const { fields: ofOrders } = testbed.service.data.sheet(orders);
		for (const field of ofOrders) if (field.id === fields.city) field.name = 'Town';
		await run({ ...update, ...fromEditor({ [city]: 'Graz' }) });
		expect(text(fields.city)).toBe('Graz');
	});

	it('may be plain IDs, as before', async () => {
		await run({ ...update, ...fromEditor({ [fields.city]: 'Graz' }) });
		expect(testbed.reads).toEqual([]);
		expect(text(fields.city)).toBe('Graz');
	});

	it('is refused when a field is given twice', async () => {
		const values = fromEditor({ [city]: 'Graz', [fields.city]: 'Wien' });
		const result = await testbed.run({ ...update, ...values });
		expect(result.error?.message).toContain(`both stand for the field ${fields.city}`);
		expect(testbed.writes).toEqual([]);
	});

	it('is matched on', async () => {
		const reference = `Reference (${fields.reference})`;
		const number = text(fields.orderNumber);
		const orderNumber = `Order Number (${fields.orderNumber})`;
		testbed.service.data.record(orders, 5).set(fields.reference, 'R-5');
		for (const [key, value] of [
			[orderNumber, number],
			[reference, 'R-5'],
		] as const) {
			const values = fromEditor({ [key]: value, [city]: 'Graz' }, [key]);
			const { items } = await run({ operation: 'upsert', ...ofOrders, ...values });
			expect(items[0]?.json).toMatchObject({ _recordId: 5, _action: 'updated' });
		}
	});

	it('is a row, too', async () => {
		const article = `Article (${lines.fields.article})`;
		await run(onLines('add', fromEditor({ [article]: 'Vase' })), { order: 5 });
		expect(testbed.reads.filter(({ rawUrl }) => /schema|def/.test(rawUrl))).toEqual([]);
		const rows = [...testbed.service.data.record(orders, 5).rows(lines.id).values()];
		expect(rows.at(-1)?.get(lines.fields.article)).toBe('Vase');
	});
});

describe('a name with the ID behind it', () => {
	it('is understood in rows, be they of a subtable by its name', async () => {
		const key = `Product (${lines.fields.article})`;
		const record = { [`_subtable_Order Lines`]: [{ [key]: 'Vase' }] };
		const credentials = testbed.credentials('admin');
		const result = await testbed.run({ ...update, ...asJson(record) }, [{}], { credentials });
		expect(result.error).toBeUndefined();
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{ [`_subtable_${lines.id}`]: { '-1': { [lines.fields.article]: 'Vase' } } },
		]);
		testbed.service.requests.clear();
		await run(onLines('add', rowAsJson({ [key]: 'Lamp' })), { order: 5 });
		expect(testbed.writes).toHaveLength(1);
	});

	it('is a subtable, too, wherever one is named', async () => {
		const asAdmin = { credentials: testbed.credentials('admin') };
		const [row] = [...testbed.service.data.record(orders, 5).rows(lines.id).keys()];
		for (const name of ['Order Lines', `Lines once (${lines.id})`]) {
			testbed.service.requests.clear();
			const record = { [`_DELSUB_${name}`]: [row ?? 0] };
			await testbed.run({ ...update, ...asJson(record) }, [{}], asAdmin);
			expect(testbed.writes.map(({ body }) => body)).toEqual([{ [`_DELSUB_${lines.id}`]: [row] }]);
			const options = { onlyFields: `_subtable_${name}` };
			const read = { operation: 'getAll', ...ofOrders, limit: 1, options };
			const { items } = await testbed.run(read, [{}], asAdmin);
			expect(items[0]?.json).toHaveProperty(`_subtable_${lines.id}`);
			const rows = { ...onLines('getAll'), subtableId: name };
			expect((await testbed.run(rows, [{ order: 4 }], asAdmin)).error).toBeUndefined();
			const ignoring = { ignoreFields: [`_subtable_${name}`] };
			const item = { City: 'Graz', [`_subtable_${name}`]: [{ Article: 'Vase' }] };
			testbed.service.requests.clear();
			await testbed.run({ ...update, ...autoMapped(), options: ignoring }, [item], asAdmin);
			expect(testbed.writes.map(({ body }) => body)).toEqual([{ [fields.city]: 'Graz' }]);
		}
	});

	it('given twice for the same rows is refused', async () => {
		const record = { '_subtable_Order Lines': [], [`_subtable_${lines.id}`]: [] };
		const credentials = testbed.credentials('admin');
		const result = await testbed.run({ ...update, ...asJson(record) }, [{}], { credentials });
		expect(result.error?.message).toContain(`both stand for '_subtable_${lines.id}'`);
	});

	it('is left out of an item, whatever the name says', async () => {
		const options = { ignoreFields: [`Town (${fields.city})`] };
		await run({ ...update, ...autoMapped(), options }, { City: 'Graz', Remark: 'new' });
		expect(testbed.writes.map(({ body }) => body)).toEqual([{ [fields.remark]: 'new' }]);
	});

	it('of an item is written', async () => {
		await run({ ...update, ...autoMapped() }, { [`Town (${fields.city})`]: 'Graz' });
		expect(text(fields.city)).toBe('Graz');
	});

	it('of an item is unknown when the sheet has no such field', async () => {
		const options = { unknownFields: 'ignore' };
		const item = { City: 'Graz', 'Rate (2024)': '5', 'Account (1200000)': '7' };
		const { items } = await run({ ...update, ...autoMapped(), options }, item);
		expect(testbed.writes.map(({ body }) => body)).toEqual([{ [fields.city]: 'Graz' }]);
		expect(items).toHaveLength(1);
	});

	it.each(['name', 'id'])('narrows what is read: by %s', async (fieldKeys) => {
		const options = { fieldKeys, onlyFields: `Town (${fields.city}), ${fields.reference}` };
		const { items } = await run({ operation: 'getAll', ...ofOrders, limit: 1, options });
		const keys = fieldKeys === 'id' ? [fields.reference, fields.city] : ['City', 'Reference'];
		const added = /^_(?:recordId|title|starred)$/;
		expect(Object.keys(items[0]?.json ?? {}).filter((key) => !added.test(key))).toEqual(keys);
	});

	it('takes a file', async () => {
		const files = withFiles([`Agreement (${fields.contract})`, 'data']);
		const item = await itemWithFiles({}, { data: textFile('contract.txt') });
		const result = await testbed.run({ ...update, ...mapped({}), ...files }, [item]);
		expect(result.error).toBeUndefined();
		expect(storedFiles(testbed.service, orders, 5, fields.contract)).toHaveLength(1);
	});
});

describe('when no list of the fields is to be had', () => {
	afterEach(() => jest.restoreAllMocks());
	beforeEach(() => {
		// What was learnt before is forgotten by now.
		const now = performance.now() + 3_600_000;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		testbed.service.faults.inject({
			kind: 'body',
			body: '{}',
			times: Infinity,
			when: ({ method }) => method === 'GET',
		});
	});

	it.each([
		['JSON', asJson({ [`Town (${fields.city})`]: 'Graz', [`Ref. (${fields.reference})`]: 'R' })],
		['the mapper', fromEditor({ [city]: 'Graz', [`Reference (${fields.reference})`]: 'R' })],
	])('the ID is taken: %s', async (_, values) => {
		await run({ ...update, ...values });
		expect([text(fields.city), text(fields.reference)]).toEqual(['Graz', 'R']);
	});

	it('a name beside it is refused, and nothing is written', async () => {
		const values = asJson({ [city]: 'Graz', Remark: 'x' });
		const result = await testbed.run({ ...update, ...values });
		expect(result.error?.message).toContain("'Remark' cannot be found by its name");
		expect(testbed.writes).toEqual([]);
	});
});
