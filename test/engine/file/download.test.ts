import { randomBytes } from 'node:crypto';
import { recipes, siteVisits } from '../../service';
import { readBinary, useBinaryMode } from '../runner';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { download } from './fileTestbed';

const testbed = useRecordTestbed();

afterEach(async () => await useBinaryMode('filesystem'));

const store = (name: string, content: Buffer | string = 'content', type = 'text/plain') =>
	testbed.service.data.storeFile(name, type, Buffer.from(content));

describe.each(['filesystem', 'default'] as const)('binary data in the mode %s', (mode) => {
	beforeEach(async () => await useBinaryMode(mode));

	it('a file arrives unchanged, with its name and type', async () => {
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
		expect(testbed.readUrls).toEqual([`/sims/file.jsp?a=acme&f=${encodeURIComponent(value)}`]);
	});
});

describe('several files of one field', () => {
	it('several files of one field arrive in one item, without the empty element in front', async () => {
		const values = ['', store('a.txt', 'A'), store('b.txt', 'B'), store('b.txt', 'C')];
		const parameters = download('={{ $json.Photos }}', { outputDataFieldName: 'scan' });
		const result = await testbed.run(parameters, [{ Photos: values }]);
		const [item] = result.items;
		expect(item).toMatchObject({
			json: { fileNames: ['a.txt', 'b.txt', 'b.txt'] },
			pairedItem: { item: 0 },
		});
		expect(Object.keys(item?.binary ?? {})).toEqual(['scan', 'scan_2', 'scan_3']);
		const contents = Object.values(item?.binary ?? {}).map(async (file) => await readBinary(file));
		expect((await Promise.all(contents)).join('')).toBe('ABC');
		expect(testbed.service.requests.count).toBe(3);
	});

	it('several files may be given as a JSON text', async () => {
		const values = JSON.stringify([store('a.txt', 'A'), store('b.txt', 'B')]);
		const { json } = await testbed.run(download(values));
		expect(json).toEqual([{ fileNames: ['a.txt', 'b.txt'] }]);
	});

	it('a file that cannot be downloaded is named in the warning, and the others arrive', async () => {
		const values = [store('a.txt', 'A'), 'gone@b.txt', store('c.txt', 'C')];
		const { items } = await testbed.runAll(download('={{ $json.files }}'), [{ files: values }]);
		expect(items).toMatchObject([
			{
				json: {
					fileNames: ['a.txt', 'c.txt'],
					_warning: "The file 'b.txt' does not exist any more.",
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data', 'data_3']);
	});

	it('a file keeps its place among the files if the first one cannot be downloaded', async () => {
		const files = ['gone@a.txt', store('b.txt', 'B'), store('c.txt', 'C')];
		const { items } = await testbed.run(download('={{ $json.files }}'), [{ files }]);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data_2', 'data_3']);
	});

	it('a download of several files fails if none of them can be downloaded', async () => {
		const error = await testbed.errorOf(download('={{ ["gone@a.txt", "gone@b.txt"] }}'));
		expect(error).toBe("The file 'a.txt' does not exist any more");
	});

	it.each([0, 1, 2])(
		'an object at place %d of the list is rejected, and nothing is sent',
		async (at) => {
			const files: unknown[] = ['x@a.txt', 'x@b.txt'];
			files.splice(at, 0, { value: 'x@c.txt' });
			const { error } = await testbed.run(download('={{ $json.files }}'), [{ files }]);
			expect(error?.message).toMatch(/^'File Value' needs a text, but .* an object/);
			expect(testbed.reads).toEqual([]);
		},
	);

	it('an image of rich text is downloaded by its value without a prefix', async () => {
		const name = '_clipboard1700000000000.png';
		const body = Buffer.from('\u0089PNG\r\n\u001a\n an image', 'latin1');
		testbed.inject({ kind: 'body', body, headers: { 'content-type': 'image/png' } });
		const { items } = await testbed.run(download(name));
		expect((await readBinary(items[0]?.binary?.data)).equals(body)).toBe(true);
		expect(testbed.readUrls).toEqual([`/sims/file.jsp?a=acme&f=${name}`]);
	});
});

describe('all files of a field', () => {
	const byField = (fieldId: string, more = {}) => ({
		...{ resource: 'file', operation: 'download', downloadBy: 'field' },
		...{ sheet: sheet(recipes), recordId: recordId(0), fieldId, ...more },
	});

	it.each(['Fotos', recipes.fields.photos])(
		'the files of a field arrive by its name or its ID: %s',
		async (fieldId) => {
			const values = [store('a.txt', 'A'), store('b.txt', 'B')];
			testbed.service.data.record(recipes, 0).set(recipes.fields.photos, values);
			const result = await testbed.run(byField(fieldId, { outputDataFieldName: 'photo' }));
			expect(result.items).toMatchObject([{ json: { fileNames: ['a.txt', 'b.txt'] } }]);
			expect(Object.keys(result.items[0]?.binary ?? {})).toEqual(['photo', 'photo_2']);
		},
	);

	it('an image of rich text, whose value has no prefix, arrives by record and field', async () => {
		const name = '_clipboard1700000000000.png';
		const body = Buffer.from('\u0089PNG\r\n\u001a\n an image', 'latin1');
		testbed.service.data.record(recipes, 0).set(recipes.fields.photos, [name]);
		testbed.inject({ kind: 'body', body, when: ({ path }) => path === '/sims/file.jsp' });
		const { items } = await testbed.run(byField('Fotos'));
		expect(items).toMatchObject([{ json: { fileNames: [name] } }]);
		expect((await readBinary(items[0]?.binary?.data)).equals(body)).toBe(true);
	});

	it('the files of a field of a row arrive', async () => {
		const { photos } = siteVisits.subtables;
		const rows = testbed.service.data.record(siteVisits, 5).rows(photos.id);
		const [rowId, row] = [...rows][0] ?? [];
		row?.set(photos.fields.photo, store('row.txt'));
		const of = { sheet: sheet(siteVisits), recordId: recordId(5) };
		const result = await testbed.run(byField(`Photo_${rowId}`, of));
		expect(result.items).toMatchObject([{ json: { fileNames: ['row.txt'] } }]);
		expect(await testbed.errorOf(byField('Photo_77777', of))).toContain('There is no row 77777');
	});

	it.each([
		{
			description: 'an empty field',
			fieldId: 'Fotos',
			more: {},
			message: "The field 'Fotos' of record 0 contains no file",
		},
		{
			description: 'another field',
			fieldId: recipes.fields.title,
			more: {},
			message: "The field 'Titel' of record 0 contains no file, but 'Gazpacho'",
		},
		{
			description: 'an unknown field',
			fieldId: 'Photos',
			more: {},
			message: "'Photos' in 'Field Name or ID' is not a field",
		},
		{
			description: 'no record',
			fieldId: recipes.fields.photos,
			more: { recordId: recordId(999) },
			message: 'no record 999',
		},
	])('a download by field is rejected: $description', async ({ fieldId, more, message }) => {
		testbed.service.data.record(recipes, 0).set(recipes.fields.photos, []);
		expect(await testbed.errorOf(byField(fieldId, more))).toContain(message);
	});
});

async function refusal(fileValue: string) {
	const result = await testbed.run(download(fileValue));
	expect(result.status).toBe('error');
	expect(result.items).toEqual([]);
	const downloads = testbed.reads.filter(({ path }) => path === '/sims/file.jsp');
	expect(downloads).toHaveLength(1);
	return result.error;
}

it('a text that is no file value is rejected with the name of its parameter', async () => {
	const error = await testbed.errorOf(download('see the contract'));
	expect(error).toBe("'see the contract' in 'File Value' is not the value of a file field");
	expect(testbed.service.requests.count).toBe(0);
});

describe('a missing file', () => {
	// A session cookie would repeat the rejected download.
	beforeEach(() => (testbed.service.switches.keyReadsOpenSession = false));

	it.each([
		['http404', 'contract.pdf'],
		['blankImage', 'photo.gif'],
		['text', 'contract.pdf'],
	] as const)('a missing file is an error: %s', async (missingFile, name) => {
		testbed.service.switches.missingFile = missingFile;
		const error = await refusal(`gone@${name}`);
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		if (missingFile === 'text') expect(error?.description).toContain('File not found.');
		if (missingFile === 'blankImage') expect(error?.description).toContain('may have been deleted');
	});

	it('a long web page in place of a missing file is not accepted as the file', async () => {
		const body = `<html>${'x'.repeat(2_000_000)}</html>`;
		testbed.inject({ kind: 'body', body, headers: { 'content-type': 'text/html' } });
		expect((await refusal('gone@photo.png'))?.message).toContain(
			"The service returned an error page instead of the file 'photo.png': xxx",
		);
	});
});

it('a web page with status 404 in place of a file is reported as a missing file', async () => {
	testbed.inject({ kind: 'status', status: 404, body: '<html><body>Not found</body></html>' });
	expect(await testbed.errorOf(download(store('a.bin')))).toBe(
		"The file 'a.bin' does not exist any more",
	);
});
