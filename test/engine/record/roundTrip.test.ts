import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { customers, orders, type IdentityName } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { storedValues } from './storedValues';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { fields } = orders;
const { lines } = orders.subtables;
const rowsKey = `_subtable_${lines.id}`;
/** The service's script would write into another field. */
const quiet = { doWorkflow: false };

const update: INodeParameters = {
	operation: 'update',
	sheet: sheet(orders),
	recordId: recordId('={{ $json._recordId }}'),
	...autoMapped(),
	options: quiet,
};
const create = { operation: 'create', sheet: sheet(orders), ...autoMapped(), options: quiet };

async function read(
	id: number,
	identity: IdentityName,
	more: INodeParameters = {},
): Promise<IDataObject> {
	const credentials = testbed.credentials(identity);
	const parameters = { operation: 'get', sheet: sheet(orders), recordId: recordId(id), ...more };
	const result = await testbed.run(parameters, [{}], { credentials });
	testbed.service.requests.clear();
	return result.items[0]?.json ?? {};
}

async function write(parameters: INodeParameters, identity: IdentityName, ...items: IDataObject[]) {
	return await testbed.run(parameters, items, { credentials: testbed.credentials(identity) });
}

describe.each(['admin', 'member'] as const)('a record read and changed by %s', (identity) => {
	it('is updated in the changed field and in nothing else', async () => {
		const order = testbed.service.data.record(orders, 12);
		order
			.set(fields.note, 'first')
			.set(fields.secondNote, 'second')
			.set(fields.unnamed, 'no name')
			.set(fields.workflowStamp, 'Checked')
			.set(fields.contract, testbed.service.data.storeFile('a b.pdf', 'application/pdf', pdf));
		const before = storedValues(order);
		const item = await read(12, identity);
		const result = await write(update, identity, { ...item, Remark: 'changed' });
		expect(result.error).toBeUndefined();
		expect(storedValues(testbed.service.data.record(orders, 12))).toEqual({
			...before,
			[fields.remark]: 'changed',
		});
		expect(result.hints).toHaveLength(1);
		for (const name of ['Internal Margin', 'Description', 'Contract', 'Workflow Stamp'])
			expect(result.hints[0]?.message).toContain(`'${name}'`);
	});

	it('keeps its duplicate and unnamed fields apart', async () => {
		const item = await read(12, identity);
		const changes = { Note: 'new first', Note2: 'new second', 1: 'new third' };
		const result = await write(update, identity, { ...item, ...changes });
		expect(result.error).toBeUndefined();
		const order = testbed.service.data.record(orders, 12);
		expect([fields.note, fields.secondNote, fields.unnamed].map((id) => order.text(id))).toEqual([
			'new first',
			'new second',
			'new third',
		]);
	});

	it('keeps a text that holds markup of its own', async () => {
		const item = await read(12, identity);
		const html = '<b>urgent</b> &amp; fragile';
		testbed.service.data.record(orders, 12).set(fields.remark, 'a < b & <i>c</i>');
		const result = await write(update, identity, { ...item, Remark: html });
		expect(result.error).toBeUndefined();
		expect(testbed.service.data.record(orders, 12).text(fields.remark)).toBe(html);
	});

	it('takes raw markup that was read as such', async () => {
		const item = await read(12, identity, { options: { bbcode: true } });
		const Description = '[b]Handle with extreme care[/b]\nSee <label>';
		const result = await write(update, identity, { ...item, Description });
		expect(result.error).toBeUndefined();
		expect(testbed.service.data.record(orders, 12).text(fields.description)).toBe(Description);
		expect(result.hints[0]?.message).not.toContain('Description');
	});

	it('becomes a new record with rows of its own', async () => {
		const before = JSON.stringify(storedValues(testbed.service.data.record(orders, 15)));
		const { 'Order Number': number, ...item } = await read(15, identity);
		expect(number).toBe('SO-00015');
		const result = await write(create, identity, item);
		expect(result.error).toBeUndefined();
		const rows = Object.keys(Object(testbed.writes[0]?.body)[rowsKey]);
		expect(rows).toEqual(['-1', '-2', '-3']);
		const source = testbed.service.data.record(orders, 15);
		const made = testbed.service.data.record(orders, Number(result.items[0]?.json._recordId));
		const articles = (record: typeof made) =>
			[...record.rows(lines.id).values()].map((row) => row.get(lines.fields.article));
		expect(articles(made)).toEqual(articles(source));
		expect(JSON.stringify(storedValues(source))).toBe(before);
	});
});

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

