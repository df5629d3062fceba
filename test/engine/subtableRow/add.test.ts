import { customers, orders, siteVisits } from '../../service';
import { autoMapped } from '../record/recordValues';
import { recordId, RecordTestbed, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowIdsOf, rowOfItem, rowsSent } from './rowTestbed';

const testbed = useRecordTestbed();
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;

const add = onLines('add', rowOfItem);

/** Adds rows to one record. Returns the result, and the new rows of the record. */
async function addRows(orderId: number, ...rows: object[]) {
	const before = rowIdsOf(testbed.service, orderId);
	const items = rows.map((row) => ({ json: { order: orderId, row: { ...row } } }));
	const result = await testbed.runById(add, items);
	expect(result.status).toBe('success');
	expect(result.links).toEqual(rows.map((_, item) => ({ item })));
	const now = linesOf(testbed.service, orderId);
	expect(now.slice(0, before.length).map(([id]) => id)).toEqual(before);
	return { json: result.json, added: now.slice(before.length) };
}

it('rows of one record are added in one request, and each is linked to its item', async () => {
	const { json, added } = await addRows(
		11,
		{ Article: 'one', Quantity: 1 },
		{ Article: 'two', Quantity: 2 },
		{ [article]: 'three' },
	);
	expect(testbed.writeUrls).toEqual(['/acme/sales/orders/1/11?api']);
	expect(rowsSent(testbed)).toEqual([
		{
			'-3': { [article]: 'one', [quantity]: 1 },
			'-2': { [article]: 'two', [quantity]: 2 },
			'-1': { [article]: 'three' },
		},
	]);
	expect(added.map(([, text]) => text)).toEqual(['one', 'two', 'three']);
	expect(json).toEqual(
		added.map(([id, text]) =>
			expect.objectContaining({ _recordId: 11, _rowId: id, [article]: text }),
		),
	);
});

it('the sheet and the subtable of a row are those of its item, also from a pasted address', async () => {
	const [contacts, name] = ['2100001', '3100001'];
	testbed.service.data.sheet(customers).subtables.push({
		...{ id: contacts, name: 'Contacts' },
		fields: [{ id: name, name: 'Name', type: 'text' }],
	});
	const sheet = sheetAt('={{ $json.sheet }}');
	const address = `${testbed.service.baseUrl}/acme/sales/orders/1?PAGEID=abc`;
	await testbed.runById({ ...add, sheet, subtableId: '={{ $json.subtable }}' }, [
		{ sheet: 'sales/customers/2', subtable: contacts, order: 5, row: { Name: 'Ann' } },
		{ sheet: address, subtable: lines.id, order: 5, row: { Article: 'Pen' } },
		{ sheet: 'sales/customers/2', subtable: contacts, order: 5, row: { Name: 'Bob' } },
	]);
	expect(testbed.writes.map(({ path }) => path)).toEqual([
		'/acme/sales/customers/2/5',
		'/acme/sales/orders/1/5',
	]);
	const rows = testbed.service.data.record(customers, 5).rows(contacts);
	expect([...rows.values()].map((row) => row.get(name))).toEqual(['Ann', 'Bob']);
	expect(linesOf(testbed.service, 5).at(-1)?.[1]).toBe('Pen');
});

describe('rows of two subtables of one record, in turn', () => {
	const { photos, findings } = siteVisits.subtables;
	const [caption, finding] = [photos.fields.caption, findings.fields.finding];
	const rowsIn = (id: string) => testbed.service.data.record(siteVisits, 5).rows(id);
	const texts = () => [
		[...rowsIn(photos.id).values()].map((row) => row.get(caption)),
		[...rowsIn(findings.id).values()].map((row) => row.get(finding)),
	];
	const items = () => {
		const [first = 0, second = 0] = rowsIn(photos.id).keys();
		const [only = 0] = rowsIn(findings.id).keys();
		return [
			{ subtable: photos.id, rowId: first, row: { Caption: 'A' } },
			{ subtable: findings.id, rowId: only, row: { Finding: 'B' } },
			{ subtable: photos.id, rowId: second, row: { Caption: 'C' } },
		];
	};

	it.each([
		[
			'add',
			[
				['Front', 'Roof', 'A', 'C'],
				['Crack 5', 'B'],
			],
		],
		['update', [['A', 'C'], ['B']]],
		['delete', [[], []]],
	])(
		'are written to their own subtable, and linked to their items: %s',
		async (operation, stored) => {
			const subtable = { sheet: sheet(siteVisits), recordId: recordId(5) };
			const row = { ...subtable, subtableId: '={{ $json.subtable }}', rowId: '={{ $json.rowId }}' };
			const result = await testbed.runById(onLines(operation, { ...row, ...rowOfItem }), items());
			expect(result.error).toBeUndefined();
			expect(texts()).toEqual(stored);
			expect(result.links).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
			expect(testbed.writes).toHaveLength(2);
		},
	);
});

