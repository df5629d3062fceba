import { orders, type Fault, type SeenRequest } from '../../service';
import { passTime } from '../clock';
import { clearProcessState } from '../runner/typeLibrary';
import { asJson } from '../record/recordValues';
import { numbers, onOrders, recordId, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowIdsOf } from './rowTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const elsewhere = { subtableId: '2999999' };

describe('a missing subtable', () => {
	it.each([true, false])(
		'adding to a missing subtable is an error, although the service answers SUCCESS (with the record: %s)',
		async (answerCarriesData) => {
			Object.assign(testbed.service.switches, { unknownBodyField: 'ignored', answerCarriesData });
			const add = onLines('add', { ...elsewhere, ...rowAsJson({ 3000001: 'Pen' }) });
			const items = [{ order: 11 }, { order: 12 }];
			const result = await testbed.runAllById(add, items);
			testbed.expectErrors(result, 'subtable 2999999', items.length);
		},
	);

	it('listing the rows of a missing subtable is an error', async () => {
		const getAll = onLines('getAll', { returnAll: true, ...elsewhere });
		expect((await testbed.run(getAll, [{ order: 11 }])).error).toMatchObject({
			message: 'The sheet has no subtable 2999999',
			context: { itemIndex: 0 },
		});
	});

	it('a subtable without rows, which the record does not contain, is not missing', async () => {
		testbed.inject({ kind: 'body', body: '{"4":{"_svcId":4}}' });
		const result = await testbed.run(onLines('getAll', { returnAll: true }), [{ order: 4 }]);
		expect([result.status, result.items]).toEqual(['success', []]);
	});

	it('a subtable that no record has rows of is not called missing if the fields are only known from records', async () => {
		const unlisted = { schema: 'code106', definition: 'code106' };
		Object.assign(testbed.service.switches, { ...unlisted, emptySubtables: 'leftOut' });
		for (const { id } of testbed.orders.records.values()) testbed.order(id).rows('2000001').clear();
		clearProcessState('sheetFields');
		const result = await testbed.run(onLines('getAll', { returnAll: true }), [{ order: 4 }]);
		expect([result.error?.message, result.items]).toEqual([undefined, []]);
		expect(result.hintTexts.join()).toContain('whether the sheet has the subtable 2000001');
	});
});

describe('a missing row', () => {
	const remove = onLines('delete', { rowId: '={{ $json.line }}' });
	const itemsOf = (...rowIds: Array<number | undefined>) =>
		rowIds.map((line) => ({ order: 11, line }));

	it('deleting a missing row is an error of its item only', async () => {
		const [first, second, third] = rowIdsOf(testbed.service, 11);
		const items = itemsOf(first, 77_777, third, first);
		const result = await testbed.runAll(remove, items);
		expect(result.items.map(({ json, pairedItem }) => [json._rowId, pairedItem])).toEqual([
			[first, { item: 0 }],
			[third, { item: 2 }],
		]);
		testbed.expectErrors(result, {
			1: 'There is no row 77777 in the subtable',
			3: `There is no row ${first} in the subtable`,
		});
		expect(rowIdsOf(testbed.service, 11)).toEqual([second]);
		expect(testbed.writes).toHaveLength(1);
	});

	it('deleting a row is an error if somebody has deleted it during the minutes of the run', async () => {
		const items = numbers(20).flatMap((order) =>
			rowIdsOf(testbed.service, order)
				.slice(0, 1)
				.map((line) => ({ order, line })),
		);
		const last = items.at(-1);
		let isFirst = true;
		testbed.service.beforeRequest(({ method }) => {
			if (method === 'GET' || !isFirst) return;
			isFirst = false;
			passTime(120_000);
			testbed
				.order(last?.order ?? 0)
				.rows('2000001')
				.delete(last?.line ?? 0);
		});
		const result = await testbed.runAll(remove, items);
		testbed.expectErrors(result, { [items.length - 1]: `There is no row ${last?.line}` });
		expect(result.items).toHaveLength(items.length - 1);
	});

	it('updating a missing row is an error, although the service answers SUCCESS', async () => {
		const rows = Object.fromEntries(linesOf(testbed.service, 11).map(([id]) => [id, {}]));
		const data = { _subtable_2000001: rows };
		const body = JSON.stringify({ status: 'SUCCESS', svcId: 11, data });
		testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
		const update = onLines('update', { rowId: '77777', ...rowAsJson({ Article: 'Pen' }) });
		const { error } = await testbed.runById(update, [{ order: 11 }]);
		expect(error?.message).toContain('There is no row 77777 in the subtable');
	});
});

describe('new rows of a subtable that shows linked records', () => {
	beforeEach(() => {
		const subtable = testbed.orders.subtable(orders.subtables.lines.id);
		Object.assign(subtable ?? {}, { showsLinkedRecords: true });
	});

	it.each([true, false])(
		'are dropped by the service, and the items report it (with the record: %s)',
		async (answerCarriesData) => {
			testbed.service.switches.answerCarriesData = answerCarriesData;
			const add = onLines('add', rowAsJson({ 3000001: 'Pen' }));
			const result = await testbed.runById(add, [{ order: 11 }]);
			expect(result.json).toEqual([
				{ _recordId: 11, _warning: expect.stringContaining('drops new ones') },
			]);
		},
	);

	it.each([
		['create', {}],
		['update', { recordId: recordId(4) }],
	])('are also reported by an operation on the record: %s', async (operation, overrides) => {
		const _subtable_2000001 = [{ 3000001: 'Pen' }];
		const record = asJson({ [orders.fields.customerNumber]: 'C-0001', _subtable_2000001 });
		const result = await testbed.runById({ ...onOrders(operation), ...overrides, ...record });
		expect(result.json[0]?._warning).toMatch(/drops new ones/);
		expect(testbed.writes).toHaveLength(1);
	});
});

