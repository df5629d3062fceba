import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { onOrder, onOrders, recordId, unname, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { storedValues } from './storedValues';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { fields } = orders;
/** Options without the service's script, which would change another field. */
const quiet = { doWorkflow: false };

const itself = '={{ $json._recordId }}';
const update: INodeParameters = { ...onOrder('update', itself), ...autoMapped(), options: quiet };

async function read(id: number, identity: IdentityName, overrides = {}): Promise<IDataObject> {
	const parameters = { ...onOrder('get', id), ...overrides };
	const result = await testbed.run(parameters, [{}], testbed.as(identity));
	testbed.service.requests.clear();
	return result.json[0] ?? {};
}

async function write(parameters: INodeParameters, identity: IdentityName, ...items: IDataObject[]) {
	return await testbed.runById(parameters, items, testbed.as(identity));
}

it.each(['admin', 'member'] as const)(
	'a record that was read and changed as %s is updated only in the changed fields',
	async (identity) => {
		unname(testbed.service);
		const order = testbed.order(12);
		order
			.set(fields.note, 'first')
			.set(fields.secondNote, 'second')
			.set(fields.unnamed, 'no name')
			.set(fields.workflowStamp, 'Checked')
			.set(fields.contract, testbed.service.data.storeFile('a b.pdf', 'application/pdf', pdf));
		const before = storedValues(order);
		const item = await read(12, identity);
		// A text may contain markup if its type is known. Fields with the same name or no name are distinguished.
		const Remark = identity === 'admin' ? '<b>urgent</b> &amp; fragile' : 'urgent';
		const changes = { Remark, Note: 'new first', Note2: 'new second', [thirdKey]: 'new third' };
		const result = await write(update, identity, { ...item, ...changes });
		expect(result.error).toBeUndefined();
		expect(storedValues(order)).toEqual({
			...before,
			[fields.remark]: Remark,
			[fields.note]: 'new first',
			[fields.secondNote]: 'new second',
			[fields.unnamed]: 'new third',
		});
		expect(result.hints).toHaveLength(1);
		for (const name of ['Internal Margin', 'Description', 'Contract', 'Workflow Stamp'])
			expect(result.hints[0]?.message).toContain(`'${name}'`);
	},
);

it.each(['admin', 'member'] as const)(
	'rich text that is stored as HTML goes back if it was read as markup, and so does an address: %s',
	async (identity) => {
		const html = '<p>Hello <b>Jane</b></p>';
		testbed.order(12).set(fields.description, html);
		const item = await read(12, identity, { options: { bbcode: true } });
		const Remark = 'Jane Roe <jane@example.com>';
		const create = { ...update, operation: 'create' };
		const { json } = await write(create, identity, { ...item, Remark });
		const copy = testbed.order(Number(json[0]?._recordId));
		expect([copy.text(fields.description), copy.text(fields.remark)]).toEqual([html, Remark]);
	},
);

it('dates with white space around them, which a person or an import has entered, go back as they are stored', async () => {
	const order = testbed.order(12);
	order.set(fields.orderDate, ' 2031/01/31').set(fields.deliveryTime, '2031/01/31 10:00:00 ');
	const before = storedValues(order);
	const item = await read(12, 'admin');
	const { error, json } = await write(update, 'admin', { ...item, Remark: 'changed' });
	expect([error, json[0]?._warning]).toEqual([undefined, undefined]);
	expect(storedValues(order)).toEqual({ ...before, [fields.remark]: 'changed' });
});

/** Name of the field without a name in reads. */
const thirdKey = `Untitled (${fields.unnamed})`;
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

it.each([{}, { output: 'record' }])(
	'an item of a trigger is written like its record: %j',
	async (form) => {
		const { _recordId, ...item } = await read(12, 'member', { options: { info: true } });
		const record: IDataObject = { _recordId, ...item, Remark: 'as it changed' };
		const place = { account: 'acme', path: 'sales/orders', sheetIndex: 1 };
		const delivered = { event: 'UPDATE', recordId: 12, ...place };
		const changes = { changedFields: ['Remark'], previous: { Remark: '' } };
		const event = { ...delivered, verified: true, record, ...changes, _remaining: 3 };
		const _changes = { _changedFields: ['Remark'], _previous: { Remark: '' }, _remaining: 3 };
		const added = { _event: 'UPDATE', _verified: true, ..._changes, _unreadable: 'an outage' };
		const items = 'output' in form ? { ...record, ...added } : event;
		const target = { recordId: recordId(12) };
		const result = await write({ ...update, ...target }, 'member', items);
		expect(result.error).toBeUndefined();
		expect(testbed.order(12).text(fields.remark)).toBe('as it changed');
		const created = await write({ ...update, operation: 'create' }, 'member', items);
		expect(created.items).toHaveLength(1);
	},
);

it('fields that were omitted from many items are reported once, by name', async () => {
	const items = [await read(12, 'admin'), await read(8, 'admin'), await read(16, 'admin')];
	const result = await write(update, 'admin', ...items);
	expect(result.items).toHaveLength(3);
	const message =
		"Not written: 'Order Number', 'Total', 'Shipping Label' (filled in by the service), 'Internal Margin' (masked), 'Description' (rich text as HTML; to write it back, read it with 'Raw Markup').";
	expect(result.hints).toEqual([{ type: 'info', location: 'outputPane', message }]);
});

it.each([{ skipUnchanged: true }, { dryRun: true }])(
	'a record that was read and not changed has no warning with %j, even for users who see more than the item contains',
	async (option) => {
		for (const identity of ['admin', 'member'] as const) {
			const item = await read(12, identity);
			expect(item['Internal Margin']).toBe('****');
			const options = { ...quiet, ...option };
			const { actions, warnings } = await write({ ...update, options }, identity, item);
			expect([actions, warnings]).toEqual([['unchanged'], [undefined]]);
		}
	},
);

it('a copy reports the values of the source record that it does not have, including masked values', async () => {
	const item = await read(12, 'admin', { options: { bbcode: true } });
	const create = { ...update, operation: 'create', options: quiet };
	const { warnings } = await write(create, 'admin', item);
	expect(warnings[0]).toContain("'Internal Margin' (masked)");
});

describe('the option to ignore fields', () => {
	it.each(['Remarc', ['City', 'Remarc']])('rejects an unknown name: %j', async (wrong) => {
		const options = { ...quiet, ignoreFields: wrong };
		const item = { _recordId: 12, Remark: 'x', City: 'Ulm' };
		const expectedError = "'Remarc' is not a field of the sheet. Did you mean 'Remark'?";
		await testbed.expectRefused({ ...update, options }, [item], expectedError);
	});

	it('accepts names for items with IDs, and may contain keys that are not fields', async () => {
		const options = { ...quiet, ignoreFields: ['Remark', 'Colour'] };
		const item = { _recordId: 12, [fields.remark]: 'x', [fields.city]: 'Ulm', Colour: 'red' };
		await write({ ...update, options }, 'member', item);
		expect(testbed.writes[0]?.body).toEqual({ [fields.city]: 'Ulm' });
	});

	it('accepts a key that only some of the items have', async () => {
		const options = { ...quiet, ignoreFields: ['Colour'] };
		const items = [
			{ _recordId: 11, City: 'Ulm' },
			{ _recordId: 12, City: 'Ulm', Colour: 'red' },
		];
		const { error } = await write({ ...update, options }, 'member', ...items);
		expect([error, testbed.bodies]).toEqual([
			undefined,
			[{ [fields.city]: 'Ulm' }, { [fields.city]: 'Ulm' }],
		]);
	});

	it("accepts the key of n8n's error outputs, although no item has it", async () => {
		const options = { ...quiet, ignoreFields: ['error'] };
		const item = { _recordId: 12, City: 'Ulm' };
		expect((await write({ ...update, options }, 'member', item)).error).toBeUndefined();
	});
});

it.each(['_recordId', '_title', '_starred', '_update_date', '_subtable_61', '_subtable_2000001'])(
	'a key that reads add may be ignored by an item without it: %s',
	async (key) => {
		const { error } = await testbed.run(
			{ ...onOrder('update', 12), ...autoMapped(), options: { ...quiet, ignoreFields: [key] } },
			[{ Remark: 'x' }],
		);
		expect([error, testbed.bodies]).toEqual([undefined, [{ [fields.remark]: 'x' }]]);
	},
);

describe('keys that are not fields of the sheet', () => {
	const item = { _recordId: 12, Remark: 'x', Colour: 'red', Size: 5 };

	it.each([quiet, { unknownFields: 'error' }])(
		'are an error unless they are ignored: %j',
		async (options) => {
			await testbed.expectRefused({ ...update, options }, [item], "'Colour' is not a field");
		},
	);

	it.each([autoMapped(), { inputMode: 'json', recordJson: '={{ $json }}' }])(
		'are omitted and named in a hint: %j',
		async (input) => {
			const options = { ...quiet, unknownFields: 'ignore' };
			const withYear = { ...item, 2024: 5 };
			const result = await write({ ...update, ...input, options }, 'member', withYear);
			expect(testbed.writes[0]?.body).toEqual({ [fields.remark]: 'x' });
			const expectedHint = "'2024', 'Colour', 'Size' (not a field of the sheet).";
			expect(result.hintTexts).toEqual([`Not written: ${expectedHint}`]);
		},
	);

	it('are an error in any case if several fields have this name', async () => {
		const options = { ...quiet, unknownFields: 'ignore' };
		const twelve = { ...update, recordId: recordId(12), options };
		await testbed.expectRefused(twelve, [{ Note: 'x' }], 'is the name of 2 fields');
	});
});

describe.each(['admin', 'member'] as const)('many records that %s has read', (identity) => {
	it.each([{}, { isoDates: true }, { timeZone: 8 }, { isoDates: true, timeZone: -3.5 }])(
		'are written back unchanged with %j after a few reads, including times and texts that look like times',
		async (options) => {
			const ids = [11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];
			const looks = ['2023/01/02 00:00:00', '2023-01-02T00:00:00', '2023-01-02', '2023/01/02'];
			const { lines } = orders.subtables;
			const recordsBefore = ids.map((id) => testbed.order(id));
			for (const [index, order] of recordsBefore.entries()) {
				const [text = '', other = ''] = [looks[index % 4], looks[3 - (index % 4)]];
				order.set(fields.remark, text).set(fields.reference, other);
				order.set(fields.deliveryTime, `2026/0${index % 2 ? 1 : 7}/15 00:00:00`);
				const rows = [text, other].map((article) => new Map([[lines.fields.article, article]]));
				order.subtables.set(lines.id, new Map(rows.map((row, place) => [place + 1, row])));
			}
			const before = recordsBefore.map(storedValues);
			const items: IDataObject[] = [];
			for (const id of ids) items.push(await read(id, identity, { options }));
			const result = await write(update, identity, ...items);
			expect(result.error).toBeUndefined();
			expect(recordsBefore.map(storedValues)).toEqual(before);
			const reads = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('bbcode'));
			expect(reads.length).toBeLessThan(3);
		},
	);
});

