import { useRecordTestbed } from '../recordTestbed';
import { readBinary } from '../runner';
import { download } from './fileTestbed';

const testbed = useRecordTestbed();

const store = (name: string, content: string, type: string) =>
	testbed.service.data.storeFile(name, type, Buffer.from(content));

async function refusal(fileValue: string, requests = 1) {
	const result = await testbed.run(download(fileValue));
	expect(result.status).toBe('error');
	expect(result.items).toEqual([]);
	const asked = testbed.reads.filter(({ path }) => path === '/sims/file.jsp');
	expect(asked).toHaveLength(requests);
	return result.error;
}

describe('a missing file', () => {
	it.each(['http404', 'blankImage', 'text'] as const)('is an error: %s', async (missingFile) => {
		testbed.service.switches.missingFile = missingFile;
		const error = await refusal('gone@contract.pdf');
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

	it('may be answered by code 106, which is asked about once more', async () => {
		const body = '{"status":"ERROR","code":106,"msg":"Not yours"}';
		const headers = { 'content-type': 'image/png' };
		testbed.service.faults.inject({ kind: 'body', body, headers, times: 2 });
		expect((await refusal('gone@photo.png', 2))?.message).toContain('Not yours');
	});

	it('may be answered by nothing at all', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 204 });
		expect((await refusal('gone@photo.png'))?.message).toContain('empty answer');
	});

	it('is not taken for the file because a long page came in its place', async () => {
		const body = `<html>${'x'.repeat(2_000_000)}</html>`;
		testbed.service.faults.inject({ kind: 'body', body, headers: { 'content-type': 'text/html' } });
		expect((await refusal('gone@photo.png'))?.message).toContain('web page');
	});
});

describe('a file that looks like an answer', () => {
	const refusalText = '{"status":"ERROR","code":404,"msg":"No such file"}';

	it.each([
		['a.json', refusalText, 'application/json'],
		['a.txt', 'File not found.', 'text/plain'],
		['a.html', '<!DOCTYPE html><title>Home</title>', 'text/html'],
	])('is still a file: %s with %j as %s', async (name, content, type) => {
		const result = await testbed.run(download(store(name, content, type)));
		expect(result.error).toBeUndefined();
		expect((await readBinary(result.items[0]?.binary?.data)).toString()).toBe(content);
	});

	it('needs no name in the header', async () => {
		testbed.service.switches.fileNameForm = 'none';
		const content = 'print(1)\n'.repeat(100);
		const result = await testbed.run(download(store('a.py', content, 'text/plain')));
		expect((await readBinary(result.items[0]?.binary?.data)).toString()).toBe(content);
	});
});
