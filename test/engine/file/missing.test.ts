import { useRecordTestbed } from '../recordTestbed';
import { download } from './fileTestbed';

const testbed = useRecordTestbed();

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

	it('is not taken for the file because a long page came in its place', async () => {
		const body = `<html>${'x'.repeat(2_000_000)}</html>`;
		testbed.service.faults.inject({ kind: 'body', body, headers: { 'content-type': 'text/html' } });
		expect((await refusal('gone@photo.png'))?.message).toContain('web page');
	});
});
