import type { IDataObject } from 'n8n-workflow';
import { orders, type SeenRequest } from '../../service';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson, autoMapped, filesOption } from '../record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { linesOf } from '../subtableRow/rowTestbed';
import { retrying } from './retrying';

/** Results of items that an earlier attempt decided or created, while another item failed. */
const testbed = useRecordTestbed({ demoRecords: 20 });
const { reference, remark, city, contract, customerNumber } = orders.fields;
const { lines } = orders.subtables;
const order = (id: number) => testbed.order(id);

const isWrite = ({ method }: SeenRequest) => method !== 'GET';
const writesTo = (id: number, text: string) => (seen: SeenRequest) =>
	isWrite(seen) && seen.path.endsWith(`/${id}`) && JSON.stringify(seen.body).includes(text);

describe.each([
	{ kind: 'an update', base: { ...onOrder('update'), ...asJson('={{ $json.record }}') } },
	{ kind: 'an upsert', base: { ...onOrders('upsert'), ...autoMapped([reference]) } },
])('$kind with Skip Unchanged', ({ kind, base }) => {
	const itemOf = (id: number, values: IDataObject) =>
		kind === 'an update' ? { id, record: values } : { [reference]: `KEY-${id}`, ...values };
	const run = async (items: IDataObject[]) =>
		await testbed.runById({ ...base, options: { skipUnchanged: true } }, items, retrying);

	/** Changes an order as a person while the first write is on its way. */
	function editDuringFirstWrite(id: number, values: Record<string, string>): void {
		const stop = testbed.service.beforeRequest(({ method }) => {
			if (method !== 'POST') return;
			stop();
			testbed.service.people.edit(orders, id, values);
		});
	}

	beforeEach(() => {
		for (const id of [4, 5, 6]) {
			order(id).set(reference, `KEY-${id}`).set(remark, 'same').set(city, 'Rome');
		}
	});

	it('an unchanged item is not written over a later item in the next attempt', async () => {
		testbed.refuse(writesTo(6, 'new'));
		const { outcomes } = await run([
			itemOf(5, { [remark]: 'same' }),
			itemOf(5, { [remark]: 'last' }),
			itemOf(6, { [remark]: 'new' }),
		]);
		expect(outcomes).toEqual(['5 unchanged #0', '5 updated #1', '6 updated #2']);
		expect(order(5).text(remark)).toBe('last');
	});

	it('an item that seemed unchanged is decided once, before a later item writes its record', async () => {
		testbed.refuse(writesTo(6, 'new'));
		const { outcomes } = await run([
			itemOf(4, { [remark]: 'new' }),
			itemOf(5, { [remark]: 'same' }),
			itemOf(5, { [remark]: 'last' }),
			itemOf(6, { [remark]: 'new' }),
		]);
		expect(outcomes).toEqual(['4 updated #0', '5 unchanged #1', '5 updated #2', '6 updated #3']);
		expect(order(5).text(remark)).toBe('last');
	});

	it('an item that seemed unchanged is written once if a person has changed its record', async () => {
		editDuringFirstWrite(5, { [city]: 'Oslo' });
		testbed.refuse(writesTo(6, 'new'));
		const { outcomes } = await run([
			itemOf(4, { [remark]: 'new' }),
			itemOf(5, { [city]: 'Rome' }),
			itemOf(5, { [remark]: 'last' }),
			itemOf(6, { [remark]: 'new' }),
		]);
		expect(outcomes).toEqual(['4 updated #0', '5 updated #1', '5 updated #2', '6 updated #3']);
		expect([order(5).text(city), order(5).text(remark)]).toEqual(['Rome', 'last']);
		expect(testbed.writes).toHaveLength(5);
	});

	it('a later item is not written if an item that seemed unchanged fails before it', async () => {
		editDuringFirstWrite(5, { [remark]: 'theirs' });
		testbed.refuse(writesTo(5, 'same'));
		const { outcomes } = await run([
			itemOf(4, { [remark]: 'new' }),
			itemOf(5, { [remark]: 'same' }),
			itemOf(5, { [remark]: 'last' }),
		]);
		expect(outcomes).toEqual(['4 updated #0', '5 updated #1', '5 updated #2']);
		expect(order(5).text(remark)).toBe('last');
	});
});

