import type { IDataObject } from 'n8n-workflow';
import { customers, orders } from '../../service';
import { numbers, onOrder, onOrders, sheetAt, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, filesOption } from './recordValues';
import { lookUpsOf } from './upserts';

/** Service with few records, so that a list needs fewer requests than single reads. */
const testbed = useRecordTestbed({ demoRecords: 80 });
const { fields } = orders;
const { lines } = orders.subtables;
const options = { skipUnchanged: true };
const update = { ...onOrder('update'), ...asJson('={{ $json.record }}'), options };
const upsert = { ...onOrders('upsert'), ...autoMapped([fields.reference]), options };

const record = (id: number) => testbed.order(id);

describe('update', () => {
	it('Skip Unchanged reads many records with few requests, and writes those that differ', async () => {
		const differs = (index: number) => index % 20 === 0;
		const items = Array.from({ length: 60 }, (_, index) => ({
			id: index + 1,
			record: { [fields.remark]: differs(index) ? 'new' : record(index + 1).text(fields.remark) },
		}));
		const withEmpty = { ...update, options: { ...options, clearEmpty: true } };
		const result = await testbed.runById(withEmpty, items);
		expect(testbed.writes.map(({ path }) => Number(path.split('/').pop()))).toEqual([1, 21, 41]);
		// At first, and after each write.
		expect(testbed.reads.length).toBeLessThanOrEqual(2 * 4);
		const action = (item: number) => (differs(item) ? 'updated' : 'unchanged');
		expect(result.outcomes).toEqual(items.map(({ id }, item) => `${id} ${action(item)} #${item}`));
		expect(result.json[1]).toMatchObject({
			...{ _recordId: 2, _title: 'SO-00002', _starred: false },
			...{ [fields.remark]: record(2).text(fields.remark) },
			...{ _action: 'unchanged', _changed: [] },
		});
	});

	it.each(['leftOut', 'shown'] as const)(
		'Skip Unchanged does not delete rows of a record without rows, as its dry run says, if a read has empty subtables %s',
		async (emptySubtables) => {
			testbed.service.switches.emptySubtables = emptySubtables;
			record(7).rows(lines.id).clear();
			const values = { [fields.remark]: 'same', [`_DELSUB_${lines.id}`]: [5] };
			record(7).set(fields.remark, 'same');
			const write = { ...update, ...asJson(values) };
			const dry = { ...write, options: { ...options, dryRun: true } };
			const { actions } = await testbed.runById(dry, [{ id: 7 }]);
			const result = await testbed.runById(write, [{ id: 7 }]);
			expect([actions, result.actions, testbed.writes]).toEqual([['unchanged'], ['unchanged'], []]);
			expect(result.json[0]?._changed).toEqual([]);
			expect(result.json[0]?._warning).toMatch(/row 5 .*row to delete does not exist/);

			const changing = { ...write, ...asJson({ ...values, [fields.remark]: 'new' }) };
			const changed = await testbed.runById(changing, [{ id: 7 }]);
			expect(changed.json[0]?._changed).toEqual([fields.remark]);
		},
	);

	it.each([{}, { timeZone: 3 }])(
		'Skip Unchanged deletes a row if the item gives nothing else, once: %j',
		async (offset) => {
			const [rowId = 0] = record(7).rows(lines.id).keys();
			const json = asJson({ [`_DELSUB_${lines.id}`]: [rowId] });
			const write = { ...update, ...json, options: { ...options, ...offset } };
			const { actions } = await testbed.runById(write, [{ id: 7 }]);
			expect([actions, record(7).rows(lines.id).has(rowId)]).toEqual([['updated'], false]);
			const again = await testbed.runById(write, [{ id: 7 }]);
			expect([again.actions, testbed.writes.length]).toEqual([['unchanged'], 1]);
		},
	);

	it('Skip Unchanged reads a record again that was read over a minute ago, even if nothing was written since', async () => {
		const ids = numbers(14);
		testbed.service.people.massChange(orders, ids, () => ({ [fields.remark]: 'same' }));
		const items: IDataObject[] = ids.map((id) => ({
			...{ sheet: 'sales/orders/1', id, record: { [fields.remark]: 'same' } },
		}));
		const { city } = customers.fields;
		// While the record of another sheet is read, time passes, and a user edits the last order.
		const customer = { [city]: testbed.service.data.record(customers, 1).text(city) };
		items.splice(13, 0, { sheet: 'sales/customers/2', id: 1, record: customer });
		testbed.service.beforeRequest(({ path }) => {
			if (path.endsWith('/customers/2/1')) {
				const now = performance.now.bind(performance);
				jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
				record(14).set(fields.remark, 'edited by a person');
			}
		});
		const parameters = { ...update, sheet: sheetAt('={{ $json.sheet }}') };
		const { actions } = await testbed.runById(parameters, items);
		jest.restoreAllMocks();
		expect(actions.at(-1)).toBe('updated');
		expect(record(14).text(fields.remark)).toBe('same');
	});

	it.each([
		{ timeZone: 2, shown: '2026/01/31 12:00:00' },
		{ timeZone: 0, shown: '2026/01/31 10:00:00' },
	])(
		'Skip Unchanged compares times as stored, and returns them with the UTC Offset $timeZone, and no value unmasked',
		async ({ timeZone, shown }) => {
			const time = '2026/01/31 10:00:00';
			record(6).set(fields.internalMargin, '0.25').set(fields.deliveryTime, time);
			const items = [{ id: 6, record: { [fields.deliveryTime]: time } }];
			const inZone = { ...update, options: { ...options, timeZone } };
			const { json } = await testbed.runById(inZone, items, testbed.as('admin'));
			const identity = { _recordId: 6, _title: 'SO-00006', _starred: false, _timeZone: timeZone };
			const unchanged = { ...identity, [fields.deliveryTime]: shown, _action: 'unchanged' };
			expect(json).toMatchObject([{ ...unchanged, _changed: [] }]);
			expect(json[0]?.[fields.internalMargin]).toBe('****');
			expect(testbed.writes).toEqual([]);
		},
	);

	it('a time that a read with the UTC Offset shows is written if the record holds another', async () => {
		record(6).set(fields.deliveryTime, '2026/01/31 10:00:00');
		const time = '2026/01/31 12:00:00';
		const items = [{ id: 6, record: { [fields.deliveryTime]: time } }];
		const inZone = { ...update, options: { ...options, timeZone: 2 } };
		expect((await testbed.runById(inZone, items)).actions).toEqual(['updated']);
		expect(record(6).text(fields.deliveryTime)).toBe(time);
	});

	it('Skip Unchanged writes a value that an earlier item changed back', async () => {
		record(5).set(fields.remark, 'before');
		const texts = ['between', 'before', 'before'];
		const items = texts.map((text) => ({ id: 5, record: { [fields.remark]: text } }));
		const { actions } = await testbed.runById(update, items);
		expect(actions).toEqual(['updated', 'updated', 'unchanged']);
		expect(record(5).text(fields.remark)).toBe('before');
	});

	it('Skip Unchanged writes files, values of masked fields and records that cannot be read', async () => {
		record(6).set(fields.internalMargin, '0.25');
		const file = { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain' };
		const margin = { [fields.internalMargin]: '0.25' };
		const masked = await testbed.runById(update, [{ id: 6, record: margin }]);
		const withContract = { ...options, ...filesOption([fields.contract, 'data']) };
		const withFile = { ...update, ...asJson({}), options: withContract };
		const filed = await testbed.runById(withFile, [{ json: { id: 6 }, binary: { data: file } }]);
		expect([...masked.actions, ...filed.actions]).toEqual(['updated', 'updated']);
		const missing = await testbed.runById(update, [
			{ id: 9_999, record: { [fields.remark]: 'x' } },
		]);
		expect(missing.status).toBe('error');
		expect(testbed.writes).toHaveLength(3);
	});

	it.each([1.2e-7, 1e21])(
		'Skip Unchanged finds the number %p that the service returns as a number',
		async (number) => {
			testbed.service.switches.numbersAsText = false;
			const [rowId] = record(3).rows(lines.id).keys();
			const row = { _rowId: rowId, [lines.fields.unitPrice]: number };
			const values = { [fields.total]: number, [`_subtable_${lines.id}`]: [row] };
			const items = [1, 2].map(() => ({ id: 3, record: values }));
			const { actions, warnings } = await testbed.runById(update, items);
			expect({ actions, warnings }).toEqual({
				actions: ['updated', 'unchanged'],
				warnings: [undefined, undefined],
			});
		},
	);

	it('Skip Unchanged compares rows by their IDs', async () => {
		const [rowId, row] = [...record(3).rows(lines.id)][0] ?? [];
		const storedQuantity = String(row?.get(lines.fields.quantity));
		const rows = [storedQuantity, '99'].map((text) => [
			{ _rowId: rowId, [lines.fields.quantity]: text },
		]);
		const items = rows.map((rowsOfItem) => ({
			id: 3,
			record: { [`_subtable_${lines.id}`]: rowsOfItem },
		}));
		expect((await testbed.runById(update, items)).actions).toEqual(['unchanged', 'updated']);
	});
});

it.each([2, 0])(
	'an upsert compares times as stored, also with the UTC Offset %s',
	async (timeZone) => {
		const time = '2026/01/31 10:00:00';
		record(6).set(fields.reference, 'KEY-6').set(fields.deliveryTime, time);
		const items = [{ [fields.reference]: 'KEY-6', [fields.deliveryTime]: time }];
		const result = await testbed.runById({ ...upsert, options: { ...options, timeZone } }, items);
		expect(result.outcomes).toEqual(['6 unchanged #0']);
		const lookUps = lookUpsOf(testbed).map(({ rawUrl }) => rawUrl);
		expect(lookUps).toEqual([expect.not.stringContaining('tz=')]);
		expect(testbed.readUrls.at(-1)).toContain(`tz=${timeZone}`);
	},
);

it.each(['update', 'upsert'])(
	'an item that was read with a UTC Offset is unchanged, and a dry run shows no change: %s',
	async (operation) => {
		const timeZone = 8;
		const list = { ...onOrders('getAll'), limit: 20, options: { timeZone } };
		const { json } = await testbed.run(list);
		const write = { ...onOrder(operation, '={{ $json._recordId }}'), ...autoMapped(['_recordId']) };
		const { actions } = await testbed.run({ ...write, options: { ...options, timeZone } }, json);
		expect(new Set(actions)).toEqual(new Set(['unchanged']));
		const dry = await testbed.run({ ...write, options: { dryRun: true, timeZone } }, json);
		expect(new Set(dry.json.map(({ _changes }) => JSON.stringify(_changes)))).toEqual(
			new Set(['{}']),
		);
	},
);

it.each([
	['Update', { ...onOrder('update', 5), ...autoMapped() }],
	['Create or Update', { ...onOrders('upsert'), ...autoMapped([fields.reference]) }],
])(
	'%s compares an item with what an earlier write has stored whose answer was lost',
	async (_, operation) => {
		const { reference, remark } = fields;
		record(5).set(reference, 'KEY').set(remark, 'before');
		testbed.inject({ kind: 'resetAfterWork', when: ({ method }) => method === 'POST' });
		const texts = ['between', 'before'];
		const items = texts.map((text) => ({ [reference]: 'KEY', [remark]: text }));
		const result = await testbed.runAllById({ ...operation, options }, items);
		testbed.expectErrors(result, { 0: /broke off/ });
		expect(result.outcomes).toEqual(['5 updated #1']);
		expect(record(5).text(remark)).toBe('before');
	},
);

it('an upsert writes twice if two items change a record alternately', async () => {
	record(1).set(fields.reference, 'KEY');
	const items = ['new', 'other', 'new', 'new'].map((remark) => ({
		...{ [fields.reference]: 'KEY', [fields.remark]: remark },
	}));
	const result = await testbed.runById(upsert, items);
	expect(result.actions).toEqual(['updated', 'updated', 'updated', 'unchanged']);
	expect(record(1).text(fields.remark)).toBe('new');
});

it.each([
	['createOnly', ['4 skipped #0', '81 created #1']],
	['updateOnly', ['4 updated #0', 'null skipped #1']],
	['createOrUpdate', ['4 updated #0', '81 created #1']],
])('the upsert mode %s', async (upsertMode, expected) => {
	record(4).set(fields.reference, 'THERE');
	const keyValues = { [fields.remark]: 'new', [fields.customerNumber]: 'C-0001' };
	const { reference } = fields;
	const items = ['THERE', 'NOWHERE'].map((key) => ({ ...keyValues, [reference]: key }));
	const result = await testbed.runById({ ...upsert, options: { upsertMode } }, items);
	expect(result.outcomes).toEqual(expected);
	const skipped = result.json.filter(({ _action }) => _action === 'skipped');
	expect(testbed.writes).toHaveLength(2 - skipped.length);
	const [keys, otherKeys] = result.json.map((json) =>
		Object.keys({ ...json, _warning: '' }).sort(),
	);
	expect(keys).toEqual(otherKeys);
	expect(record(4).text(fields.remark) === 'new').toBe(upsertMode !== 'createOnly');
});
