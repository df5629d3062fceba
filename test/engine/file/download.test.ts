import { randomBytes } from 'node:crypto';

import { orders, recipes } from '../../service';
import { readBinary, useBinaryMode } from '../runner';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { download, oddNames } from './fileTestbed';

const testbed = useRecordTestbed();

afterEach(async () => await useBinaryMode('filesystem'));

const store = (name: string, content: Buffer | string = 'content', type = 'text/plain') =>
	testbed.service.data.storeFile(name, type, Buffer.from(content));

describe.each(['filesystem', 'default'] as const)('with files kept in the mode %s', (mode) => {
	beforeEach(async () => await useBinaryMode(mode));

	it('a file arrives byte by byte, with its name and type', async () => {
		const content = randomBytes(300_000);
		const value = store('scan 1.bin', content, 'application/octet-stream');
		const result = await testbed.run(download(value));
		expect(result.items).toMatchObject([
			{ json: { fileNames: ['scan 1.bin'] }, pairedItem: { item: 0 } },
		]);
		const binary = result.items[0]?.binary?.data;
		expect(binary).toMatchObject({ fileName: 'scan 1.bin', fileExtension: 'bin' });
		expect(binary?.directory).toBeUndefined();
		expect((await readBinary(binary)).equals(content)).toBe(true);
		expect(testbed.reads.map(({ rawUrl }) => rawUrl)).toEqual([
			`/sims/file.jsp?a=acme&f=${encodeURIComponent(value)}`,
		]);
	});

	it.each([0, 1, 511, 512, 513, 65_536])('a file of %i bytes arrives', async (size) => {
		const content = randomBytes(size);
		const result = await testbed.run(download(store('a.txt', content)));
		expect(result.error).toBeUndefined();
		expect((await readBinary(result.items[0]?.binary?.data)).equals(content)).toBe(true);
	});
});

describe('the name of a file', () => {
	it.each(oddNames)('may be %j', async (name) => {
		const value = store(name);
		const result = await testbed.run(download(value));
		const fileName = name.trim();
		expect(result.items[0]?.json).toEqual({ fileNames: [fileName] });
		expect(result.items[0]?.binary?.data?.fileName).toBe(fileName);
		expect(testbed.reads.map(({ query }) => query.at(-1))).toEqual([['f', value]]);
	});

	it.each([
		['../../etc/passwd', '.._.._etc_passwd'],
		['dir\\photo.png', 'dir_photo.png'],
		['two\nlines.txt', 'two_lines.txt'],
		['txt.\u202egpj.exe', 'txt._gpj.exe'],
		['..', 'file'],
		['', 'file'],
	])('is made safe: %j', async (name, fileName) => {
		const result = await testbed.run(download(store(name)));
		expect(result.items[0]?.binary?.data?.fileName).toBe(fileName);
		expect(result.items[0]?.binary?.data?.directory).toBeUndefined();
	});

	it('is that of the field, not that of the header', async () => {
		testbed.service.switches.fileNameForm = 'none';
		const result = await testbed.run(download(store('kept.txt')));
		expect(result.items[0]?.binary?.data?.fileName).toBe('kept.txt');
	});
});

describe('the type of a file', () => {
	const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
	const big = (start: Buffer | string) => Buffer.concat([Buffer.from(start), Buffer.alloc(600)]);

	it.each([
		['a.pdf', '%PDF-1.7', 'application/octet-stream', 'application/pdf'],
		['a.dat', '%PDF-1.7', 'application/octet-stream', 'application/pdf'],
		['a.jpg', png, 'image/jpeg', 'image/png'],
		['a.zip', 'PK\u0003\u0004', '', 'application/zip'],
		[
			'a.xlsx',
			'PK\u0003\u0004',
			'application/zip',
			'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
		],
		['a.epub', 'PK\u0003\u0004', 'application/epub+zip', 'application/epub+zip'],
		['a.csv', 'a,b', 'text/csv;charset=UTF-8', 'text/csv'],
		['a.html', '<html></html>', 'application/octet-stream', 'text/html'],
		['a.mp4', 'video', 'video/mp4', 'video/mp4'],
		['a', 'unknown', 'application/octet-stream', 'application/octet-stream'],
	])('%s is found', async (name, start, said, type) => {
		const result = await testbed.run(download(store(name, big(start), said)));
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.binary?.data?.mimeType).toBe(type);
	});
});

