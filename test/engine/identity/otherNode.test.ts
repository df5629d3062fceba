import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { startReferenceService, type ReferenceService } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { packageTypes, runNode } from '../runner';
import { CallingNode } from './callingNode';

const testbed = useRecordTestbed();

let elsewhere: ReferenceService;
beforeAll(async () => {
	elsewhere = await startReferenceService({ demoRecords: 10 });
});
beforeEach(() => elsewhere.reset());
afterAll(async () => await elsewhere.close());

const ways = [
	['sheetRecordsApi', { apiKeyIn: 'header' }],
	['sheetRecordsApi', { apiKeyIn: 'query' }],
	['sheetRecordsSessionApi', { sessionIn: 'query' }],
	['sheetRecordsSessionApi', { sessionIn: 'cookie' }],
] as const;

/** Another node sends a request with our credential. */
async function call(type: string, more: INodeParameters, request: IHttpRequestOptions) {
	const types = await packageTypes();
	const credentials =
		type === 'sheetRecordsApi'
			? testbed.credentials('member', more)
			: testbed.sessionCredentials('member', more);
	const result = await runNode({
		node: 'test.calling',
		parameters: {},
		types: types.with({ nodes: { 'test.calling': new CallingNode(type, request) } }),
		credentials,
	});
	testbed.expectNoSecrets(result);
	return result;
}

/** Nobody's identity in any form has reached the other host. */
function expectNothingSecretElsewhere() {
	for (const { rawUrl, headers, identity } of elsewhere.requests.all()) {
		expect(identity).toBeUndefined();
		expect(headers).not.toHaveProperty('authorization');
		expect(headers).not.toHaveProperty('cookie');
		expect(rawUrl).not.toMatch(/sid=|APIKey=|[?&]p=/i);
	}
}

describe.each(ways)('%s %j, used by another node', (type, more) => {
	const address = '/acme/sales/orders/1/1?api';

	it('gives identity to its own service', async () => {
		const result = await call(type, more, { url: `${testbed.service.baseUrl}${address}` });
		expect(result.status).toBe('success');
		expect(testbed.service.requests.all().at(-1)?.identity).toBe('member');
	});

	it('gives identity to its own service by a base address, too', async () => {
		const { baseUrl } = testbed.service;
		const result = await call(type, more, { baseURL: baseUrl, url: address });
		expect(result.status).toBe('success');
		expect(testbed.service.requests.all().at(-1)?.identity).toBe('member');
	});

	it.each([
		['another port', () => ({ url: `${elsewhere.baseUrl}${address}` })],
		['another base address', () => ({ baseURL: elsewhere.baseUrl, url: address })],
		[
			'an absolute address behind its own base address',
			() => ({ baseURL: testbed.service.baseUrl, url: `${elsewhere.baseUrl}${address}` }),
		],
		[
			'an address without a scheme behind its own base address',
			() => ({
				baseURL: testbed.service.baseUrl,
				url: `${elsewhere.baseUrl.replace('https:', '')}${address}`,
			}),
		],
		[
			'an address with blanks and another host',
			() => ({ baseURL: testbed.service.baseUrl, url: ` ${elsewhere.baseUrl}${address}` }),
		],
		[
			'backslashes for slashes',
			() => ({
				baseURL: testbed.service.baseUrl,
				url: `\\\\${elsewhere.baseUrl.replace('https://', '')}${address}`,
			}),
		],
		[
			'its own host as a user name',
			() => ({
				url: `${testbed.service.baseUrl}@${elsewhere.baseUrl.replace('https://', '')}${address}`,
			}),
		],
		[
			'another name of the host',
			() => ({ url: testbed.service.baseUrl.replace('localhost', '127.0.0.1') }),
		],
		['plain http', () => ({ url: testbed.service.baseUrl.replace('https:', 'http:') })],
	])('gives nothing to %s', async (_, request) => {
		const result = await call(type, more, request());
		expectNothingSecretElsewhere();
		expect(result.status).toBe('error');
		expect(elsewhere.requests.count).toBe(0);
		const beyondLogin = testbed.service.requests.all().filter(({ path }) => path !== '/AUTH');
		expect(beyondLogin.filter(({ identity }) => identity !== undefined)).toEqual([]);
		expect(result.error?.message).toMatch(/another host|Base URL/);
	});

	it.each([301, 302, 303, 307, 308])(
		'gives nothing to where it is sent on, status %s',
		async (status) => {
			testbed.service.faults.inject({
				kind: 'redirect',
				status,
				location: `${elsewhere.baseUrl}${address}`,
				when: ({ path }) => path !== '/AUTH',
			});
			await call(type, more, { url: `${testbed.service.baseUrl}${address}` });
			const sentOn = testbed.service.requests.all().filter((request) => request.status === status);
			expect(sentOn.map(({ identity }) => identity)).toEqual(['member']);
			expect(elsewhere.requests.count).toBe(1);
			expectNothingSecretElsewhere();
		},
	);
});

it('a login that fails shows nothing of the password, also when the service repeats it', async () => {
	const { password } = testbed.service.identities.member;
	const body = JSON.stringify({ status: 'ERROR', code: 201, msg: `Not known: ${password}` });
	testbed.service.faults.inject({ kind: 'body', body, when: ({ path }) => path === '/AUTH' });
	const url = `${testbed.service.baseUrl}/acme/sales/orders/1/1?api`;
	// `call` looks for the password in all that was recorded.
	const result = await call('sheetRecordsSessionApi', {}, { url });
	expect(result.status).toBe('error');
	expect(testbed.logins).toHaveLength(1);
});
