import { orders } from '../../service';
import { answers, files, titleOf, type StoredCase } from '../../storedFileCorpus';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { readBinary, useBinaryMode, type RunResult } from '../runner';
import { download } from './fileTestbed';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { contract } = orders.fields;
const getOrder = { ...onOrder('get', 5), options: { downloadFiles: 'Contract' } };

beforeAll(async () => await useBinaryMode('default'));
afterAll(async () => await useBinaryMode('filesystem'));

const isFileRequest = ({ path }: { path: string }) => path === '/sims/file.jsp';

/** Stores the contents of the cases, which are sent with the headers of each case. Returns the values of the files. */
function store(cases: readonly StoredCase[]): string[] {
	const { data, switches } = testbed.service;
	// A session cookie would repeat a refused download.
	switches.keyReadsOpenSession = false;
	const rows = new Map<string, StoredCase>();
	for (const row of cases) {
		const [name, content, type = ''] = row;
		rows.set(data.storeFile(name, type, Buffer.from(content, 'latin1')), row);
	}
	testbed.service.beforeRequest(({ query }) => {
		const [, value = ''] = query.find(([name]) => name === 'f') ?? [];
		const [, , type, disposition] = rows.get(value) ?? [];
		const isEncoded = disposition?.includes('filename*') === true;
		switches.fileTypes = type === undefined ? 'none' : 'exact';
		switches.fileNameForm = disposition === undefined ? 'none' : isEncoded ? 'encoded' : 'quoted';
	});
	return [...rows.keys()];
}

/** Returns each file of the first item as `name: content`, in order. */
async function contentsOf({ items }: RunResult): Promise<string[]> {
	const binaries = Object.values(items[0]?.binary ?? {});
	const read = binaries.map(async (file) => {
		return `${file.fileName}: ${(await readBinary(file)).toString('latin1')}`;
	});
	return await Promise.all(read);
}

const written = ([name, content]: StoredCase) => `${name}: ${content}`;

describe('files whose content is not what their name says', () => {
	it('File: Download returns each file byte by byte, with its name', async () => {
		const result = await testbed.run(download('={{ $json.values }}'), [{ values: store(files) }]);
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toEqual({ fileNames: files.map(([name]) => name) });
		expect(await contentsOf(result)).toEqual(files.map(written));
	});

	it('Download Files returns each file byte by byte, without a warning', async () => {
		testbed.order(5).set(contract, store(files));
		const result = await testbed.run(getOrder);
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).not.toHaveProperty('_warning');
		expect(await contentsOf(result)).toEqual(files.map(written));
	});

	it('each file has the media type that its first bytes, its answer or its name say', async () => {
		const result = await testbed.run(download('={{ $json.values }}'), [{ values: store(files) }]);
		const types = Object.values(result.items[0]?.binary ?? {}).map(({ mimeType }) => mimeType);
		const unusual = types.filter((type) => !/^[a-z]+\/[a-z\d.+-]+$/.test(type));
		expect(unusual).toEqual([]);
		const declared = files.flatMap(([, content, type], index) =>
			type === undefined ||
			type.endsWith('octet-stream') ||
			/^(%PDF|PK|GIF8|\{\\rtf|\u0089PNG|\u00ff\u00d8)/.test(content)
				? []
				: [[types[index], type]],
		);
		for (const [found, type] of declared) expect(found).toBe(type);
	});
});

describe('answers in place of a file', () => {
	it.each(answers.map((row) => ({ row, title: titleOf(row) })))(
		'File: Download fails with the name of the file and the first words: $title',
		async ({ row }) => {
			const [value] = store([row]);
			const { items, error } = await testbed.run(download(String(value)));
			expect(items).toEqual([]);
			expect(error?.message).toContain(`'${row[0]}'`);
			expect(error?.name).toBe('NodeApiError');
			const said = `${error?.message} ${error?.description}`;
			for (const word of wordsIn(row[1])) expect(said).toContain(word);
			expect(error?.description ?? '').not.toMatch(/Base URL/);
		},
	);

	it('an answer in place of a file never ends a list: each is named in the warning', async () => {
		const rows = answers.flatMap((row, index) => [row, files[index] ?? row]);
		testbed.order(5).set(contract, store(rows));
		const result = await testbed.run(getOrder);
		expect(result.error).toBeUndefined();
		expect(await contentsOf(result)).toEqual(files.slice(0, answers.length).map(written));
		const warning = String(result.items[0]?.json._warning);
		for (const [name] of answers) expect(warning).toContain(`'${name}'`);
	});

	it('a download of several values fails only if none of them came', async () => {
		const rows = [...answers.slice(0, 3), files[0], ...answers.slice(3, 6)].flatMap((row) =>
			row ? [row] : [],
		);
		const values = store(rows);
		const { items } = await testbed.run(download('={{ $json.values }}'), [{ values }]);
		expect(items).toMatchObject([{ json: { fileNames: [files[0]?.[0]] } }]);
		expect(String(items[0]?.json._warning).match(/'a\.\w+'/g)).toHaveLength(6);
		const none = store(answers.slice(0, 3));
		const result = await testbed.run(download('={{ $json.values }}'), [{ values: none }]);
		expect(result.items).toEqual([]);
		expect(result.error?.message).toContain("'a.pdf'");
	});
});

describe('refused requests for a file', () => {
	beforeEach(() => (testbed.service.switches.keyReadsOpenSession = false));

	it.each(['report.html', 'contract.pdf', 'notes.txt'])(
		'a redirect to a login page is an error that names the file: %s',
		async (name) => {
			const body = '<html><title>Log in</title><form><input type="password"></form></html>';
			testbed.inject({ kind: 'redirect', location: '/login.jsp', when: isFileRequest });
			const isLogin = ({ path }: { path: string }) => path === '/login.jsp';
			testbed.inject({
				kind: 'body',
				body,
				headers: { 'content-type': 'text/html' },
				when: isLogin,
			});
			const error = await testbed.errorOf(download(`prefix@${name}`));
			expect(error).toBe(
				`The service returned an error page instead of the file '${name}': Log in`,
			);
		},
	);

	it.each([
		{ status: 404, body: 'No such file', names: 'does not exist any more' },
		{ status: 404, body: '<html><body>Gone</body></html>', names: 'does not exist any more' },
		{ status: 403, body: 'Forbidden here', names: 'Forbidden here' },
		{ status: 403, body: '<html><body>Keep out</body></html>', names: 'Keep out' },
	])('HTTP $status with $body names the file', async ({ status, body, names }) => {
		testbed.inject({ kind: 'status', status, body, when: isFileRequest });
		const { items, error } = await testbed.run(download('prefix@a.pdf'));
		expect(items).toEqual([]);
		expect(error?.message).toContain("'a.pdf'");
		expect(`${error?.message} ${error?.description}`).toContain(names);
	});
});

/** Returns some words of an answer that a reader sees. */
function wordsIn(content: string): string[] {
	const text = Buffer.from(content, 'latin1').toString('utf8');
	if ([...text].some((character) => character < '\t')) return [];
	const [message = text] = /"(?:msg|message|error)":"([^"]+)"/.exec(text)?.slice(1) ?? [];
	const visible = message.replace(/<[^>]*>/g, ' ').match(/[\p{L}\d]+/gu) ?? [];
	return visible.slice(0, 3).map((word) => word.slice(0, 20));
}
