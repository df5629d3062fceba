import { useRecordTestbed } from '../recordTestbed';
import { readBinary } from '../runner';
import { download } from './fileTestbed';

const testbed = useRecordTestbed();

const store = (name: string, content: string, type: string) =>
	testbed.service.data.storeFile(name, type, Buffer.from(content));

// With a cookie from a read, what is refused would be asked for once more.
beforeEach(() => (testbed.service.switches.keyReadsOpenSession = false));

async function refusal(fileValue: string, requests = 1) {
	const result = await testbed.run(download(fileValue));
	expect(result.status).toBe('error');
	expect(result.items).toEqual([]);
	const asked = testbed.reads.filter(({ path }) => path === '/sims/file.jsp');
	expect(asked).toHaveLength(requests);
	return result.error;
}

describe('a missing file', () => {
	it.each([
		['http404', 'contract.pdf'],
		['blankImage', 'photo.gif'],
		['text', 'contract.pdf'],
	] as const)('is an error: %s', async (missingFile, name) => {
		testbed.service.switches.missingFile = missingFile;
		const error = await refusal(`gone@${name}`);
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		if (missingFile === 'text') expect(error?.description).toContain('File not found.');
		if (missingFile === 'blankImage') expect(error?.description).toMatch(/may not exist/);
	});

	it.each([
		['{"status":"ERROR","code":404,"msg":"No such file"}', 'application/json', 'No such file'],
		['<html><title>Oops</title></html>', 'text/html', 'web page'],
		['File not found.', 'application/octet-stream', 'something else'],
		['', 'image/png', 'empty answer'],
	])('may be answered by %s as %s', async (body, type, message) => {
		const headers = { 'content-type': type };
		testbed.service.faults.inject({ kind: 'body', body, headers });
		expect((await refusal('gone@photo.png'))?.message).toContain(message);
	});

	it('is not taken for the file because a long page came in its place', async () => {
		const body = `<html>${'x'.repeat(2_000_000)}</html>`;
		testbed.service.faults.inject({ kind: 'body', body, headers: { 'content-type': 'text/html' } });
		expect((await refusal('gone@photo.png'))?.message).toContain('web page');
	});
});

it.each(['key.pem', 'orders.edi', 'a.py', 'subs.vtt', 'a.txt'])(
	'a file that looks like an answer is still one: %s',
	async (name) => {
		testbed.service.switches.fileNameForm = 'none';
		const content = 'File not found.';
		const result = await testbed.run(download(store(name, content, 'text/plain')));
		expect((await readBinary(result.items[0]?.binary?.data)).toString()).toBe(content);
	},
);
