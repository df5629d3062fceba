import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type SeenRequest } from '../../service';
import { numbers, onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const remark = (id: number) => testbed.order(id).text(fields.remark);

const update = { ...onOrder('update', '={{ $json._recordId }}'), ...autoMapped() };
const upsert = { ...onOrders('upsert'), ...autoMapped(['Order Number']) };

/** Reads records with their information, like a workflow before it changes them, and clears the recorded requests. */
async function read(ids: number[], options: INodeParameters = {}): Promise<IDataObject[]> {
	const readOptions = { info: true, onlyFields: 'Remark', subtables: false, ...options };
	const items = ids.map((id) => ({ id }));
	const { json } = await testbed.run({ ...onOrder('get'), options: readOptions }, items);
	testbed.service.requests.clear();
	return json;
}

/** Changes records as another user after they were read. */
function changeOthers(ids: number[], remark = 'theirs'): void {
	testbed.service.clock.advance(5_000);
	testbed.service.people.massChange(orders, ids, () => ({ [fields.remark]: remark }));
}

async function write(parameters: INodeParameters, items: IDataObject[], overrides = {}, as = {}) {
	const mine = items.map((item) => ({ ...item, Remark: 'mine' }));
	return await testbed.runAllById(
		{ ...parameters, options: { onConflict: 'error', ...overrides } },
		mine,
		as,
	);
}

const conflictError = (id: number) =>
	new RegExp(
		`^Record ${id} was changed by \\S+ at \\d{4}/\\d\\d/\\d\\d [\\d:]{8}, after it was read`,
	);

it.each<[string, INodeParameters, INodeParameters]>([
	['an update', update, {}],
	['an update of items with ISO dates', update, { isoDates: true }],
	['an update of items of a time zone', update, { isoDates: true, timeZone: 8 }],
	['an upsert', upsert, { onlyFields: 'Order Number, Remark' }],
])(
	'%s does not write a record that another user changed in the meantime, with one read per record',
	async (_, parameters, options) => {
		const items = await read(numbers(24), options);
		changeOthers([7, 20]);
		const result = await write(parameters, items);
		const otherIds = numbers(24).filter((id) => ![7, 20].includes(id));
		testbed.expectErrors(result, { 6: conflictError(7), 19: conflictError(20) });
		expect(result.errorItems.map(({ json }) => json._recordId)).toEqual([7, 20]);
		expect(result.outcomes).toEqual(otherIds.map((id) => `${id} updated #${id - 1}`));
		expect([remark(7), remark(8)]).toEqual(['theirs', 'mine']);
		const reads = testbed.reads.filter(({ path }) => /\/orders\/1\/\d+$/.test(path));
		expect([reads.length, testbed.writes.length]).toEqual([24, 22]);
	},
);

it.each([12, -5])(
	'an item of the time zone %s that came back from a spreadsheet has its offset as a text',
	async (timeZone) => {
		changeOthers([12, 13], 'before the read');
		const items = await read([12, 13], { timeZone });
		changeOthers([13]);
		const texts = items.map((item) => ({ ...item, _timeZone: String(item._timeZone) }));
		const result = await write(update, texts);
		testbed.expectErrors(result, { 1: conflictError(13) });
		expect(result.outcomes).toEqual(['12 updated #0']);
	},
);

it('an item that does not say who changed its record last is compared by the time alone', async () => {
	const items = await read([12, 13]);
	changeOthers([13]);
	const anonymous = items.map((item) => ({ ...item, _update_user: undefined }));
	const result = await write(update, anonymous);
	testbed.expectErrors(result, { 1: conflictError(13) });
	expect(result.outcomes).toEqual(['12 updated #0']);
});

it('an update by order number writes only unchanged records, and skips numbers without a record', async () => {
	const items = await read([12, 13], { onlyFields: 'Order Number, Remark' });
	changeOthers([13]);
	const unknown = { 'Order Number': 'SO-99999' };
	const result = await write(upsert, [...items, unknown], { upsertMode: 'updateOnly' });
	testbed.expectErrors(result, { 1: conflictError(13) });
	expect(result.actions).toEqual(['updated', 'skipped']);
	expect([remark(12), remark(13)]).toEqual(['mine', 'theirs']);
});

describe('a spreadsheet with the time of its export in each item', () => {
	/** Changes an order as another user, and returns the time of this change. */
	async function exportTime(): Promise<string> {
		changeOthers([20]);
		const [item = {}] = await read([20]);
		return String(item._update_date);
	}

	const rowsOf = (ids: number[], _update_date: string) =>
		ids.map((id) => ({ 'Order Number': testbed.order(id).text(fields.orderNumber), _update_date }));
	const onlyChanges = { upsertMode: 'updateOnly', skipUnchanged: true };

	it('keeps the changes that were made after the export, also in a second run', async () => {
		const rows = rowsOf([12, 13, 14], await exportTime());
		changeOthers([13]);
		const first = await write(upsert, rows, onlyChanges);
		testbed.expectErrors(first, { 1: conflictError(13) });
		expect(first.outcomes).toEqual(['12 updated #0', '14 updated #2']);

		testbed.service.clock.advance(300_000);
		const second = await write(upsert, rows, onlyChanges);
		testbed.expectErrors(second, { 1: conflictError(13) });
		expect(second.outcomes).toEqual(['12 unchanged #0', '14 unchanged #2']);
		expect(remark(13)).toBe('theirs');
	});

	it("without 'Skip Unchanged', a second run also rejects the orders that the first run wrote", async () => {
		const rows = rowsOf([12, 13], await exportTime());
		testbed.service.clock.advance(5_000);
		expect((await write(upsert, rows)).actions).toEqual(['updated', 'updated']);
		testbed.service.clock.advance(5_000);
		testbed.expectErrors(await write(upsert, rows), [conflictError(12), conflictError(13)]);
	});

	it('a number matches the text with the same digits, but not with leading zeros', async () => {
		testbed.order(12).set(fields.reference, '612');
		testbed.order(13).set(fields.reference, '0613');
		const _update_date = await exportTime();
		const rows = [612, 613].map((Reference) => ({ Reference, _update_date }));
		const byReference = { ...upsert, ...autoMapped(['Reference']) };
		const result = await write(byReference, rows, onlyChanges);
		expect(result.actions).toEqual(['updated', 'skipped']);
		expect([remark(12), remark(13)]).toEqual(['mine', expect.not.stringContaining('mine')]);
	});
});

it('a change by another user during the run is a conflict', async () => {
	const items = await read(numbers(60));
	let isLate = false;
	testbed.inject({
		kind: 'hang',
		when: ({ path }) => {
			if (path.endsWith('/20') && !isLate) changeOthers([50]);
			isLate ||= path.endsWith('/20');
			return false;
		},
	});
	const slowly = testbed.as('member', { requestsPerSecond: 1 });
	testbed.expectErrors(await write(update, items, {}, slowly), { 49: conflictError(50) });
	expect(remark(50)).toBe('theirs');
});

it('an edit by a person after the first write of the run is not overwritten', async () => {
	const items = await read([12, 13, 14]);
	let isFirst = true;
	testbed.service.beforeRequest(({ method, path }) => {
		if (isFirst && method === 'POST' && path.endsWith('/12')) {
			isFirst = false;
			changeOthers([13]);
		}
	});
	const result = await write(update, items);
	testbed.expectErrors(result, { 1: conflictError(13) });
	expect(result.outcomes).toEqual(['12 updated #0', '14 updated #2']);
	expect([remark(12), remark(13), remark(14)]).toEqual(['mine', 'theirs', 'mine']);
});

it('a write of the run itself is not a conflict, and neither is a new record', async () => {
	const [item = {}] = await read([12]);
	testbed.service.clock.advance(5_000);
	const updated = await write(update, [item, item]);
	expect(updated.outcomes).toEqual(['12 updated #0', '12 updated #1']);
	const values = { Reference: 'NEW', 'Customer Number': 'C-0001' };
	const byReference = { ...upsert, ...autoMapped(['Reference']) };
	const created = await write(byReference, [values, values]);
	expect(created.actions).toEqual(['created', 'updated']);
});

it('a conflict check of one record is a single read; without the option or without a difference nothing is read', async () => {
	const [item = {}] = await read([12]);
	changeOthers([12]);
	const refused = await write(update, [item]);
	testbed.expectErrors(refused, [conflictError(12)]);
	expect(testbed.reads.map(({ path }) => path)).toContain('/acme/sales/orders/1/12');
	changeOthers([12], 'mine');
	const same = await write(update, [item], { skipUnchanged: true });
	expect(same.outcomes).toEqual(['12 unchanged #0']);
	const overwritten = await write(update, [item], { onConflict: 'overwrite' });
	expect(overwritten.outcomes).toEqual(['12 updated #0']);
});

it('items of a trigger have the time of the last change in their record', async () => {
	const items = await read([12, 13], { timeZone: 8 });
	changeOthers([13]);
	const path = { path: 'sales/orders', sheetIndex: 1 };
	const events = items.map(({ _recordId, ...values }) => ({
		...{ event: 'UPDATE', recordId: _recordId, ...path, verified: true },
		record: { _recordId, ...values, Remark: 'mine' },
	}));
	const byEvent = { ...onOrder('update', '={{ $json.recordId }}'), ...autoMapped() };
	const options = { onConflict: 'error' };
	const result = await testbed.runAllById({ ...byEvent, options }, events);
	expect(result.outcomes).toEqual(['12 updated #0']);
	testbed.expectErrors(result, { 1: conflictError(13) });
});

it.each(['', null])(
	'without the user of the last change (%j), only its date decides',
	async (user) => {
		const items = (await read([12, 13])).map((item) => ({ ...item, _update_user: user }));
		changeOthers([13]);
		const result = await write(update, items);
		expect(result.outcomes).toEqual(['12 updated #0']);
		testbed.expectErrors(result, { 1: conflictError(13) });
	},
);

it('if the service does not name the user of the last change, only its date decides', async () => {
	const items = await read([12, 13]);
	const bodyOf = (id: number, date: unknown) =>
		JSON.stringify({ [id]: { _svcId: id, _update_date: date } });
	const [known, later] = [items[0]?._update_date, '2031/01/31 09:30:00'];
	for (const [id, date] of [[12, known] as const, [13, later] as const]) {
		const when = ({ method, path }: SeenRequest) => method === 'GET' && path.endsWith(`/${id}`);
		testbed.inject({ kind: 'body', body: bodyOf(id, date), when, times: Infinity });
	}
	const result = await write(update, items);
	expect(result.outcomes).toEqual(['12 updated #0']);
	testbed.expectErrors(result, { 1: /^Record 13 was changed by somebody at 2031/ });
});

it('a dry run reports conflicts', async () => {
	const items = await read([12, 13]);
	changeOthers([13]);
	const result = await write(update, items, { dryRun: true });
	expect(result.outcomes).toEqual(['12 wouldUpdate #0']);
	testbed.expectErrors(result, { 1: conflictError(13) });
});

it.each<[string, string | number]>([
	['none', ''],
	['a number, as spreadsheets store dates', 46053.39],
	['a text that is no date', 'yesterday'],
	['a moment, where the hours of the account are not known', '2026-01-31T09:30:00Z'],
])('an item whose last change is %s is rejected', async (_, date) => {
	const [item = {}] = await read([12]);
	const result = await write(update, [{ ...item, _update_date: date }]);
	testbed.expectErrors(result, /^The item does not say when .*'Include Record Information'/);
	expect(testbed.writes).toEqual([]);
});

it('nothing is written if the service does not return the last change', async () => {
	const items = await read([12, 13]);
	const body = JSON.stringify({ 12: { [fields.remark]: 'x' }, 13: { [fields.remark]: 'x' } });
	const when = ({ method, path }: SeenRequest) => method === 'GET' && /\/1[23]$/.test(path);
	testbed.inject({ kind: 'body', body, when, times: Infinity });
	const result = await write(update, items);
	testbed.expectErrors(result, /does not say when record 1[23] was last changed/, 2);
	expect(testbed.writes).toEqual([]);
});

it.each([true, false])(
	'an item that finds its values is no conflict, as nothing is written (dry run: %s)',
	async (dryRun) => {
		const items = await read([7]);
		changeOthers([7], 'mine');
		const { actions, errorItems } = await write(update, items, { skipUnchanged: true, dryRun });
		expect([actions, errorItems, testbed.writes]).toEqual([['unchanged'], [], []]);
	},
);
