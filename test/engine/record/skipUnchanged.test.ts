import fc from 'fast-check';

import { amount } from '../../amount';
import { orders } from '../../service';
import type { InputItem } from '../runner';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, withFiles } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const options = { skipUnchanged: true };
const update = {
	operation: 'update',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
	...asJson('={{ $json.record }}'),
	options,
};
const upsert = {
	operation: 'upsert',
	sheet: sheet(orders),
	...autoMapped([fields.reference]),
	options,
};

const record = (id: number) => testbed.service.data.record(orders, id);
const actions = (items: Array<{ json: object }>) =>
	items.map(({ json }) => ('_action' in json ? json._action : undefined));

describe('update', () => {
	it('reads 200 records with few requests, and writes those that differ', async () => {
		const items = Array.from({ length: 200 }, (_, index) => ({
			id: index + 1,
			record: { [fields.remark]: index % 20 === 0 ? 'new' : record(index + 1).text(fields.remark) },
		}));
		const result = await testbed.run(
			{ ...update, options: { ...options, clearEmpty: true } },
			items,
		);
		expect(result.status).toBe('success');
		expect(testbed.writes.map(({ path }) => Number(path.split('/').pop()))).toEqual(
			items.filter((_, index) => index % 20 === 0).map(({ id }) => id),
		);
		expect(testbed.reads.length).toBeLessThanOrEqual(3);
		expect(actions(result.items)).toEqual(
			items.map((_, index) => (index % 20 === 0 ? 'updated' : 'unchanged')),
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		const held = { [fields.remark]: record(2).text(fields.remark) };
		const own = { _recordId: 2, _title: 'SO-00002', _starred: false };
		expect(result.items[1]?.json).toEqual({ ...own, ...held, _action: 'unchanged' });
	});

	it('tells the offset of the times that it has compared, and shows nothing else unmasked', async () => {
		record(6).set(fields.internalMargin, '0.25').set(fields.deliveryTime, '2026/01/31 10:00:00');
		const result = await testbed.run(
			{ ...update, options: { ...options, timeZone: 2 } },
			[{ id: 6, record: { [fields.deliveryTime]: '2026/01/31 12:00:00' } }],
			{ credentials: testbed.credentials('admin') },
		);
		expect(result.items[0]?.json).toMatchObject({ _timeZone: 2, _action: 'unchanged' });
		expect(result.items[0]?.json).toHaveProperty([fields.deliveryTime], '2026/01/31 12:00:00');
		expect(JSON.stringify(result.items)).not.toContain('0.25');
		expect(testbed.writes).toEqual([]);
	});

	it('writes what an item before has changed back', async () => {
		record(5).set(fields.remark, 'before');
		const result = await testbed.run(update, [
			{ id: 5, record: { [fields.remark]: 'between' } },
			{ id: 5, record: { [fields.remark]: 'before' } },
			{ id: 5, record: { [fields.remark]: 'before' } },
		]);
		expect(actions(result.items)).toEqual(['updated', 'updated', 'unchanged']);
		expect(record(5).text(fields.remark)).toBe('before');
	});

	it('writes files, masked values and records that cannot be read', async () => {
		record(6).set(fields.internalMargin, '0.25');
		const file = { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain' };
		const masked = await testbed.run(
			{ ...update, ...asJson({ [fields.internalMargin]: '****' }) },
			[{ id: 6 }],
		);
		expect(actions(masked.items)).toEqual(['updated']);
		const result = await testbed.run(
			{ ...update, ...asJson({}), ...withFiles([fields.contract, 'data']) },
			[{ json: { id: 6 }, binary: { data: file } }],
		);
		expect(actions(result.items)).toEqual(['updated']);
		expect(testbed.writes).toHaveLength(2);
	});

	it('tells of a record that is not there as without it', async () => {
		const result = await testbed.run(update, [{ id: 9_999, record: { [fields.remark]: 'x' } }]);
		expect(result.status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	});

	it('compares rows by their ids', async () => {
		const [rowId, row] = [...record(3).rows(lines.id)][0] ?? [];
		const rows = (quantity: string) => ({
			[`_subtable_${lines.id}`]: [{ _rowId: rowId, [lines.fields.quantity]: quantity }],
		});
		const held = String(row?.get(lines.fields.quantity));
		const result = await testbed.run(update, [
			{ id: 3, record: rows(held) },
			{ id: 3, record: rows('99') },
		]);
		expect(actions(result.items)).toEqual(['unchanged', 'updated']);
	});

	it('ends with the same state as if all had been written', async () => {
		const texts = fc.constantFrom('Acme', 'acme', '', '0612', '612', 'Yes', '12.50', '2026/01/31');
		const values = fc.record(
			{
				[fields.remark]: texts,
				[fields.reference]: texts,
				[fields.express]: fc.constantFrom('Yes', 'No', true, false),
				[fields.orderDate]: fc.constantFrom('2026/01/31', '2026/02/01', '2026-01-31', ''),
				[fields.tags]: fc.subarray(['Gift', 'Bulk', 'Export']),
			},
			{ requiredKeys: [] },
		);
		const items = fc.array(fc.record({ id: fc.integer({ min: 1, max: 4 }), record: values }), {
			minLength: 1,
			maxLength: 8,
		});
		await fc.assert(
			fc.asyncProperty(items, async (changes) => {
				const [skipped, written] = [
					await stateAfter(changes, true),
					await stateAfter(changes, false),
				];
				expect(skipped).toEqual(written);
			}),
			{ numRuns: amount(10, 40) },
		);
	}, 120_000);

	const compared = [fields.remark, fields.reference, fields.express, fields.orderDate, fields.tags];

	/** The records as they are after a run that leaves out what would change nothing, or nothing. */
	async function stateAfter(changes: InputItem[], skipUnchanged: boolean) {
		testbed.service.reset();
		const result = await testbed.run(
			{ ...update, options: { skipUnchanged, clearEmpty: true } },
			changes,
			{ onError: 'continueRegularOutput' },
		);
		expect(result.status).toBe('success');
		return [1, 2, 3, 4].map((id) =>
			compared.map((fieldId) => {
				const value = record(id).value(fieldId);
				return Array.isArray(value) ? [...value].sort() : value;
			}),
		);
	}
});

describe('upsert', () => {
	const synced = (count: number, differs: (index: number) => boolean) =>
		Array.from({ length: count }, (_, index) => {
			const reference = `KEY-${index}`;
			record(index + 1).set(fields.reference, reference);
			const remark = differs(index) ? 'new' : record(index + 1).text(fields.remark);
			return { [fields.reference]: reference, [fields.remark]: remark };
		});

	it('writes of 200 rows the 2 that differ, after the look-ups alone', async () => {
		const result = await testbed.run(
			{ ...upsert, options: { ...options, clearEmpty: true } },
			synced(200, (index) => index % 100 === 7),
		);
		expect(result.status).toBe('success');
		expect(testbed.writes).toHaveLength(2);
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where=')).length).toBeLessThan(5);
		expect(testbed.reads.length).toBeLessThan(8);
		expect(actions(result.items).filter((action) => action === 'unchanged')).toHaveLength(198);
		expect(record(8).text(fields.remark)).toBe('new');
	});

	it('writes twice what two items set in turn', async () => {
		const [item] = synced(1, () => true);
		const result = await testbed.run(upsert, [
			{ ...item },
			{ ...item, [fields.remark]: 'other' },
			{ ...item },
			{ ...item },
		]);
		expect(actions(result.items)).toEqual(['updated', 'updated', 'updated', 'unchanged']);
		expect(record(1).text(fields.remark)).toBe('new');
	});
});

describe('the upsert mode', () => {
	const items = [
		{ [fields.reference]: 'THERE', [fields.remark]: 'new', [fields.customerNumber]: 'C-0001' },
		{ [fields.reference]: 'NOWHERE', [fields.remark]: 'new', [fields.customerNumber]: 'C-0001' },
	];
	beforeEach(() => void record(4).set(fields.reference, 'THERE'));

	it.each([
		['createOnly', ['skipped', 'created']],
		['updateOnly', ['updated', 'skipped']],
		['createOrUpdate', ['updated', 'created']],
	])('%s', async (upsertMode, expected) => {
		const result = await testbed.run({ ...upsert, options: { upsertMode } }, items);
		expect(actions(result.items)).toEqual(expected);
		expect(testbed.writes).toHaveLength(expected.filter((action) => action !== 'skipped').length);
		expect(record(4).text(fields.remark) === 'new').toBe(expected[0] === 'updated');
		const skipped = result.items.find(({ json }) => json._action === 'skipped');
		if (upsertMode === 'createOnly')
			expect(skipped?.json).toEqual({ _recordId: 4, _action: 'skipped' });
		if (upsertMode === 'updateOnly') expect(skipped?.json).toEqual({ _action: 'skipped' });
	});
});