describe.each([
	{ kind: 'an update', base: { ...onOrder('update'), ...asJson('={{ $json.record }}') } },
	{ kind: 'an upsert', base: { ...onOrders('upsert'), ...autoMapped([reference]) } },
])('$kind whose record a later item has written, with Continue On Fail', ({ kind, base }) => {
	const itemOf = (values: IDataObject) =>
		kind === 'an update' ? { id: 5, record: values } : { [reference]: 'KEY-5', ...values };
	const run = async (...items: IDataObject[]) => {
		order(5).set(reference, 'KEY-5').set(city, 'Rome');
		testbed.refuse(writesTo(5, 'first'));
		return await testbed.runAllById(base, items, retrying);
	};

	it('is not written over newer values in the next attempt', async () => {
		const result = await run(itemOf({ [remark]: 'first' }), itemOf({ [remark]: 'last' }));
		testbed.expectErrors(
			result,
			'A later item has other values for the same fields or rows of this record',
		);
		expect([result.outcomes, order(5).text(remark)]).toEqual([['5 updated #1'], 'last']);
	});

	it('is not written over a value that a later item left unchanged', async () => {
		order(5).set(remark, 'last');
		const parameters = { ...base, options: { ...Object(base).options, skipUnchanged: true } };
		order(5).set(reference, 'KEY-5');
		testbed.refuse(writesTo(5, 'first'));
		const items = ['first', 'last'].map((text) => itemOf({ [remark]: text }));
		const result = await testbed.runAllById(parameters, items, retrying);
		testbed.expectErrors(result, 'A later item has other values for the same fields or rows');
		expect([result.outcomes, order(5).text(remark)]).toEqual([['5 unchanged #1'], 'last']);
	});

	it('is written in the next attempt if it has other fields', async () => {
		const result = await run(itemOf({ [remark]: 'first' }), itemOf({ [city]: 'Lima' }));
		expect(result.outcomes).toEqual(['5 updated #0', '5 updated #1']);
		expect([order(5).text(remark), order(5).text(city)]).toEqual(['first', 'Lima']);
	});

	it.each([
		{ which: 'another row', isOther: true, texts: ['first', 'last'] },
		{ which: 'the same row', isOther: false, texts: ['last', 'second'] },
	])('is written in the next attempt beside $which: $isOther', async ({ isOther, texts }) => {
		const { article } = lines.fields;
		const stored = new Map([1, 2].map((id) => [id, new Map([[article, 'second']])] as const));
		order(5).subtables.set(lines.id, stored);
		const of = (id: number, text: string) =>
			itemOf({ [`_subtable_${lines.id}`]: { [id]: { [article]: text } } });
		const result = await run(of(1, 'first'), of(isOther ? 2 : 1, 'last'));
		expect(result.items).toHaveLength(isOther ? 2 : 1);
		expect([...order(5).rows(lines.id).values()].map((row) => row.get(article))).toEqual(texts);
	});
});

describe('a record that was created, but whose ID is not in the answer', () => {
	const values = {
		...{ [reference]: 'NEW', [customerNumber]: 'C-0001' },
		[`_subtable_${lines.id}`]: [{ [lines.fields.article]: 'Pen' }],
	};
	const added = () => [...testbed.orders.records.values()].filter(({ id }) => id > 20);

	it.each([
		['create', { ...onOrders('create'), ...autoMapped() }],
		['upsert', { ...onOrders('upsert'), ...autoMapped([reference]) }],
	])('gets its rows and files once: %s', async (_, base) => {
		const body = '{"status":"SUCCESS","rv":"0"}';
		testbed.inject({ kind: 'body', body, afterWork: true, when: isWrite });
		const options = filesOption([contract, 'data']);
		const item = await itemWithFiles(values, { data: textFile('new.txt') });
		const { error } = await testbed.runById({ ...base, options }, [item], retrying);
		expect(error?.message).toContain('did not say which');
		expect(testbed.writes).toHaveLength(1);
		const [record] = added();
		expect(added()).toHaveLength(1);
		expect(linesOf(testbed.service, record?.id ?? 0)).toHaveLength(1);
		expect(storedFiles(testbed.service, orders, record?.id ?? 0, contract)).toHaveLength(1);
	});
});
