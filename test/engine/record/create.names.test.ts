import { empty, orders, tasks } from '../../service';
import { errorsOf, linksOf, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const required = { 'Customer Number': 'C-0001' };

it('a name stops only its own item, and tells what may be meant', async () => {
	const wrong: Array<[object, RegExp]> = [
		[{ 'customer number': 'x' }, /'Customer Number'/],
		[{ 'Customer Number ': 'x' }, /'Customer Number'/],
		[{ ...required, Delivery: 'x' }, /'Delivery Time'/],
		[{ ...required, _subtable_2000001: [{ Artikel: 'Vase' }] }, /subtable 2000001.*'Article'/],
		// Two fields have the name.
		[{ ...required, Note: 'x' }, new RegExp(`${fields.note}.*${fields.secondNote}`)],
		// Which value counts is not said.
		[{ ...required, Remark: 'a', [fields.remark]: 'b' }, new RegExp(fields.remark)],
		[{}, /nothing to write/],
		[{ Remark: '', Reference: null, Tags: [] }, /nothing to write/],
		[{ _subtable_2000001: [{ Article: '' }] }, /nothing to write/],
	];
	const items = [...wrong.map(([record]) => record), required];
	const result = await testbed.run(
		{ ...create, ...asJson('={{ $json.record }}') },
		items.map((record) => ({ json: { record } })),
		{ onError: 'continueErrorOutput' },
	);
	expect(errorsOf(result.errorItems)).toEqual(
		wrong.map(([, told], item) => [expect.stringMatching(told), { item }]),
	);
	expect(linksOf(result.items)).toEqual([{ item: wrong.length }]);
	expect(testbed.writes).toHaveLength(1);
});

it('a field added to the sheet a moment ago is found, although the fields have been learnt before', async () => {
	const inEmpty = { operation: 'create', sheet: sheet(empty), ...autoMapped() };
	expect((await testbed.run(inEmpty, [{ Title: 'a' }])).status).toBe('success');
	const { fields: known } = testbed.service.data.sheet(empty);
	known.push({ id: '1600077', name: 'Colour', type: 'text' });
	expect((await testbed.run(inEmpty, [{ Title: 'b', Colour: 'red' }])).status).toBe('success');
	expect(testbed.service.data.record(empty, 1).text('1600077')).toBe('red');
});

describe('a field that is called by a short number', () => {
	const year = { id: '1000190', name: '2024', type: 'text' } as const;
	beforeEach(() => testbed.service.data.sheet(orders).fields.push(year));

	it('is the same field beside names and beside ids alone', async () => {
		const records = [required, { [fields.customerNumber]: 'C-0001' }];
		const credentials = testbed.credentials('admin');
		const items = records.map((record) => ({ ...record, 2024: '5' }));
		await testbed.run({ ...create, ...asJson('={{ $json }}') }, items, { credentials });
		const body = { [fields.customerNumber]: 'C-0001', [year.id]: '5' };
		expect(testbed.writes.map((request) => request.body)).toEqual([body, body]);
	});

	it('is an ID where nobody tells the names', async () => {
		const when = ({ method }: { method: string }) => method === 'GET';
		testbed.service.faults.inject({ kind: 'body', body: '{}', times: Infinity, when });
		// Of this sheet nothing was learnt before.
		const record = { [tasks.fields.title]: 'Call', 2025: '5' };
		await testbed.run({ ...create, sheet: sheet(tasks), ...asJson(record) });
		expect(testbed.writes.map(({ body }) => body)).toEqual([record]);
	});
});