it.each(['add', 'update'])(
	'a value of a row that the service fills in is left out, and a hint says so: %s',
	async (operation) => {
		const [rowId = 0] = rowIdsOf(testbed.service, 11);
		const row = { rowId: String(rowId), ...autoMapped(), options: { ignoreFields: ['order'] } };
		const item = { order: 11, Article: 'Pen', Amount: '5.00' };
		const { hintTexts, error } = await testbed.run(
			onLines(operation, row),
			[item],
			testbed.as('admin'),
		);
		expect(error).toBeUndefined();
		expect(hintTexts).toContain("Not written: 'Amount' (filled in by the service).");
	},
);

it('rows of records with the same path and ID in two accounts are not mixed', async () => {
	const otherTestbed = new RecordTestbed();
	await otherTestbed.start({ demoRecords: 300 });
	const services = [testbed.service, otherTestbed.service];
	const before = services.map((service) => rowIdsOf(service, 11).length);
	const items = ['apiKey', 'session'].map((by) => ({ by, order: 11, row: { [article]: 'New' } }));
	const result = await testbed.runById({ ...add, authentication: '={{ $json.by }}' }, items, {
		credentials: { ...testbed.credentials(), ...otherTestbed.sessionCredentials() },
	});
	const after = services.map((service) => linesOf(service, 11));
	await otherTestbed.stop();
	expect(after.map(({ length }) => length)).toEqual(before.map((length) => length + 1));
	const added = after.map((rows) => ({ _rowId: rows.at(-1)?.[0], [article]: 'New' }));
	expect(result.json).toMatchObject(added);
});

it('more than a hundred rows are sent in several requests, each row once', async () => {
	const texts = Array.from({ length: 201 }, (_, index) => `Article ${index}`);
	const { json, added } = await addRows(11, ...texts.map((text) => ({ [article]: text })));
	expect(rowsSent(testbed).map((rows) => Object.keys(rows).length)).toEqual([100, 100, 1]);
	expect(added.map(([, text]) => text)).toEqual(texts);
	expect(json.map(({ _rowId }) => _rowId)).toEqual(added.map(([id]) => id));
});

it('new rows get distinct negative IDs, regardless of the content of the items', async () => {
	const rows = Array.from({ length: 12 }, (_, index) => ({ _rowId: index - 6, [quantity]: index }));
	const { added } = await addRows(7, ...rows);
	const ids = rowsSent(testbed).flatMap((sent) => Object.keys(sent).map(Number));
	expect(ids).toEqual(rows.map((_, index) => index - 12));
	expect(added).toHaveLength(12);
});

it('dates are written in the format of the service, by the type of the field', async () => {
	const due = { id: '3000005', name: 'Due', type: 'date' } as const;
	testbed.orders.subtable(lines.id)?.fields.push(due);
	const items = [{ order: 1, row: { Due: '2026-03-02', Article: '2026-03-02' } }];
	await testbed.runById(add, items, testbed.as('admin'));
	expect(rowsSent(testbed)).toEqual([
		{ '-1': { [due.id]: '2026/03/02', [article]: '2026-03-02' } },
	]);
});

it('empty values are omitted, or sent with Clear Empty', async () => {
	const row = rowAsJson({ Article: 'Pen', Quantity: '' });
	const options = { clearEmpty: '={{ $itemIndex === 1 }}' };
	await testbed.runById(onLines('add', { ...row, options }), [{ order: 1 }, { order: 7 }]);
	expect(rowsSent(testbed)).toEqual([
		{ '-1': { [article]: 'Pen' } },
		{ '-1': { [article]: 'Pen', [quantity]: '' } },
	]);
});

