import type { INodeParameters } from 'n8n-workflow';

import { useRecordTestbed } from '../recordTestbed';
import { closedPort } from '../client/closedPort';
import { apiType, pressTest, sessionType, types, type CredentialType } from './pressTest';

const testbed = useRecordTestbed();

const apiPlaces = ['header', 'query'] as const;
const sessionPlaces = ['query', 'cookie'] as const;

const wrongIdentity = /does not accept|did not accept/;
const wrongAccount = /account/i;
const unreachable = /cannot be reached.*Base URL.*ECONNREFUSED/;

const press = async (type: CredentialType, more?: INodeParameters) =>
	await pressTest(testbed, type, more);

describe('a credential that works', () => {
	it.each(apiPlaces)('with the key in %s', async (apiKeyIn) => {
		expect(await press(apiType, { apiKeyIn })).toMatchObject({ status: 'OK' });
		const [request] = testbed.service.requests.all();
		expect(testbed.service.requests.count).toBe(1);
		expect(request).toMatchObject({ method: 'GET', path: '/acme', identity: 'member' });
		expect(request?.rawUrl).toMatch(/^\/acme\?api(&|$)/);
	});

	it.each(sessionPlaces)('with the session in %s', async (sessionIn) => {
		expect(await press(sessionType, { sessionIn })).toMatchObject({ status: 'OK' });
		expect(testbed.service.requests.all().map(({ path }) => path)).toEqual(['/AUTH', '/acme']);
		expect(testbed.service.requests.all()[1]?.identity).toBe('member');
	});

	it('and an old session logs in anew', async () => {
		expect(await press(sessionType, { sessionId: 'old-session-id' })).toMatchObject({
			status: 'OK',
		});
		expect(testbed.logins).toHaveLength(1);
	});

	it.each(types)('and blanks or a slash around the address: %s', async (type) => {
		const { baseUrl } = testbed.service;
		for (const address of [`${baseUrl}/`, ` ${baseUrl} `, baseUrl.toUpperCase()]) {
			const verdict = await press(type, { baseUrl: address.replace('HTTPS', 'https') });
			expect(verdict).toMatchObject({ status: 'OK' });
		}
	});

	it.each(types)('and blanks or slashes around the account: %s', async (type) => {
		const { account } = testbed.service;
		for (const name of [`${account}/`, `/${account}`, ` /${account}/ `]) {
			expect(await press(type, { account: name })).toMatchObject({ status: 'OK' });
		}
	});

	it('for each form of the login answer', async () => {
		for (const form of ['plainText', 'accountsObject', 'accountsArray'] as const) {
			testbed.service.switches.loginAnswer = form;
			expect(await press(sessionType)).toMatchObject({ status: 'OK' });
		}
	});
});

describe('a wrong key', () => {
	const cases = (['status401', 'code105', 'code106', 'code304'] as const).flatMap((answer) =>
		apiPlaces.map((place) => [answer, place] as const),
	);

	it.each(cases)('is told: %s, in %s', async (answer, apiKeyIn) => {
		testbed.service.switches.wrongKeyAnswer = answer;
		const verdict = await press(apiType, { apiKeyIn, apiKey: 'bm90LWEta2V5LWF0LWFsbA==' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(wrongIdentity);
		expect(testbed.service.requests.all().every(({ path }) => path === '/acme')).toBe(true);
	});

	it.each(['code105', 'code304'] as const)(
		'is told when the code comes as errorCode, or with a status: %s',
		async (answer) => {
			testbed.service.switches.wrongKeyAnswer = answer;
			testbed.service.switches.errorCodeKey = 'errorCode';
			const apiKey = 'bm90LWEta2V5LWF0LWFsbA==';
			expect((await press(apiType, { apiKey })).message).toMatch(wrongIdentity);
			testbed.service.switches.errorTransport = 'httpStatus';
			expect((await press(apiType, { apiKey })).message).toMatch(wrongIdentity);
		},
	);
});

describe('a refusal whose code is a text', () => {
	it.each([
		['code', '105', wrongIdentity],
		['errorCode', '304', wrongIdentity],
		['code', '101', wrongAccount],
	])('is told as well: %s "%s"', async (key, code, says) => {
		const body = JSON.stringify({ status: 'ERROR', [key]: code, msg: 'No' });
		testbed.service.faults.inject({ kind: 'body', body, times: 9 });
		const verdict = await press(apiType);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(says);
	});
});

describe('a wrong e-mail or password', () => {
	it.each([
		['password', { password: 'not the password' }],
		['e-mail', { email: 'nobody@acme.example' }],
	])('is told: %s', async (_, more) => {
		const verdict = await press(sessionType, more);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(wrongIdentity);
		expect(testbed.service.requests.all().map(({ path }) => path)).toEqual(['/AUTH']);
	});

	it('is told when the login answers 401, after one login', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 401, body: 'Unauthorized', times: 9 });
		const verdict = await press(sessionType);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/accept/);
		expect(testbed.logins).toHaveLength(1);
	});
});