describe('several files of one field', () => {
	it('arrive in one item, the empty element in front skipped', async () => {
		const values = ['', store('a.txt', 'A'), store('b.txt', 'B'), store('b.txt', 'C')];
		const result = await testbed.run(download('={{ $json.Photos }}'), [{ Photos: values }]);
		const [item] = result.items;
		expect(item).toMatchObject({
			json: { fileNames: ['a.txt', 'b.txt', 'b.txt'] },
			pairedItem: { item: 0 },
		});
		expect(Object.keys(item?.binary ?? {})).toEqual(['data', 'data_2', 'data_3']);
		const contents = Object.values(item?.binary ?? {}).map(async (file) => await readBinary(file));
		expect((await Promise.all(contents)).join('')).toBe('ABC');
		expect(testbed.service.requests.count).toBe(3);
	});

	it('go into the field that is named', async () => {
		const values = [store('a.txt'), store('b.txt')];
		const parameters = download('={{ $json.files }}', { outputDataFieldName: 'scan' });
		const result = await testbed.run(parameters, [{ files: values }]);
		expect(Object.keys(result.items[0]?.binary ?? {})).toEqual(['scan', 'scan_2']);
	});

	it('arrive when the array came as its JSON text', async () => {
		const values = ['', store('a.txt', 'A'), store('b.txt', 'B')];
		const files = JSON.stringify(values);
		const result = await testbed.run(download('={{ $json.files }}'), [{ json: { files } }]);
		expect(result.items[0]?.json).toEqual({ fileNames: ['a.txt', 'b.txt'] });
	});

	it.each([
		['a number among them', ['x@a.txt', 7], '7 is not the value of a file field'],
		['an object among them', ['x@a.txt', { name: 'b' }], '{"name":"b"} is not the value'],
		['a text that is half an array', '["x@a.txt"', 'is not a JSON array'],
	])('are refused with %s, before any is asked for', async (_, files, message) => {
		const result = await testbed.run(download('={{ $json.files }}'), [{ json: { files } }]);
		expect(result.error).toMatchObject({ context: { itemIndex: 0 } });
		expect(result.error?.message).toContain(message);
		expect(testbed.service.requests.count).toBe(0);
	});

	it('arrive as the record gives them', async () => {
		const values = [store('a.txt', 'A'), store('b.txt', 'B')];
		testbed.service.data.record(recipes, 0).set(recipes.fields.photos, values);
		const read = await testbed.run({
			operation: 'get',
			sheet: sheet(recipes),
			recordId: recordId(0),
			options: { fieldKeys: 'id' },
		});
		const files = read.items[0]?.json[recipes.fields.photos];
		expect(files).toEqual(['', ...values]);
		const result = await testbed.run(download('={{ $json.files }}'), [{ json: { files } }]);
		expect(result.items[0]?.json).toEqual({ fileNames: ['a.txt', 'b.txt'] });
	});

	it('fail together: no item holds only some of them', async () => {
		const values = [store('a.txt'), 'gone@b.txt'];
		const result = await testbed.run(download('={{ $json.files }}'), [{ files: values }], {
			onError: 'continueErrorOutput',
		});
		expect(result.items).toEqual([]);
		expect(result.errorItems).toHaveLength(1);
		expect(result.errorItems[0]?.binary).toBeUndefined();
	});
});

describe('several items', () => {
	it('each get their files', async () => {
		const items = ['a', 'b', 'c'].map((name) => ({ file: store(`${name}.txt`, name) }));
		const result = await testbed.run(download('={{ $json.file }}'), items);
		expect(
			result.items.map(({ binary, pairedItem }) => [binary?.data?.fileName, pairedItem]),
		).toEqual([
			['a.txt', { item: 0 }],
			['b.txt', { item: 1 }],
			['c.txt', { item: 2 }],
		]);
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'fail one by one on request: %s',
		async (onError) => {
			const items = [{ file: store('a.txt') }, { file: 'x@gone.txt' }, { file: store('c.txt') }];
			const result = await testbed.run(download('={{ $json.file }}'), items, { onError });
			const all = [...result.items, ...result.errorItems];
			const failed = all.filter(({ json }) => 'error' in json);
			expect(failed).toMatchObject([{ pairedItem: { item: 1 } }]);
			expect(failed[0]?.binary).toBeUndefined();
			expect(all.filter(({ binary }) => binary).map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 2 },
			]);
		},
	);
});

describe('a value that is none of a file', () => {
	it.each([
		['empty', '', "'File Value' is empty"],
		['an empty array', '={{ [] }}', "'File Value' is empty"],
		['an array of nothing', '={{ [""] }}', "'File Value' is empty"],
		['nothing', '={{ null }}', "'File Value' is empty"],
		['a text', 'contract.pdf', "'contract.pdf' is not the value"],
		['a text among files', '={{ ["a@b", "c"] }}', "'c' is not the value"],
	])('is refused before anything is sent: %s', async (_, fileValue, message) => {
		const result = await testbed.run(download(fileValue || '={{ "" }}'));
		expect(result.error?.message).toContain(message);
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('a contract of the orders', () => {
	it('is downloaded by the value that the record holds', async () => {
		const result = await testbed.run(
			download(testbed.service.data.record(orders, 50).text(orders.fields.contract)),
		);
		expect(result.items[0]?.json).toEqual({ fileNames: ['contract 50@acme.pdf'] });
		expect((await readBinary(result.items[0]?.binary?.data)).toString()).toContain('order 50');
	});
});
