import { orders } from '../service';
import { chain, sheetRecords, type Step } from './chain';
import type { SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();

afterEach(async () => {
	testbed.service.reset();
	await testbed.editor.leave();
});

/** Returns a step with n8n's HTTP Request node and a credential of this package as its predefined credential type. */
function httpRequest(credential: SavedCredential, url: string): Step {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential.type,
			options: {},
		},
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
	};
}

describe('HTTP Request with a credential of this package as its predefined credential type', () => {
	it.each([
		{ way: 'the key in the header', isKey: true, setting: { apiKeyIn: 'header' } },
		{ way: 'the key in the query', isKey: true, setting: { apiKeyIn: 'query' } },
		{ way: 'the session in the query', isKey: false, setting: { sessionIn: 'query' } },
		{ way: 'the session in a cookie', isKey: false, setting: { sessionIn: 'cookie' } },
	])('reads a record with $way', async ({ isKey, setting }) => {
		const credential = isKey
			? await testbed.apiKey('member', setting)
			: await testbed.session('member', setting);
		const path = `/acme/${orders.path}/${orders.index}/5`;
		const url = `${testbed.service.baseUrl}${path}?api&naming=EID`;
		const call = chain('Custom call', httpRequest(credential, url));
		const execution = await testbed.run(call, credential);
		expect(execution.status).toBe('success');
		const number = testbed.service.data.record(orders, 5).text(orders.fields.orderNumber);
		expect(execution.json('HTTP Request')).toEqual([
			{ 5: expect.objectContaining({ [orders.fields.orderNumber]: number }) },
		]);
		const reads = testbed.service.requests.all().filter((request) => request.path === path);
		expect(reads.map(({ identity }) => identity)).toContain('member');
	});
});

it("'Custom API Call' in a Sheet Records node fails with advice and sends no request", async () => {
	const credential = await testbed.apiKey();
	const parameters = { operation: '__CUSTOM_API_CALL__' };
	const call = chain('Custom call', sheetRecords('Sheet Records', credential, parameters));
	const execution = await testbed.run(call, credential);
	expect(execution.status).toBe('error');
	expect(execution.error).toMatchObject({
		message: expect.stringContaining('HTTP Request'),
		description: expect.stringContaining('Predefined Credential Type'),
	});
	expect(testbed.service.requests.count).toBe(0);
});
