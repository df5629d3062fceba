import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { onLines } from '../subtableRow/rowTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const { lines } = orders.subtables;
const rowsKey = `_subtable_${lines.id}`;
const typed = { typedValues: true };

/** Time of the current test, in ms. Fields stay cached across tests, so each test starts one day later. */
let clock = 0;
beforeEach(() => {
	clock += 86_400_000;
	jest.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => jest.restoreAllMocks());

async function run(parameters: INodeParameters, identity: IdentityName, items = [{}]) {
	const operationParameters = { sheet: sheet(orders), ...parameters };
	const result = await testbed.runById(operationParameters, items, testbed.as(identity));
	expect(result.error).toBeUndefined();
	return { hints: result.hints, records: result.json };
}

const order = (id: number) => testbed.order(id);

function rename(fieldId: string, name: string): void {
	for (const field of testbed.service.data.sheet(orders).fields) {
		if (field.id === fieldId) field.name = name;
	}
}
const get = { operation: 'get', recordId: recordId(6) };

/** Sets order 6 to express, with one tag as a text, a code that looks like a number, and two rows. */
beforeEach(() => {
	testbed.service.switches.singleChoiceAsText = true;
	order(6)
		.set(fields.tags, ['Gift'])
		.set(fields.reference, '0612')
		.set(fields.remark, '12345678901234567890')
		.set(fields.note, '12.50')
		.set(fields.total, '12.50');
});

describe('values of their types, for an administrator', () => {
	it.each([
		['', 'Untitled (3000009)'],
		['Quantity', 'Quantity2'],
	])('a number field of rows with the name %j is typed, too', async (name, key) => {
		const [subtable] = testbed.service.data.sheet(orders).subtables;
		subtable?.fields.push({ id: '3000009', name, type: 'number' });
		for (const row of order(6).rows(lines.id).values()) row.set('3000009', '12.50');
		const { records } = await run({ ...get, options: typed }, 'admin');
		const ofRows = { ...onLines('getAll', { options: typed }), recordId: recordId(6) };
		const rows = await run(ofRows, 'admin');
		expect(rows.records[0]?.[key]).toBe(12.5);
		expect(records[0]?.[rowsKey]).toMatchObject([{ [key]: 12.5 }, { [key]: 12.5 }]);
	});

	it('typed values are numbers, true and false, and lists; texts stay texts', async () => {
		const { records, hints } = await run({ ...get, options: typed }, 'admin');
		expect(records[0]).toMatchObject({
			...{ Total: 12.5, Express: true, Tags: ['Gift'] },
			...{ Reference: '0612', Remark: '12345678901234567890', Note: '12.50', Contract: '' },
			'Order Number': 'SO-00006',
			'Order Date': expect.stringMatching(/^\d{4}\/\d\d\/\d\d$/),
		});
		const rows = [records[0]?.[rowsKey]].flat().map((row) => Object(row));
		expect(rows.length).toBeGreaterThan(0);
		for (const { Article, Quantity, Amount } of rows) {
			const types = [typeof Article, typeof Quantity, typeof Amount];
			expect(types).toEqual(['string', 'number', 'number']);
		}
		expect(hints).toEqual([]);
	});

	it('typed values are the same by IDs, in raw records, and with ISO dates', async () => {
		const options = { ...typed, fieldKeys: 'id', isoDates: true };
		const { records } = await run({ ...get, simplify: false, options }, 'admin');
		expect(records[0]).toMatchObject({
			...{ [fields.total]: 12.5, [fields.express]: true, [fields.tags]: ['Gift'] },
			[fields.orderDate]: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		});
		const [row] = Object.values(Object(records[0]?.[rowsKey]));
		expect(typeof Object(row)[lines.fields.unitPrice]).toBe('number');
	});

	it.each([
		{ name: '合計', key: '合計' },
		{ name: 'Сумма', key: 'Сумма' },
		{ name: '2026', key: `2026 (${fields.total})` },
	])('a field named $name is typed', async ({ name, key }) => {
		rename(fields.total, name);
		const { records, hints } = await run({ ...get, options: typed }, 'admin');
		expect(records[0]?.[key]).toBe(12.5);
		expect(hints).toEqual([]);
		const options = { numberFields: key };
		const declared = await run({ ...get, options }, 'member');
		expect(declared.records[0]).toMatchObject({ [key]: 12.5 });
		expect(declared.hints.map(({ message }) => message).join()).not.toContain(name);
	});

	it('empty typed values are null, or an empty list', async () => {
		for (const field of [fields.tags, fields.total, fields.express]) order(6).set(field, '');
		const { records } = await run({ ...get, options: typed }, 'admin');
		expect(records[0]).toMatchObject({ Total: null, Express: null, Tags: [] });
	});

	it('a typed value stays a text if a number would lose a digit', async () => {
		const long = '9'.repeat(20);
		for (const id of [5, 6]) order(id).set(fields.total, long);
		const parameters = { operation: 'getAll', returnAll: true, options: typed };
		const { records } = await run(parameters, 'admin', [{}, {}]);
		expect(records.filter(({ Total }) => Total === long)).toHaveLength(4);
	});

	it('values of rows are typed in the same way', async () => {
		const { records } = await run(onLines('getAll', { options: typed }), 'admin', [{ order: 6 }]);
		expect(records[0]).toMatchObject({ Quantity: expect.any(Number), Article: expect.any(String) });
		const options = { ...typed, fieldKeys: 'id' };
		const byId = await run(onLines('getAll', { options }), 'admin', [{ order: 6 }]);
		expect(byId.records[0]?.[lines.fields.amount]).toBe(records[0]?.Amount);
	});

	it('types are not requested without Typed Values', async () => {
		const { records } = await run({ ...get, options: { typedValues: false } }, 'admin');
		expect(records[0]).toMatchObject({ Total: '12.50', Express: 'Yes', Tags: 'Gift' });
		const options = { typedValues: false, numberFields: 'Total' };
		expect((await run({ ...get, options }, 'admin')).records).toEqual(records);
		expect(testbed.reads).toHaveLength(2);
	});
});

describe('for a user without access to the types', () => {
	it('values of unknown types are returned unchanged, and one hint names where a type would matter', async () => {
		const plain = await run({ ...get, options: {} }, 'member');
		const { records, hints } = await run({ ...get, options: typed }, 'member', [{}, {}]);
		expect(records).toEqual([plain.records[0], plain.records[0]]);
		expect(hints).toHaveLength(1);
		const message = hints[0]?.message ?? '';
		for (const name of ['Total', 'Express', 'Quantity']) expect(message).toContain(`'${name}'`);
		for (const name of ['Reference', 'Remark', 'City']) expect(message).not.toContain(`'${name}'`);
	});

	it.each([
		['names', 'Total, Quantity', ['Tags']],
		['ids', [fields.total, lines.fields.quantity], fields.tags],
		['both', `Total (${fields.total}),${lines.fields.quantity}`, `Tags (${fields.tags})`],
	])('fields have the types that the user selects by %s', async (_, numberFields, listFields) => {
		const byName = { total: 'Total', tags: 'Tags', quantity: 'Quantity' };
		const byId = { total: fields.total, tags: fields.tags, quantity: lines.fields.quantity };
		for (const [fieldKeys, { total, tags, quantity }] of [
			['name', byName],
			['id', byId],
		] as const) {
			const options = { numberFields, listFields, fieldKeys };
			const { records, hints } = await run({ ...get, options }, 'member');
			expect(records[0]).toMatchObject({ [total]: 12.5, [tags]: ['Gift'] });
			const rows = [records[0]?.[rowsKey]].flat().map((row) => Object(row)[quantity]);
			expect(rows.every((value) => typeof value === 'number')).toBe(true);
			expect(hints.map(({ message }) => message).join()).not.toContain(`'${total}'`);
		}
	});

	it('an unknown name in Number Fields is an error', async () => {
		const options = { numberFields: 'Totl', listFields: 'Tags' };
		const wrong = { sheet: sheet(orders), ...get, options };
		const { error } = await testbed.run(wrong, [{}], testbed.as('member'));
		expect(error?.message).toContain("Did you mean 'Total'?");
	});
});

const update = {
	operation: 'update',
	recordId: recordId('={{ $json._recordId }}'),
	...autoMapped(),
};

it('a typed number that is written back keeps its zeros, in a row, too', async () => {
	const texts = () =>
		[...order(6).rows(lines.id).values()].map((row) => row.get(lines.fields.unitPrice));
	const before = texts();
	expect(before).toContain('25.00');
	const read = await run({ ...get, options: typed }, 'admin');
	await run(update, 'admin', read.records);
	expect(testbed.writes).toHaveLength(1);
	expect(texts()).toEqual(before);
});

it('a typed value that was read counts as unchanged', async () => {
	const list = { operation: 'getAll', limit: 20, options: typed };
	const read = await run(list, 'admin');
	const options = { skipUnchanged: true, clearEmpty: true };
	const { records } = await run({ ...update, options }, 'admin', read.records);
	expect(records.map(({ _action }) => _action)).toEqual(Array(20).fill('unchanged'));
	expect(testbed.writes).toEqual([]);
});