it('options are sent, and items with different options are sent separately', async () => {
	const options = { doFormula: true, notification: '={{ $json.tell }}' };
	await testbed.runById({ ...add, options }, [
		{ order: 1, tell: true, row: { [article]: 'a', [quantity]: 2 } },
		{ order: 1, tell: false, row: { [article]: 'b' } },
	]);
	expect(testbed.writeUrls).toEqual([
		'/acme/sales/orders/1/1?api&doFormula=true&notification=true',
		'/acme/sales/orders/1/1?api&doFormula=true&notification=false',
	]);
	expect(testbed.service.data.notifications).toHaveLength(1);
});

it('rows with other options between them keep the order of the items', async () => {
	const items = ['a', 'b', 'c'].map((text) => ({ order: 7, row: { [article]: text } }));
	const options = { notification: '={{ $itemIndex === 1 }}' };
	await testbed.runById({ ...add, options }, items);
	const articles = linesOf(testbed.service, 7).map(([, text]) => text);
	expect(articles.slice(-3)).toEqual(['a', 'b', 'c']);
});

describe('the IDs of new rows', () => {
	/** Order whose rows are not sorted by ID. */
	const orderId = 7;

	it('the IDs of new rows are read if the answer does not contain the record', async () => {
		testbed.service.switches.answerCarriesData = false;
		const { json, added } = await addRows(orderId, { [article]: 'x' }, { [article]: 'y' });
		expect(json).toEqual(
			added.map(([_rowId, text]) =>
				expect.objectContaining({ _recordId: orderId, _rowId, [article]: text }),
			),
		);
		const ofOrder = testbed.reads.filter(({ path }) => path.endsWith(`/${orderId}`));
		// Once before the write, and once after it.
		expect(ofOrder).toHaveLength(2);
	});

	it('the IDs of new rows are omitted if neither the answer nor a read contains the record', async () => {
		testbed.service.switches.answerCarriesData = false;
		const body = '{"status":"ERROR","code":106,"msg":"No access right."}';
		const when = ({ method }: { method: string }) => method === 'GET';
		testbed.inject({ kind: 'body', body, when, times: Infinity });
		expect((await addRows(orderId, { [article]: 'x' })).json).toEqual([{ _recordId: orderId }]);
	});

	it('the IDs of new rows are those that did not exist before, although the service returns other values', async () => {
		const body = `{"status":"SUCCESS","svcId":7,"data":{"1000001":"","_subtable_2000001":{"9":{"3000001":"Y"}}}}`;
		testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
		const _warning = expect.stringContaining('not saved as sent');
		expect((await addRows(orderId, { [article]: 'x' })).json).toEqual([
			{ _recordId: orderId, _rowId: 9, [article]: 'Y', _warning },
		]);
	});

	it('the IDs of new rows are omitted if another user adds an equal row at the same time', async () => {
		const { json } = await withRowOfOthers({ [article]: 'x' });
		expect(json).toEqual([{ _recordId: orderId }]);
	});

	it('the IDs of new rows are found by their values if another user adds another row at the same time', async () => {
		const { json, added } = await withRowOfOthers({ [article]: 'theirs' });
		expect(added.map(([, text]) => text)).toEqual(['theirs', 'x']);
		expect(json).toMatchObject([{ _recordId: orderId, _rowId: added[1]?.[0], [article]: 'x' }]);
	});

	/** Adds a row immediately after another user has added a row. */
	async function withRowOfOthers(row: Record<string, string>) {
		testbed.service.beforeRequest(({ method }) => {
			const rows = testbed.order(orderId).rows(lines.id);
			if (method === 'POST') rows.set(testbed.orders.takeRowId(), new Map(Object.entries(row)));
		});
		return await addRows(orderId, { [article]: 'x' });
	}

	it('the IDs of new rows are found among equal existing rows', async () => {
		const [first] = (await addRows(orderId, { [article]: 'same' })).added;
		const { json, added } = await addRows(orderId, { [article]: 'same' });
		expect(added).toHaveLength(1);
		expect(json).toMatchObject([{ _rowId: added[0]?.[0] }]);
		expect(json[0]?._rowId).not.toBe(first?.[0]);
	});
});
