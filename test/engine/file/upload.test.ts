import { randomBytes } from 'node:crypto';

import { orders } from '../../service';
import { useBinaryMode } from '../runner';
import { asJson, withFiles } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile, upload } from './fileTestbed';

const testbed = useRecordTestbed();
const { contract } = orders.fields;

const contracts = (id = 5) => storedFiles(testbed.service, orders, id, contract);
const orderFive = { sheet: sheet(orders), recordId: recordId(5) };
const contents = (id = 5) => contracts(id).map((file) => file?.content.toString());

afterEach(async () => await useBinaryMode('filesystem'));

describe.each(['filesystem', 'default'] as const)('with files kept in the mode %s', (mode) => {
	beforeEach(async () => await useBinaryMode(mode));

	it('a file is added, byte by byte', async () => {
		const content = randomBytes(300_000);
		const type = 'application/pdf';
		const item = await itemWithFiles({}, { data: { name: 'scan.pdf', type, content } });
		const result = await testbed.run(upload(5), [item]);
		expect(result.items).toEqual([
			{
				json: expect.objectContaining({
					_recordId: 5,
					[contract]: contracts()[0]?.value,
					_fileNames: ['scan.pdf'],
				}),
				pairedItem: { item: 0 },
			},
		]);
		expect(contracts()).toMatchObject([{ name: 'scan.pdf', mimeType: type, size: 300_000 }]);
		expect(contracts()[0]?.content.equals(content)).toBe(true);
		expect(testbed.service.requests.all()).toMatchObject([
			{ method: 'POST', rawUrl: '/acme/sales/orders/1/5?api', body: [] },
		]);
	});
});

it.each([
	['an upload', upload(5), () => contents()],
	[
		'an update',
		{ ...orderFive, operation: 'update', ...asJson({}), ...withFiles(['Contract', 'data']) },
		() => contents(),
	],
	[
		'a comment',
		{
			...orderFive,
			resource: 'comment',
			operation: 'add',
			comment: 'x',
			inputDataFieldName: 'data',
		},
		() => {
			const { data } = testbed.service;
			const [comment] = data.record(orders, 5).comments;
			return [data.files.get(comment?.attachment ?? '')?.content.toString()];
		},
	],
])('a file of a Code node needs no type: %s', async (_, parameters, stored) => {
	const data = { data: Buffer.from('A').toString('base64'), fileName: 'a.txt' };
	const result = await testbed.run(parameters, [
		JSON.parse(JSON.stringify({ json: {}, binary: { data } })),
	]);
	expect(result.error).toBeUndefined();
	expect(stored()).toEqual(['A']);
});

describe('an upload', () => {
	it('takes the name of a field, and keeps the files that it holds', async () => {
		const before = contracts(50).map((file) => file?.value);
		const item = await itemWithFiles({}, { data: textFile('b.txt') });
		const result = await testbed.run(upload(50, { fieldId: 'Contract' }), [item]);
		expect(result.error).toBeUndefined();
		expect(contracts(50).map((file) => file?.value)).toEqual([
			...before,
			expect.stringMatching(/@b\.txt$/),
		]);
	});

	it('takes several files of an item in one request, in the order of their names', async () => {
		const item = await itemWithFiles(
			{},
			{ a: textFile('a.txt', 'A'), b: textFile('b.txt', 'B'), c: textFile('c.txt', 'C') },
		);
		const result = await testbed.run(upload(5, { inputDataFieldName: 'c, a ,b' }), [item]);
		expect(result.items[0]?.json._fileNames).toEqual(['c.txt', 'a.txt', 'b.txt']);
		expect(contents()).toEqual(['C', 'A', 'B']);
		expect(testbed.service.requests.count).toBe(1);
	});

	it('sends its options, and nothing that was not chosen', async () => {
		const item = await itemWithFiles({}, { data: textFile('a.txt') });
		const options = { doValidation: true, notification: false, checkLock: true };
		await testbed.run(upload(5, { options }), [item]);
		expect(testbed.writes[0]?.rawUrl).toBe(
			'/acme/sales/orders/1/5?api&notification=false&doValidation=true&checkLock=true',
		);
	});
});

it('several items upload their own file to their own record, or fail one by one on request', async () => {
	const items = [
		await itemWithFiles({ id: 5 }, { data: textFile('a.txt', 'A') }),
		await itemWithFiles({ id: 7 }, { other: textFile('b.txt', 'B') }),
		await itemWithFiles({ id: 6 }, { data: textFile('c.txt', 'C') }),
		await itemWithFiles({ id: 99_999 }, { data: textFile('d.txt', 'D') }),
	];
	const onError = 'continueErrorOutput';
	const result = await testbed.run(upload('={{ $json.id }}'), items, { onError });
	expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
		[5, { item: 0 }],
		[6, { item: 2 }],
	]);
	expect([contents(5), contents(6)]).toEqual([['A'], ['C']]);
	expect(result.errorItems).toMatchObject([
		{ json: { error: expect.stringContaining("'data'") }, pairedItem: { item: 1 } },
		{ json: { error: expect.stringMatching(/not found/i) }, pairedItem: { item: 3 } },
	]);
});