it('row 0 is handled like other rows: it is listed, changed and deleted', async () => {
	const { id, fields } = orders.subtables.lines;
	testbed.order(11).rows(id).set(0, new Map());
	const change = rowAsJson({ [fields.article]: 'Zero' });
	const updated = await testbed.runById(onLines('update', { rowId: '0', ...change }), [
		{ order: 11 },
	]);
	expect(updated.items[0]?.json).toMatchObject({ _rowId: 0, [fields.article]: 'Zero' });
	const listed = await testbed.run(onLines('getAll', { returnAll: true }), [{ order: 11 }]);
	expect(listed.items.map(({ json }) => json._rowId)).toContain(0);
	const deleted = await testbed.run(onLines('delete', { rowId: '0' }), [{ order: 11 }]);
	expect(deleted.items[0]?.json).toEqual({ deleted: true, _recordId: 11, _rowId: 0 });
	expect(linesOf(testbed.service, 11).map(([rowId]) => rowId)).not.toContain(0);
});

describe('a batch of rows with a row that does not exist', () => {
	const update = onLines('update', {
		rowId: '={{ $json.line }}',
		...rowAsJson({ Article: 'new' }),
	});
	const remove = onLines('delete', { rowId: '={{ $json.line }}' });
	const add = onLines('add', rowAsJson('={{ ({ Article: String($json.line) }) }}'));
	const refusals: Array<[name: string, refusal: Partial<Fault>]> = [
		['code 404', { body: '{"status":"ERROR","code":404,"msg":"No row 999"}' }],
		['INVALID', { body: '{"status":"INVALID","code":202,"msg":"No row 999"}' }],
		['code 201', { body: '{"status":"ERROR","code":201,"msg":"No row 999"}' }],
		['HTTP 404', { kind: 'status', status: 404, body: '' }],
	];

	/** Rejects every write that names row 999. */
	function refuse999(refusal: Partial<Fault>): void {
		const when = ({ method, body }: SeenRequest) =>
			method !== 'GET' && String(JSON.stringify(body)).includes('999');
		testbed.inject({ kind: 'body', ...refusal, when, times: Infinity });
	}

	it.each(refusals)('fails for that row only when rows are updated: %s', async (_, refusal) => {
		const [first, , third] = rowIdsOf(testbed.service, 11);
		refuse999(refusal);
		const items = [first, 999, third].map((line) => ({ order: 11, line }));
		const result = await testbed.runAllById(update, items);
		expect(result.items.map(({ json, pairedItem }) => [json._rowId, pairedItem])).toEqual([
			[first, { item: 0 }],
			[third, { item: 2 }],
		]);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(linesOf(testbed.service, 11).map(([, text]) => text === 'new')).toEqual([
			true,
			false,
			true,
		]);
	});

	it.each(refusals)('fails for that row only when rows are added: %s', async (_, refusal) => {
		refuse999(refusal);
		const items = [1, 999, 3].map((line) => ({ order: 11, line }));
		const result = await testbed.runAllById(add, items);
		expect(result.links).toEqual([{ item: 0 }, { item: 2 }]);
		const added = linesOf(testbed.service, 11).slice(-2);
		expect(added.map(([, text]) => text)).toEqual(['1', '3']);
	});

	it('fails for that row only when the record cannot be read either', async () => {
		const [first, , third] = rowIdsOf(testbed.service, 11);
		refuse999({ body: refusals[0]?.[1].body });
		testbed.refuse(({ method, path }) => method === 'GET' && path.endsWith('/11'), Infinity);
		const items = [first, 999, third].map((line) => ({ order: 11, line }));
		const result = await testbed.runAllById(update, items);
		expect(result.links).toEqual([{ item: 0 }, { item: 2 }]);
	});

	it('fails for that row only when the row is deleted by somebody else just before', async () => {
		const [first = 0, second = 0, third = 0] = rowIdsOf(testbed.service, 11);
		const { body } = refusals[0]?.[1] ?? {};
		const when = (seen: SeenRequest) =>
			seen.method === 'POST' && JSON.stringify(seen.body).includes(`${second}`);
		testbed.inject({ kind: 'body', body, when, times: 2 });
		const items = [first, second, third].map((line) => ({ order: 11, line }));
		const result = await testbed.runAll(remove, items);
		expect(result.links).toEqual([{ item: 0 }, { item: 2 }]);
		expect(rowIdsOf(testbed.service, 11)).toEqual([second]);
	});

	it('fails as a whole, after one more read, if the record does not exist', async () => {
		const items = [1, 2, 3].map((line) => ({ order: 999, line }));
		testbed.service.requests.clear();
		const result = await testbed.runAllById(update, items);
		testbed.expectErrors(result, 'Record not found', 3);
		expect(testbed.writes).toHaveLength(1);
	});
});