describe('a wrong account', () => {
	it.each(types)('is told: %s', async (type) => {
		const verdict = await press(type, { account: 'nobody' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(wrongAccount);
		expect(verdict.message).not.toMatch(wrongIdentity);
		expect(verdict.message).not.toMatch(unreachable);
	});

	it.each(types)('is told when it comes with a status: %s', async (type) => {
		testbed.service.switches.errorTransport = 'httpStatus';
		const verdict = await press(type, { account: 'nobody' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(wrongAccount);
		expect(verdict.message).not.toMatch(wrongIdentity);
	});

	it.each(types)('stays one name, whatever is in it: %s', async (type) => {
		const verdict = await press(type, { account: 'no bo?dy#' });
		expect(verdict.status).toBe('Error');
		expect(testbed.service.requests.all().at(-1)?.path).toBe('/no%20bo%3Fdy%23');
		testbed.service.requests.clear();
		const several = await press(type, { account: 'acme/sales' });
		expect(several).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('one name'),
		});
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('an address', () => {
	it.each(types)('that nobody answers is told: %s', async (type) => {
		const verdict = await press(type, { baseUrl: `https://localhost:${closedPort}` });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(unreachable);
		expect(verdict.message).not.toMatch(wrongIdentity);
		expect(verdict.message).not.toMatch(wrongAccount);
	});

	it.each(types)(
		'with http is refused, because the service answers HTTPS only: %s',
		async (type) => {
			const baseUrl = testbed.service.baseUrl.replace('https:', 'http:');
			const verdict = await press(type, { baseUrl });
			expect(verdict.status).toBe('Error');
			expect(verdict.message).toMatch(/HTTPS only/);
			expect(testbed.service.requests.count).toBe(0);
		},
	);

	it.each(
		types.flatMap((type) =>
			['/acme', '/acme/sales/1?x=1', '?x=1', '#top'].map((rest) => [type, rest] as const),
		),
	)('with something behind the host is refused: %s, %s', async (type, rest) => {
		const verdict = await press(type, { baseUrl: `${testbed.service.baseUrl}${rest}` });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/Base URL.*https:\/\/host/);
		expect(testbed.service.requests.count).toBe(0);
	});

	it.each(types)('with a name and a password in it is refused: %s', async (type) => {
		const baseUrl = testbed.service.baseUrl.replace('https://', 'https://ann:hunter2secret@');
		const verdict = await press(type, { baseUrl });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/Base URL/);
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('other failures', () => {
	it.each(types)('are told: an expired account, %s', async (type) => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":303,"msg":"The account has expired."}',
			when: ({ path }) => path === '/acme',
		});
		const verdict = await press(type);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/expired/);
	});

	it.each(types)('are told: a server in trouble, %s', async (type) => {
		testbed.service.faults.inject({ kind: 'status', status: 503, times: 9 });
		const verdict = await press(type);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).not.toMatch(wrongIdentity);
	});
});

/** What a server that repeats the request in its messages lets slip into them. */
describe('a server that echoes the request', () => {
	const echo = { kind: 'body' as const, times: 9 };

	it.each(apiPlaces)('lets no key slip into message or log: %s', async (apiKeyIn) => {
		for (const status of [200, 401, 500]) {
			const fault = { ...echo, status, body: '', when };
			testbed.service.faults.clear();
			testbed.service.faults.inject(fault);
			function when({ rawUrl, headers }: { rawUrl: string; headers: object }) {
				fault.body = JSON.stringify({
					status: 'ERROR',
					code: 201,
					msg: `${rawUrl} ${JSON.stringify(headers)}`,
				});
				return true;
			}
			await press(apiType, { apiKeyIn });
		}
		expect(testbed.service.requests.count).toBeGreaterThanOrEqual(3);
	});

	it.each(sessionPlaces)('lets no password or session slip out: %s', async (sessionIn) => {
		for (const status of [200, 401, 500]) {
			for (const path of ['/AUTH', '/acme']) {
				const fault = { ...echo, status, body: '', when };
				testbed.service.faults.clear();
				testbed.service.faults.inject(fault);
				function when({
					path: seen,
					rawUrl,
					query,
					headers,
				}: {
					path: string;
					rawUrl: string;
					query: unknown;
					headers: object;
				}) {
					const msg = `${rawUrl} ${JSON.stringify([query, headers])}`;
					fault.body = JSON.stringify({ status: 'ERROR', code: 201, msg });
					return seen === path;
				}
				await press(sessionType, { sessionIn });
			}
		}
		expect(testbed.logins.length).toBeGreaterThanOrEqual(6);
	});
});
