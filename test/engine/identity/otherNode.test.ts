import type { IExecuteFunctions, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';
import { useRecordTestbed } from '../recordTestbed';
import { packageTypes, runNode } from '../runner';
import { nodeType } from '../runner/builtIn';

const testbed = useRecordTestbed();
const elsewhere = useRecordTestbed({ demoRecords: 10 });

const ways = [
	['sheetRecordsApi', { apiKeyIn: 'header' }],
	['sheetRecordsApi', { apiKeyIn: 'query' }],
	['sheetRecordsSessionApi', { sessionIn: 'query' }],
	['sheetRecordsSessionApi', { sessionIn: 'cookie' }],
] as const;

/** Sends a request from another node, such as HTTP Request, with a credential of this package. */
async function call(type: string, overrides: INodeParameters, request: IHttpRequestOptions) {
	const types = await packageTypes();
	const calling = nodeType(
		'Calling',
		async function (this: IExecuteFunctions) {
			const { httpRequestWithAuthentication, returnJsonArray } = this.helpers;
			const answer: unknown = await httpRequestWithAuthentication.call(this, type, { ...request });
			return [returnJsonArray({ answer: JSON.stringify(answer) })];
		},
		{ credentials: [{ name: type, required: true }] },
	);
	const credentials =
		type === 'sheetRecordsApi'
			? testbed.credentials('member', overrides)
			: testbed.sessionCredentials('member', overrides);
	const result = await runNode({
		node: 'test.calling',
		parameters: {},
		types: types.with({ nodes: { 'test.calling': calling } }),
		credentials,
	});
	testbed.expectNoSecrets(result);
	return result;
}

describe.each(ways)('%s %j in a node of another package', (type, overrides) => {
	const address = '/acme/sales/orders/1/1?api';

	it('a credential in another node authenticates at its own service', async () => {
		const result = await call(type, overrides, { url: `${testbed.service.baseUrl}${address}` });
		expect(result.status).toBe('success');
		expect(testbed.service.requests.all().at(-1)?.identity).toBe('member');
	});

	it('a credential in another node is not sent to another host, however the host is spelled', async () => {
		const { baseUrl } = testbed.service;
		const host = elsewhere.service.baseUrl.replace('https://', '');
		const requests: IHttpRequestOptions[] = [
			{ url: `${elsewhere.service.baseUrl}${address}` },
			{ baseURL: elsewhere.service.baseUrl, url: address },
			{ baseURL: baseUrl, url: `//${host}${address}` },
			{ url: `${baseUrl}@${host}${address}` },
			{ url: baseUrl.replace('localhost', '127.0.0.1') },
			{ url: baseUrl.replace('https:', 'http:') },
		];
		// All ways share the code that checks the spelling of the host, so only the first way tests all of them.
		for (const request of overrides === ways[0][1] ? requests : requests.slice(0, 2)) {
			const result = await call(type, overrides, request);
			expect([request, result.error?.message]).toEqual([
				request,
				expect.stringMatching(/another host|Base URL/),
			]);
		}
		expect(elsewhere.service.requests.count).toBe(0);
		const beyondLogin = testbed.service.requests.all().filter(({ path }) => path !== '/AUTH');
		expect(beyondLogin.filter(({ identity }) => identity !== undefined)).toEqual([]);
	});

	it.each([302, 307])(
		'a credential in another node is not sent to the target of a redirect, status %s',
		async (status) => {
			testbed.inject({
				kind: 'redirect',
				status,
				location: `${elsewhere.service.baseUrl}${address}`,
				when: ({ path }) => path !== '/AUTH',
			});
			await call(type, overrides, { url: `${testbed.service.baseUrl}${address}` });
			const sentOn = testbed.service.requests.all().filter((request) => request.status === status);
			expect(sentOn.map(({ identity }) => identity)).toEqual(['member']);
			const [{ rawUrl, headers, identity } = {}, ...rest] = elsewhere.service.requests.all();
			expect(rest).toEqual([]);
			expect(identity).toBeUndefined();
			expect(headers).not.toHaveProperty('authorization');
			expect(headers).not.toHaveProperty('cookie');
			expect(rawUrl).not.toMatch(/sid=|APIKey=|[?&]p=/i);
		},
	);
});

it('a failed login does not show the password, even if the service repeats it', async () => {
	const { password } = testbed.service.identities.member;
	const body = JSON.stringify({ status: 'ERROR', code: 201, msg: `Not known: ${password}` });
	testbed.inject({ kind: 'body', body, when: ({ path }) => path === '/AUTH' });
	const url = `${testbed.service.baseUrl}/acme/sales/orders/1/1?api`;
	// `call` searches all recorded texts for the password.
	const result = await call('sheetRecordsSessionApi', {}, { url });
	expect(result.status).toBe('error');
	expect(testbed.logins).toHaveLength(1);
});

it.each([302, 307, 308])(
	'a login that is redirected with status %s fails, and nothing is sent to the target',
	async (status) => {
		const location = `${elsewhere.service.baseUrl}/AUTH?api`;
		testbed.inject({ kind: 'redirect', status, location, when: ({ path }) => path === '/AUTH' });
		const url = `${testbed.service.baseUrl}/acme/sales/orders/1/1?api`;
		const result = await call('sheetRecordsSessionApi', {}, { url });
		expect(result.error?.message).toBe('The service sends the login on to another address');
		expect(elsewhere.service.requests.count).toBe(0);
	},
);
