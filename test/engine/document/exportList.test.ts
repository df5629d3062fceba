import type { INodeParameters } from 'n8n-workflow';
import { cellsOfWorkbook, textOfLetter } from '../../documentReaders';
import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { readBinary, useBinaryMode } from '../runner';

const testbed = useRecordTestbed({ demoRecords: 60 });

afterEach(async () => await useBinaryMode('filesystem'));

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const { mailMerge: templateId } = orders.templates;

const exportList = (overrides: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'document', ...onOrders('exportList') },
	...overrides,
});
const mailMerge = (overrides: INodeParameters = {}) =>
	exportList({ format: 'mailMerge', templateId, firstRecord: 2, lastRecord: 3, ...overrides });

/** Returns the titles of the orders at these positions of the list. The first position is 1. */
function titles(from: number, to: number): string[] {
	const ids = [...testbed.orders.records.keys()];
	const inOrder = testbed.service.switches.defaultOrder === 'newestFirst' ? ids.reverse() : ids;
	return inOrder.slice(from - 1, to).map((id) => testbed.order(id).text(orders.fields.orderNumber));
}

describe('a list as a document', () => {
	it.each(['filesystem', 'default'] as const)(
		'the workbook of a list opens and contains all records, with binary data in the mode %s',
		async (mode) => {
			await useBinaryMode(mode);
			const { items, error } = await testbed.run(exportList());
			expect(error).toBeUndefined();
			const [item] = items;
			expect(item).toMatchObject({
				json: { fileName: 'Orders.xlsx', mimeType: excelType },
				pairedItem: { item: 0 },
			});
			expect(item?.binary?.data).toMatchObject({ fileName: 'Orders.xlsx', mimeType: excelType });
			const cells = cellsOfWorkbook(await readBinary(item?.binary?.data));
			const named = [...cells.values()].flat(2);
			expect(named).toEqual(expect.arrayContaining(titles(1, 60)));
			expect(testbed.readUrls).toEqual(['/acme/sales/orders/1.xlsx?api']);
		},
	);

	it('a mail merge of a list contains the records of the range', async () => {
		const { items } = await testbed.run(mailMerge({ outputDataFieldName: 'letters' }));
		expect(items).toMatchObject([{ json: { fileName: 'Orders.docx', mimeType: wordType } }]);
		const text = await textOfLetter(await readBinary(items[0]?.binary?.letters));
		expect(testbed.readUrls).toEqual([
			`/acme/sales/orders/1.custom?api&cid=${templateId}&listingMode=true&start=2&end=3`,
		]);
		for (const title of titles(2, 3)) expect(text).toContain(title);
		for (const title of [...titles(1, 1), ...titles(4, 4)]) expect(text).not.toContain(title);
	});

	it('a document of a list without a name in the header is named after the sheet', async () => {
		testbed.service.switches.fileNameForm = 'none';
		const named = [exportList(), mailMerge()].map(async (parameters) => {
			const { items } = await testbed.run(parameters);
			return items.map(({ json, binary }) => [json.fileName, binary?.data?.fileName]);
		});
		expect(await Promise.all(named)).toEqual([
			[['orders 1.xlsx', 'orders 1.xlsx']],
			[['orders 1.docx', 'orders 1.docx']],
		]);
	});

	it('documents of several items are requested one at a time, each for its item', async () => {
		const ranges = [1, 2, 3].map((position) => ({ position }));
		const position = '={{ $json.position }}';
		const parameters = mailMerge({ firstRecord: position, lastRecord: position });
		const { items } = await testbed.run(parameters, ranges);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ranges.map((_, item) => ({ item })));
		for (const [index, item] of items.entries()) {
			const text = await textOfLetter(await readBinary(item.binary?.data));
			expect(text).toContain(titles(index + 1, index + 1)[0]);
		}
	});
});

describe('a list that cannot be exported', () => {
	it.each([
		['json', 'xlsx', 'The template could not be filled in.'],
		['html', 'xlsx', 'The document could not be made.'],
		['html', 'mailMerge', 'The document could not be made.'],
		['empty', 'mailMerge', 'empty answer'],
		['http404', 'xlsx', ''],
	] as const)(
		'an answer in place of the document of a list is an error: %s for %s',
		async (documents, format, words) => {
			testbed.service.switches.documents = documents;
			const parameters = format === 'xlsx' ? exportList() : mailMerge();
			const result = await testbed.runAll(parameters);
			expect(result.items).toEqual([]);
			testbed.expectErrors(result, words);
			expect(testbed.service.requests.count).toBe(1);
		},
	);

	it.each([
		['a text', 'Come back later.'],
		['data without the words of an error', '{"rows":3}'],
		['a document of another format', '%PDF-1.7 content'],
	])('%s is not saved as the workbook of a list', async (_, body) => {
		testbed.inject({ kind: 'body', body, headers: { 'content-type': excelType } });
		const result = await testbed.runAll(exportList());
		expect(result.items).toEqual([]);
		testbed.expectErrors(result, '');
	});

	it('an unknown template is an error of its item, and other items are exported', async () => {
		const parameters = mailMerge({ templateId: '={{ $json.template }}' });
		const templates = ['999', templateId].map((template) => ({ template }));
		const result = await testbed.runAll(parameters, templates);
		testbed.expectErrors(result, ['999']);
		expect(result.items).toMatchObject([{ pairedItem: { item: 1 } }]);
	});

	it.each([
		['no template', { templateId: '' }, "'Template ID' is empty"],
		['a template that is no number', { templateId: 'x' }, "'x' is not a template ID"],
		['a position of 0', { firstRecord: 0 }, "'First Record' must be a whole number of at least 1"],
		['a fraction', { lastRecord: 2.5 }, "'Last Record' must be a whole number of at least 1"],
		['a range from behind', { lastRecord: 1 }, "'Last Record' (1) is before 'First Record' (2)"],
		['an unknown format', { format: '={{ "pdf" }}' }, "'Format'"],
	])('a list is not exported with invalid input: %s', async (_, overrides, message) => {
		expect(await testbed.errorOf(mailMerge(overrides))).toContain(message);
		expect(testbed.service.requests.count).toBe(0);
	});
});