it('reads with comments, history and the rest are taken as they are', async () => {
	const options = Object.fromEntries(
		['comment', 'history', 'approval', 'conversation', 'info'].map((name) => [name, true]),
	);
	for (const simplify of [true, false]) {
		const before = storedValues(testbed.service.data.record(orders, 1));
		const item = await read(1, 'admin', { options, simplify });
		const result = await write({ ...update, recordId: recordId(1) }, 'admin', item);
		expect(result.error).toBeUndefined();
		expect(storedValues(testbed.service.data.record(orders, 1))).toEqual(before);
	}
});

it('what was left out of many items is told once, by name', async () => {
	const items = [await read(12, 'admin'), await read(8, 'admin'), await read(16, 'admin')];
	const result = await write(update, 'admin', ...items);
	expect(result.items).toHaveLength(3);
	expect(result.hints).toEqual([
		{
			type: 'info',
			location: 'outputPane',
			message:
				"Left out of what was written: 'Order Number', 'Total', 'Shipping Label' (filled in by the service), 'Internal Margin' (masked), 'Description' (rich text as HTML; read it with 'Raw Markup' to write it back).",
		},
	]);
});

it('a masked value is left out although its field is one of any text', async () => {
	const result = await write({ ...update, recordId: recordId(12) }, 'member', {
		[fields.internalMargin]: '****',
		[fields.remark]: 'x',
	});
	expect(result.error).toBeUndefined();
	expect(testbed.writes.map(({ body }) => body)).toEqual([{ [fields.remark]: 'x' }]);
});

it('the e-mail address of a record is no file', async () => {
	const parameters = { sheet: sheet(customers), recordId: recordId('={{ $json._recordId }}') };
	const item = { _recordId: 3, 'E-mail': 'new@customer.example' };
	const result = await write({ ...update, ...parameters }, 'member', item);
	expect(result.error).toBeUndefined();
	expect(testbed.service.data.record(customers, 3).text(customers.fields.email)).toBe(
		'new@customer.example',
	);
});

describe('fields that were named to be ignored', () => {
	it.each([
		['by name', ['Remark', 'Status']],
		['by id', [fields.remark, fields.status]],
		['in a text', 'Remark, Status'],
		['by the name of a read', ['Remark', 'Status', 'Note2', '1']],
	])('%s are left out, and not told', async (_, ignoreFields) => {
		const item = await read(12, 'admin');
		const values = { ...item, Remark: 'x', Status: 'y', City: 'Ulm' };
		const options = { ...quiet, ignoreFields };
		const result = await write({ ...update, options }, 'admin', values);
		expect(result.error).toBeUndefined();
		const body = Object(testbed.writes[0]?.body);
		expect(body).toMatchObject({ [fields.city]: 'Ulm' });
		expect(body).not.toHaveProperty(fields.remark);
		expect(body).not.toHaveProperty(fields.status);
		expect(result.hints[0]?.message).not.toContain('Remark');
	});

	it('by name are left out of items by id as well, and need no field of the sheet', async () => {
		const options = { ...quiet, ignoreFields: ['Remark', 'Colour'] };
		const item = { _recordId: 12, [fields.remark]: 'x', [fields.city]: 'Ulm', Colour: 'red' };
		const result = await write({ ...update, options }, 'member', item);
		expect(result.error).toBeUndefined();
		expect(testbed.writes[0]?.body).toEqual({ [fields.city]: 'Ulm' });
	});
});

describe('keys that the sheet does not have', () => {
	const item = { _recordId: 12, Remark: 'x', Colour: 'red', Size: 5 };

	it('are an error unless they are to be ignored', async () => {
		const refused = await write(update, 'member', item);
		expect(refused.error?.message).toContain("'Colour' is not a field");
		const options = { ...quiet, unknownFields: 'error' };
		expect((await write({ ...update, options }, 'member', item)).error).toBeDefined();
		expect(testbed.writes).toEqual([]);
	});

	it.each([
		['Map Automatically', autoMapped()],
		['JSON', { inputMode: 'json', recordJson: '={{ $json }}' }],
	])('are left out and told with %s', async (_, input) => {
		const options = { ...quiet, unknownFields: 'ignore' };
		const result = await write({ ...update, ...input, options }, 'member', item);
		expect(result.error).toBeUndefined();
		expect(testbed.writes[0]?.body).toEqual({ [fields.remark]: 'x' });
		expect(result.hints.map(({ message }) => message)).toEqual([
			"Left out of what was written: 'Colour', 'Size' (not a field of the sheet).",
		]);
	});

	it('that several fields have are an error all the same', async () => {
		const options = { ...quiet, unknownFields: 'ignore' };
		const result = await write({ ...update, recordId: recordId(12), options }, 'member', {
			Note: 'x',
		});
		expect(result.error?.message).toContain('is the name of 2 fields');
	});
});
