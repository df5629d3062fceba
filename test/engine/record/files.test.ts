import { randomBytes } from 'node:crypto';
import { orders } from '../../service';
import { useBinaryMode } from '../runner';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile, type TestFile } from './filesOnItem';
import { asJson, autoMapped, filesOption, withFiles } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

const create = onOrders('create');
const required = asJson({ [fields.customerNumber]: 'C-0001' });

const contracts = (id: number) => storedFiles(testbed.service, orders, id, fields.contract);

/** Content that every text encoding would change. */
const bytes = randomBytes(300_000);

afterEach(async () => await useBinaryMode('filesystem'));

async function createWith(files: TestFile[]) {
	const items = await Promise.all(files.map((data) => itemWithFiles({}, { data })));
	const parameters = { ...create, ...required, ...withFiles([fields.contract, 'data']) };
	const result = await testbed.runById(parameters, items);
	expect(result.links).toEqual(files.map((_, item) => ({ item })));
	return files.map((_, index) => contracts(301 + index));
}

it.each(['filesystem', 'default'] as const)(
	'files in the mode %s are uploaded unchanged, with their name and type, in one multipart request',
	async (mode) => {
		await useBinaryMode(mode);
		const scan = { name: 'scan.pdf', type: 'application/pdf', content: bytes };
		const contents = [bytes, ...[0, 1, 65_536].map((size) => bytes.subarray(0, size))];
		const stored = await createWith(contents.map((content) => ({ ...scan, content })));
		for (const [index, files] of stored.entries()) {
			expect(files).toMatchObject([{ name: 'scan.pdf', mimeType: 'application/pdf' }]);
			expect(files[0]?.content.equals(contents[index] ?? bytes)).toBe(true);
		}
		const [first] = testbed.writes;
		expect(testbed.writes).toHaveLength(4);
		expect(first?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
		expect(first?.headers['content-length']).toMatch(/^\d+$/);
		expect(first?.body).toEqual([[fields.customerNumber, 'C-0001']]);
	},
);

it('files nested in the fields of an item are found by their path', async () => {
	const item = await itemWithFiles({ 'Customer Number': 'C-0001' }, { data: textFile('a.txt') });
	const parameters = { ...create, ...autoMapped(), ...withFiles([fields.contract, '_files.data']) };
	await testbed.runById(parameters, [item], { binaryMode: 'combined' });
	// The files are not sent as values of the record.
	expect(testbed.writes[0]?.body).toEqual([[fields.customerNumber, 'C-0001']]);
	expect(contracts(301)[0]?.content.toString()).toBe('Content of a.txt');
});

it('rows, deletions, selections and cleared fields are sent as form fields together with files', async () => {
	const record = testbed.order(11);
	const [firstRow, secondRow] = record.rows(lines.id).keys();
	const changed = { _rowId: firstRow, Quantity: 7 };
	const added = { Article: 'with file', Quantity: 1 };
	const item = {
		...{ Tags: ['Gift', 'Repeat, large'], Remark: '', Express: true },
		...{ [`_subtable_${lines.id}`]: [changed, added], [`_DELSUB_${lines.id}`]: [secondRow] },
	};
	const options = { ...filesOption(['Contract', 'data']), clearEmpty: true };
	const result = await testbed.runById({ ...onOrder('update', 11), ...autoMapped(), options }, [
		await itemWithFiles(item, { data: textFile('contract.txt') }),
	]);
	expect(result.status).toBe('success');
	expect(testbed.writes[0]?.body).toEqual([
		[fields.tags, 'Gift'],
		[fields.tags, 'Repeat, large'],
		[fields.remark, ''],
		[fields.express, 'Yes'],
		[`${lines.fields.quantity}_${firstRow}`, '7'],
		[`${lines.fields.article}_-1`, 'with file'],
		[`${lines.fields.quantity}_-1`, '1'],
		[`DELSUB_${lines.id}`, String(secondRow)],
	]);
	expect(record.value(fields.tags)).toEqual(['Gift', 'Repeat, large']);
	expect([record.text(fields.remark), record.text(fields.express)]).toEqual(['', 'Yes']);
	const rows = record.rows(lines.id);
	expect(rows.get(firstRow ?? 0)?.get(lines.fields.quantity)).toBe('7');
	expect(rows.has(secondRow ?? 0)).toBe(false);
	expect([...rows.values()].at(-1)?.get(lines.fields.article)).toBe('with file');
});

it('a missing file is an error before anything is sent, which lists the files of the item', async () => {
	const withContract = { ...create, ...required, ...withFiles([fields.contract, 'data']) };
	const files = { photo: textFile('photo.txt'), scan: textFile('scan.txt') };
	for (const [binaryMode, names] of [
		['separate', /photo, scan/],
		['combined', /such as _files.data/],
	] as const) {
		const items = [await itemWithFiles({}, files)];
		const result = await testbed.runById(withContract, items, { binaryMode });
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'data'"),
			description: expect.stringMatching(names),
			context: { itemIndex: 0 },
		});
	}
	expect(testbed.writes).toEqual([]);
});

it('a field that accepts no files rejects an upload, and nothing is created', async () => {
	const parameters = { ...create, ...required, ...withFiles([fields.remark, 'data']) };
	const item = await itemWithFiles({}, { data: textFile('a.txt') });
	expect((await testbed.runById(parameters, [item])).error?.message).toContain('takes no file');
	expect(testbed.orders.records.size).toBe(300);
});

it('a file with an empty name is sent under the name of its input data field', async () => {
	const [files] = await createWith([{ ...textFile('x.txt'), name: '' }]);
	expect(files).toMatchObject([{ name: 'data', mimeType: 'text/plain' }]);
});
