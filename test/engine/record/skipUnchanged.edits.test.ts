import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { numbers, onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

/** Records that people change while a run compares its items with them. */
const testbed = useRecordTestbed({ demoRecords: 40 });
const { reference, remark, city, note, description } = orders.fields;
const { lines } = orders.subtables;
const record = (id: number) => testbed.order(id);

/** Updates by ID and upserts, both with Skip Unchanged. */
const kinds = [
	{ kind: 'an update', base: { ...onOrder('update'), ...asJson('={{ $json.record }}') } },
	{ kind: 'an upsert', base: { ...onOrders('upsert'), ...autoMapped([reference]) } },
];

function itemOf(kind: string, id: number, values: IDataObject): IDataObject {
	return kind === 'an update' ? { id, record: values } : { [reference]: `KEY-${id}`, ...values };
}

/** Changes records as a person while the first write is on its way. */
function duringFirstWrite(change: () => void): void {
	let isFirst = true;
	testbed.service.beforeRequest(({ method }) => {
		if (method !== 'POST' || !isFirst) return;
		isFirst = false;
		change();
	});
}

beforeEach(() => {
	for (const id of numbers(40)) {
		record(id).set(reference, `KEY-${id}`).set(remark, 'same').set(city, 'Rome').set(note, '');
	}
});

describe.each(kinds)('$kind', ({ kind, base }) => {
	const write = async (items: IDataObject[], options: INodeParameters = { skipUnchanged: true }) =>
		await testbed.runById({ ...base, options }, items);

	it('a written record gets all given values, because a person may have changed those that were equal', async () => {
		const items = numbers(20).map((id) =>
			itemOf(kind, id, { [city]: 'Rome', [remark]: id % 12 === 1 ? 'new' : 'same' }),
		);
		duringFirstWrite(() => testbed.service.people.edit(orders, 13, { [city]: 'Oslo' }));
		const { outcomes, json } = await write(items);
		expect(outcomes[12]).toBe('13 updated #12');
		expect([record(13).text(city), record(13).text(remark)]).toEqual(['Rome', 'new']);
		expect(String(json[12]?._warning)).not.toContain('City');
	});

	it('a warning names a given value that is not stored, also one that was equal before', async () => {
		const items = [itemOf(kind, 1, { [city]: 'Rome', [remark]: 'new' })];
		const data = { [reference]: 'KEY-1', [city]: 'Oslo', [remark]: 'new' };
		testbed.inject({
			...{ kind: 'body', body: JSON.stringify({ status: 'SUCCESS', svcId: 1, data }) },
			when: ({ method }) => method === 'POST',
		});
		const { json } = await write(items);
		expect(json[0]?._warning).toMatch(/City/);
	});

	it('an item that seems unchanged is read again before a later item writes its record', async () => {
		const values = (id: number) => itemOf(kind, id, { [city]: 'Rome' });
		const items = [
			itemOf(kind, 1, { [remark]: 'new' }),
			...numbers(14, 2).map(values),
			itemOf(kind, 13, { [remark]: 'last' }),
		];
		duringFirstWrite(() => testbed.service.people.edit(orders, 13, { [city]: 'Oslo' }));
		const { outcomes } = await write(items);
		expect(outcomes[12]).toBe('13 updated #12');
		expect(outcomes.at(-1)).toBe('13 updated #15');
		expect([record(13).text(city), record(13).text(remark)]).toEqual(['Rome', 'last']);
	});

	it('of two items that seemed unchanged, the first writes their record again and the second is unchanged', async () => {
		duringFirstWrite(() => testbed.service.people.edit(orders, 13, { [remark]: 'theirs' }));
		const same = itemOf(kind, 13, { [remark]: 'same' });
		const { outcomes } = await write([itemOf(kind, 1, { [remark]: 'new' }), same, same]);
		expect(outcomes).toEqual(['1 updated #0', '13 updated #1', '13 unchanged #2']);
		expect(testbed.writes).toHaveLength(2);
	});

	it('an item that seemed unchanged and fails right before a later item of its record is the one that the error names', async () => {
		duringFirstWrite(() => testbed.service.people.edit(orders, 13, { [remark]: 'theirs' }));
		testbed.refuse(({ method, path }) => method === 'POST' && path.endsWith('/13'));
		const { error } = await write([
			itemOf(kind, 1, { [remark]: 'new' }),
			itemOf(kind, 13, { [remark]: 'same' }),
			itemOf(kind, 13, { [remark]: 'last' }),
		]);
		expect(error?.context?.itemIndex).toBe(1);
	});

	it('an item whose record an earlier item has written is decided in its turn, so that a later change by others stays', async () => {
		// The output of an unchanged item needs another read, because one value is rich text.
		const same = { [remark]: 'new', [description]: 'Plain' };
		const items = [itemOf(kind, 5, same), itemOf(kind, 5, same), itemOf(kind, 6, same)];
		testbed.service.beforeRequest(({ method, path }) => {
			if (method !== 'POST' || !path.endsWith('/6')) return;
			testbed.service.people.edit(orders, 5, { [remark]: 'theirs' });
		});
		const { outcomes } = await write(items);
		expect(outcomes).toEqual(['5 updated #0', '5 unchanged #1', '6 updated #2']);
		expect(record(5).text(remark)).toBe('theirs');
		expect(testbed.writes).toHaveLength(2);
	});

	it('an item is unchanged if its record held its values when a later item overwrote them', async () => {
		const items = [
			itemOf(kind, 1, { [remark]: 'new' }),
			itemOf(kind, 5, { [remark]: 'same' }),
			itemOf(kind, 5, { [remark]: 'last' }),
		];
		const { actions } = await write(items);
		expect(actions).toEqual(['updated', 'unchanged', 'updated']);
		expect(record(5).text(remark)).toBe('last');
	});

	it('with Rows Mode, a written record gets all given values and rows', async () => {
		const [[first = 0] = []] = [...record(3).rows(lines.id)];
		const rows = new Map([[first, new Map([[lines.fields.article, 'Chair']])]]);
		record(3).subtables.set(lines.id, rows);
		record(2).subtables.set(lines.id, new Map(rows));
		const values = (text: string) => ({
			...{ [city]: 'Rome', [remark]: text },
			[`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'Chair' }],
		});
		const items = [itemOf(kind, 2, values('new')), itemOf(kind, 3, values('new'))];
		duringFirstWrite(() => {
			testbed.service.people.edit(orders, 3, { [city]: 'Oslo' });
			record(3).rows(lines.id).get(first)?.set(lines.fields.article, 'Lamp');
		});
		const mode = { rowsMode: 'upsert', rowMatchFields: 'Article' };
		const { actions } = await write(items, mode);
		expect(actions).toEqual(['updated', 'updated']);
		expect(record(3).text(city)).toBe('Rome');
	});
});
