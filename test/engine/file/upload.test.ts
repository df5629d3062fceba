import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile, upload } from './fileTestbed';

const testbed = useRecordTestbed();
const { contract } = orders.fields;

const contracts = (id = 5) => storedFiles(testbed.service, orders, id, contract);
const contents = (id = 5) => contracts(id).map((file) => file?.content.toString());

describe('an upload', () => {
	it('an upload accepts the name of a field, and keeps its files', async () => {
		const before = contracts(50).map((file) => file?.value);
		const item = await itemWithFiles({}, { data: textFile('b.txt') });
		const result = await testbed.runById(upload(50, { fieldId: 'Contract' }), [item]);
		expect(result.error).toBeUndefined();
		expect(contracts(50).map((file) => file?.value)).toEqual([
			...before,
			expect.stringMatching(/@b\.txt$/),
		]);
	});

	it.each([
		['a name', { fileName: 5 }, '5'],
		['a type', { mimeType: true }, 'a.txt'],
		['a name', { fileName: { name: 'x' } }, 'data'],
	])('an upload accepts %s that is no text: %j', async (_, overrides, name) => {
		const data = { data: Buffer.from('A').toString('base64'), fileName: 'a.txt', ...overrides };
		const item = JSON.parse(JSON.stringify({ json: {}, binary: { data } }));
		const result = await testbed.runById(upload(5), [item]);
		expect(result.json).toMatchObject([{ _fileNames: [name] }]);
		expect(contents()).toEqual(['A']);
	});

	it('an upload sends several files of an item in one request, in the order of their names', async () => {
		const item = await itemWithFiles(
			{},
			{ a: textFile('a.txt', 'A'), b: textFile('b.txt', 'B'), c: textFile('c.txt', 'C') },
		);
		const result = await testbed.runById(upload(5, { inputDataFieldName: 'c, a ,b' }), [item]);
		expect(result.json[0]?._fileNames).toEqual(['c.txt', 'a.txt', 'b.txt']);
		expect(contents()).toEqual(['C', 'A', 'B']);
		expect(testbed.service.requests.count).toBe(1);
	});

	it('an upload of a file of a Code node needs no type', async () => {
		const data = { data: Buffer.from('A').toString('base64'), fileName: 'a.txt' };
		const item = JSON.parse(JSON.stringify({ json: {}, binary: { data } }));
		expect((await testbed.runById(upload(5), [item])).error).toBeUndefined();
		expect(contents()).toEqual(['A']);
	});

	it.each([{ fileName: 'a.txt' }, { data: 5 }, 'text'])(
		'a file of a Code node without content is rejected: %j',
		async (data) => {
			const item = JSON.parse(JSON.stringify({ json: {}, binary: { data } }));
			const message = "The file in the input data field 'data' has no content";
			await testbed.expectRefused(upload(5), [item], message);
		},
	);

	it('an upload sends the chosen options only', async () => {
		const item = await itemWithFiles({}, { data: textFile('a.txt') });
		const options = { doValidation: true, notification: false, checkLock: true };
		await testbed.runById(upload(5, { options }), [item]);
		expect(testbed.writes[0]?.rawUrl).toBe(
			'/acme/sales/orders/1/5?api&notification=false&doValidation=true&checkLock=true',
		);
	});
});

describe('an upload whose answer shows the saved record', () => {
	it.each([
		{ saved: { [contract]: '' }, isLost: true },
		{ saved: { [contract]: [''] }, isLost: true },
		{ saved: { [orders.fields.remark]: 'x' }, isLost: false },
		{ saved: { [contract]: ['', 'abc@A_1.txt'] }, isLost: false },
		{ saved: {}, isLost: false },
		{ fileNames: ['a', 'b'], saved: { [contract]: 'abc@a' }, isLost: true },
		{ fileNames: ['a', 'b'], saved: { [contract]: ['abc@a', 'def@b'] }, isLost: false },
	])('lost files have a _warning: $saved', async ({ fileNames = ['a 1.txt'], saved, isLost }) => {
		const answer = { status: 'SUCCESS', rv: '', svcId: 5, data: saved };
		const when = ({ method }: { method: string }) => method === 'POST';
		testbed.inject({ kind: 'body', body: JSON.stringify(answer), when });
		const files = Object.fromEntries(fileNames.map((name, at) => [`file${at}`, textFile(name)]));
		const inputDataFieldName = Object.keys(files).join();
		const item = await itemWithFiles({}, files);
		const result = await testbed.runById(upload(5, { inputDataFieldName }), [item]);
		expect(result.json[0]?._warning).toBe(
			isLost ? "Check what was saved: 'Contract' (not saved as sent)." : undefined,
		);
	});
});
