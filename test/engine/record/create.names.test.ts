import { empty, orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, withFiles } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const required = { 'Customer Number': 'C-0001' };

describe('an unknown name', () => {
	it('is refused with the names that come near, and nothing is written', async () => {
		const result = await testbed.run({ ...create, ...asJson({ ...required, Remarks: 'x' }) });
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'Remarks' is not a field of the sheet"),
			context: { itemIndex: 0 },
		});
		expect(result.error?.message).toContain("'Remark'");
		expect(testbed.writes).toEqual([]);
	});

	it.each([
		['another case', 'customer number', "'Customer Number'"],
		['a space too many', 'Customer Number ', "'Customer Number'"],
		['a part of the name', 'Delivery', "'Delivery Time'"],
	])('is refused for %s too', async (_, key, suggestion) => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [{ [key]: 'x' }]);
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain(suggestion);
		expect(testbed.writes).toEqual([]);
	});

	it('stops only its own item', async () => {
		const result = await testbed.run(
			{ ...create, ...autoMapped() },
			[required, { ...required, Remrk: 'x' }, required],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toEqual([
			expect.objectContaining({
				json: expect.objectContaining({ error: expect.stringContaining("'Remark'") }),
				pairedItem: { item: 1 },
			}),
		]);
		expect(testbed.writes).toHaveLength(2);
	});

	it('in a row is refused with the names of the subtable', async () => {
		const result = await testbed.run({
			...create,
			...asJson({ ...required, _subtable_2000001: [{ Artikel: 'Vase' }] }),
		});
		expect(result.error?.message).toContain('subtable 2000001');
		expect(result.error?.message).toContain("'Article'");
		expect(testbed.writes).toEqual([]);
	});

	it('for a file is refused', async () => {
		const result = await testbed.run({
			...create,
			...asJson(required),
			...withFiles(['Kontract', 'data']),
		});
		expect(result.error?.message).toContain("'Contract'");
		expect(testbed.writes).toEqual([]);
	});
});

describe('a name that several fields have', () => {
	it('is refused with their ids', async () => {
		const result = await testbed.run({ ...create, ...asJson({ ...required, Note: 'x' }) });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain(fields.note);
		expect(result.error?.message).toContain(fields.secondNote);
		expect(testbed.writes).toEqual([]);
	});

	it('does not stop their ids', async () => {
		const result = await testbed.run({
			...create,
			...asJson({ ...required, [fields.note]: 'one', [fields.secondNote]: 'two' }),
		});
		expect(result.status).toBe('success');
		const record = testbed.service.data.record(orders, 301);
		expect([record.text(fields.note), record.text(fields.secondNote)]).toEqual(['one', 'two']);
	});
});

describe('a field named twice, by name and by id', () => {
	it('is refused: which value counts is not said', async () => {
		const result = await testbed.run({
			...create,
			...asJson({ ...required, Remark: 'a', [fields.remark]: 'b' }),
		});
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain(fields.remark);
		expect(testbed.writes).toEqual([]);
	});
});

describe('nothing to write', () => {
	it.each([
		['no field', {}],
		['only empty values', { Remark: '', Reference: null, Tags: [] }],
		['only rows without a value', { _subtable_2000001: [{ Article: '' }] }],
	])('is refused: %s', async (_, record) => {
		const result = await testbed.run({ ...create, ...asJson(record) });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('nothing to write');
		expect(testbed.writes).toEqual([]);
	});
});

describe('a field added to the sheet a moment ago', () => {
	it('is found, although the fields have been learnt before', async () => {
		const before = await testbed.run(
			{ operation: 'create', sheet: sheet(empty), ...autoMapped() },
			[{ Title: 'a' }],
		);
		expect(before.status).toBe('success');
		const { fields: known } = testbed.service.data.sheet(empty);
		known.push({ id: '1600077', name: 'Colour', type: 'text' });
		const result = await testbed.run(
			{ operation: 'create', sheet: sheet(empty), ...autoMapped() },
			[{ Title: 'b', Colour: 'red' }],
		);
		expect(result.status).toBe('success');
		expect(testbed.service.data.record(empty, 1).text('1600077')).toBe('red');
	});
});
