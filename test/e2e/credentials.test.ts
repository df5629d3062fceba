import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();

afterEach(() => testbed.service.reset());

describe('the credential test after saving an API key', () => {
	it('passes for a good key', async () => {
		const credential = await testbed.apiKey();
		expect(await testbed.editor.testCredential(credential)).toMatchObject({ status: 'OK' });
		expect(testbed.service.requests.all().map(({ identity }) => identity)).toEqual(['member']);
	});

	it('reports a wrong key', async () => {
		const credential = await testbed.apiKey('member', { apiKey: 'nobody' });
		const { status, message } = await testbed.editor.testCredential(credential);
		expect([status, message]).toEqual(['Error', expect.stringMatching(/authoriz|accept/i)]);
	});
});

it('the credential test after saving a session credential logs in and passes', async () => {
	const credential = await testbed.session();
	expect(await testbed.editor.testCredential(credential)).toMatchObject({ status: 'OK' });
});

it('the editor receives a saved credential without its secrets', async () => {
	const apiKey = await testbed.apiKey();
	const session = await testbed.session();
	await testbed.editor.testCredential(session);
	for (const credential of [apiKey, session]) {
		testbed.expectNoSecrets(JSON.stringify(await testbed.editor.readCredential(credential)));
	}
});