it.each([8, 0])(
	'times of records and rows, some of them in summer time, are written back unchanged: UTC Offset %s',
	async (_timeZone) => {
		const { lines } = orders.subtables;
		const due = { id: '3000009', name: 'Due', type: 'dateTime' } as const;
		testbed.orders.subtable(lines.id)?.fields.push(due);
		const stored = ['2026/01/15 10:00:00', '2026/07/15 10:00:00'];
		const timesRead = ['2026/01/15 18:00:00', '2026/07/15 17:00:00'];
		const rowsKey = `_subtable_${lines.id}`;
		const shownRows = { 1: { [due.id]: timesRead[0] ?? '' }, 2: { [due.id]: timesRead[1] ?? '' } };
		const recordsBefore = [11, 12].map((id) => testbed.order(id));
		for (const [index, order] of recordsBefore.entries()) {
			order.set(fields.deliveryTime, stored[index] ?? '');
			const rows = stored.map((text, row) => [row + 1, new Map([[due.id, text]])] as const);
			order.subtables.set(lines.id, new Map(rows));
		}
		const before = recordsBefore.map(storedValues);
		const items = recordsBefore.map(({ id }, index) => ({
			...{ _recordId: id, _timeZone, [fields.deliveryTime]: timesRead[index] ?? '' },
			[rowsKey]: shownRows,
		}));
		const body = JSON.stringify(Object.fromEntries(items.map((item) => [item._recordId, item])));
		const when = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes('tz=');
		testbed.inject({ kind: 'body', body, when, times: Infinity });
		const result = await write(update, 'member', ...items);
		expect(result.warnings).toEqual([undefined, undefined]);
		expect(recordsBefore.map(storedValues)).toEqual(before);
	},
);

it.each([
	['member', 'create', 1],
	['admin', 'create', 0],
	['member', 'update', 0],
] as const)(
	'a hint says that a record that was read is copied with its automatic numbers: %s, %s',
	async (identity, operation, hints) => {
		const item = await read(12, identity);
		const parameters = { ...onOrder(operation, itself), ...autoMapped() };
		const { hintTexts, items } = await write(parameters, identity, item);
		expect(items).toHaveLength(1);
		const ofNumbers = hintTexts.filter((text) => text.startsWith('Automatic numbers'));
		expect(ofNumbers).toHaveLength(hints);
	},
);

it('no hint speaks of copied numbers if the values are not those of a record', async () => {
	const item = { 'Customer Number': 'C-0001', Remark: 'new' };
	const { hintTexts } = await write({ ...onOrders('create'), ...autoMapped() }, 'member', item);
	expect(hintTexts).toEqual([]);
});
