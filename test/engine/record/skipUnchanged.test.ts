import { orders } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, filesOption } from './recordValues';

/** So few that many of them are read as a list. */
const testbed = useRecordTestbed({ demoRecords: 80 });
const { fields } = orders;
const { lines } = orders.subtables;
const options = { skipUnchanged: true };
const update = { ...onOrder('update'), ...asJson('={{ $json.record }}'), options };
const upsert = { ...onOrders('upsert'), ...autoMapped([fields.reference]), options };

const record = (id: number) => testbed.order(id);
const actions = (items: Array<{ json: object }>) =>
	items.map(({ json }) => ('_action' in json ? json._action : undefined));

describe('update', () => {
	it('reads many records with few requests, and writes those that differ', async () => {
		const differs = (index: number) => index % 20 === 0;
		const items = Array.from({ length: 60 }, (_, index) => ({
			id: index + 1,
			record: { [fields.remark]: differs(index) ? 'new' : record(index + 1).text(fields.remark) },
		}));
		const withEmpty = { ...update, options: { ...options, clearEmpty: true } };
		const result = await testbed.run(withEmpty, items);
		expect(testbed.writes.map(({ path }) => Number(path.split('/').pop()))).toEqual([1, 21, 41]);
		// Once at first, and once more after each write.
		expect(testbed.reads.length).toBeLessThanOrEqual(2 * 4);
		expect(result.items.map(({ json, pairedItem }) => [json._action, pairedItem])).toEqual(
			items.map((_, item) => [differs(item) ? 'updated' : 'unchanged', { item }]),
		);
		const held = { [fields.remark]: record(2).text(fields.remark) };
		const own = { _recordId: 2, _title: 'SO-00002', _starred: false };
		expect(result.json[1]).toEqual({ ...own, ...held, _action: 'unchanged' });
	});

	it('tells the offset of the times that it has compared, and shows nothing else unmasked', async () => {
		record(6).set(fields.internalMargin, '0.25').set(fields.deliveryTime, '2026/01/31 10:00:00');
		const result = await testbed.run(
			{ ...update, options: { ...options, timeZone: 2 } },
			[{ id: 6, record: { [fields.deliveryTime]: '2026/01/31 12:00:00' } }],
			testbed.as('admin'),
		);
		expect(result.json).toEqual([
			{
				...{ _recordId: 6, _title: 'SO-00006', _starred: expect.any(Boolean), _timeZone: 2 },
				...{ [fields.deliveryTime]: '2026/01/31 12:00:00', _action: 'unchanged' },
			},
		]);
		expect(testbed.writes).toEqual([]);
	});

	it('writes what an item before has changed back', async () => {
		record(5).set(fields.remark, 'before');
		const result = await testbed.run(
			update,
			['between', 'before', 'before'].map((remark) => ({
				...{ id: 5, record: { [fields.remark]: remark } },
			})),
		);
		expect(actions(result.items)).toEqual(['updated', 'updated', 'unchanged']);
		expect(record(5).text(fields.remark)).toBe('before');
	});

	it('writes files, masked values and records that cannot be read', async () => {
		record(6).set(fields.internalMargin, '0.25');
		const file = { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain' };
		const masked = await testbed.run(update, [
			{ id: 6, record: { [fields.internalMargin]: '****' } },
		]);
		const withContract = { ...options, ...filesOption([fields.contract, 'data']) };
		const withFile = { ...update, ...asJson({}), options: withContract };
		const filed = await testbed.run(withFile, [{ json: { id: 6 }, binary: { data: file } }]);
		expect(actions([...masked.items, ...filed.items])).toEqual(['updated', 'updated']);
		const missing = await testbed.run(update, [{ id: 9_999, record: { [fields.remark]: 'x' } }]);
		expect(missing.status).toBe('error');
		expect(testbed.writes).toHaveLength(3);
	});

	it('compares rows by their ids', async () => {
		const [rowId, row] = [...record(3).rows(lines.id)][0] ?? [];
		const held = String(row?.get(lines.fields.quantity));
		const items = [held, '99'].map((quantity) => ({
			id: 3,
			record: { [`_subtable_${lines.id}`]: [{ _rowId: rowId, [lines.fields.quantity]: quantity }] },
		}));
		const result = await testbed.run(update, items);
		expect(actions(result.items)).toEqual(['unchanged', 'updated']);
	});
});

it('an upsert writes twice what two items set in turn', async () => {
	record(1).set(fields.reference, 'KEY');
	const items = ['new', 'other', 'new', 'new'].map((remark) => ({
		...{ [fields.reference]: 'KEY', [fields.remark]: remark },
	}));
	const result = await testbed.run(upsert, items);
	expect(actions(result.items)).toEqual(['updated', 'updated', 'updated', 'unchanged']);
	expect(record(1).text(fields.remark)).toBe('new');
});

it.each([
	[
		'createOnly',
		[{ _recordId: 4, _action: 'skipped' }, expect.objectContaining({ _action: 'created' })],
	],
	['updateOnly', [expect.objectContaining({ _action: 'updated' }), { _action: 'skipped' }]],
	['createOrUpdate', ['updated', 'created'].map((_action) => expect.objectContaining({ _action }))],
])('the upsert mode %s', async (upsertMode, expected) => {
	record(4).set(fields.reference, 'THERE');
	const own = { [fields.remark]: 'new', [fields.customerNumber]: 'C-0001' };
	const items = ['THERE', 'NOWHERE'].map((reference) => ({
		...own,
		[fields.reference]: reference,
	}));
	const result = await testbed.run({ ...upsert, options: { upsertMode } }, items);
	expect(result.json).toEqual(expected);
	const written = actions(result.items).filter((action) => action !== 'skipped');
	expect(testbed.writes).toHaveLength(written.length);
	expect(record(4).text(fields.remark) === 'new').toBe(upsertMode !== 'createOnly');
});
