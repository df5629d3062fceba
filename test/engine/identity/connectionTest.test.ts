import type { INodeParameters } from 'n8n-workflow';

import { useRecordWorld } from '../recordWorld';
import { testCredential } from '../runner';
import { secretsFoundIn } from '../secrets';
import { closedPort } from '../client/closedPort';

const world = useRecordWorld();

const apiType = 'sheetRecordsApi';
const sessionType = 'sheetRecordsSessionApi';
const types = [apiType, sessionType] as const;
type CredentialType = (typeof types)[number];

const apiPlaces = ['header', 'query'] as const;
const sessionPlaces = ['query', 'cookie'] as const;

const wrongIdentity = /does not accept|did not accept/;
const wrongAccount = /account/i;
const unreachable = /cannot be reached.*Base URL.*ECONNREFUSED/;

/** Presses "Test" in the editor, and checks that nothing secret is shown or logged. */
async function press(type: CredentialType, more: INodeParameters = {}) {
	const data =
		type === apiType
			? world.credentials('member', more)[apiType]
			: world.sessionCredentials('member', more)[sessionType];
	const verdict = await testCredential(type, data);
	const secrets = secretsFoundIn(verdict.recorded, world.service);
	expect(secrets).toEqual([]);
	for (const given of ['apiKey', 'password'].map((name) => more[name])) {
		if (given !== undefined) expect(verdict.recorded).not.toContain(given);
	}
	return verdict;
}

describe('a credential that works', () => {
	it.each(apiPlaces)('with the key in %s', async (apiKeyIn) => {
		expect(await press(apiType, { apiKeyIn })).toMatchObject({ status: 'OK' });
		const [request] = world.service.requests.all();
		expect(world.service.requests.count).toBe(1);
		expect(request).toMatchObject({ method: 'GET', path: '/acme', identity: 'member' });
		expect(request?.rawUrl).toMatch(/^\/acme\?api(&|$)/);
	});

	it.each(sessionPlaces)('with the session in %s', async (sessionIn) => {
		expect(await press(sessionType, { sessionIn })).toMatchObject({ status: 'OK' });
		expect(world.service.requests.all().map(({ path }) => path)).toEqual(['/AUTH', '/acme']);
		expect(world.service.requests.all()[1]?.identity).toBe('member');
	});

	it('and an old session logs in anew', async () => {
		expect(await press(sessionType, { sessionId: 'old-session-id' })).toMatchObject({
			status: 'OK',
		});
		expect(world.logins).toHaveLength(1);
	});

	it.each(types)('and blanks or a slash around the address: %s', async (type) => {
		const { baseUrl } = world.service;
		for (const address of [`${baseUrl}/`, ` ${baseUrl} `, baseUrl.toUpperCase()]) {
			const verdict = await press(type, { baseUrl: address.replace('HTTPS', 'https') });
			expect(verdict).toMatchObject({ status: 'OK' });
		}
	});

	it.each(types)('and blanks or slashes around the account: %s', async (type) => {
		const { account } = world.service;
		for (const name of [`${account}/`, `/${account}`, ` /${account}/ `]) {
			expect(await press(type, { account: name })).toMatchObject({ status: 'OK' });
		}
	});

	it('for each form of the login answer', async () => {
		for (const form of ['plainText', 'accountsObject', 'accountsArray'] as const) {
			world.service.switches.loginAnswer = form;
			expect(await press(sessionType)).toMatchObject({ status: 'OK' });
		}
	});
});

describe('a wrong key', () => {
	const cases = (['status401', 'code105', 'code106', 'code304'] as const).flatMap((answer) =>
		apiPlaces.map((place) => [answer, place] as const),
	);

	it.each(cases)('is told: %s, in %s', async (answer, apiKeyIn) => {
		world.service.switches.wrongKeyAnswer = answer;
		const verdict = await press(apiType, { apiKeyIn, apiKey: 'bm90LWEta2V5LWF0LWFsbA==' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(wrongIdentity);
		expect(world.service.requests.all().every(({ path }) => path === '/acme')).toBe(true);
	});

	it.each(['code105', 'code304'] as const)(
		'is told when the code comes as errorCode, or with a status: %s',
		async (answer) => {
			world.service.switches.wrongKeyAnswer = answer;
			world.service.switches.errorCodeKey = 'errorCode';
			const apiKey = 'bm90LWEta2V5LWF0LWFsbA==';
			expect((await press(apiType, { apiKey })).message).toMatch(wrongIdentity);
			world.service.switches.errorTransport = 'httpStatus';
			expect((await press(apiType, { apiKey })).message).toMatch(wrongIdentity);
		},
	);
});

const menuOf = ({ path }: { path: string }) => path === '/acme';
const refusal = (code: number, msg = 'No') => JSON.stringify({ status: 'ERROR', code, msg });

describe('what is no answer of the API that accepts the identity', () => {
	const answers: Array<[string, string, RegExp]> = [
		['an HTML page', '<html><title>Welcome to nginx!</title></html>', /web page.*Welcome to nginx/],
		['a text', 'It works!', /no JSON.*It works!.*Base URL/],
		["the login's refusal", '-1', wrongIdentity],
		['nothing', '', /empty answer.*Base URL/],
		['an empty object', '{}', /not the menu of the account.*Base URL/],
		['a list', '[]', /not the menu of the account/],
		['a number', '200', /not the menu of the account/],
		['the JSON of another service', '{"error":{"message":"no"}}', /not the menu of the account/],
		['the health of another service', '{"status":"ok"}', /not the menu of the account/],
		['code 107', refusal(107), /Resource bundle not found.*107/],
		['code 202', refusal(202), /Error executing the request.*202/],
		['code 204', refusal(204), /frequency too high.*204/],
		['code 403', refusal(403, 'Expired'), /Expired.*403/],
		['errCode 105', '{"errCode":105,"errMsg":"Who?"}', /accept|Authentication/],
		['an unknown code alone', '{"status":"ERROR","code":999}', /refused.*999/],
	];

	it.each(types.flatMap((type) => answers.map((answer) => [type, ...answer] as const)))(
		'is red, in words: %s, %s',
		async (type, _, body, says) => {
			world.service.faults.inject({ kind: 'body', body, times: 9, when: menuOf });
			const verdict = await press(type);
			expect(verdict.status).toBe('Error');
			expect(verdict.message).toMatch(says);
		},
	);

	it.each([
		[400, /not understood/],
		[403, /refuses access/],
		[404, /does not know this account.*Account/],
		[429, /too many requests/],
		[502, /no proper answer/],
		[503, /not available/],
	])('is red, in words: HTTP %d', async (status, says) => {
		world.service.faults.inject({ kind: 'status', status, times: 9, when: menuOf });
		const { message, ...verdict } = await press(apiType);
		expect(verdict.status).toBe('Error');
		expect(message).toMatch(says);
	});
});

describe('a good key that is taken for a guest once', () => {
	it.each(types)('is asked about a second time: %s', async (type) => {
		world.service.faults.inject({ kind: 'body', body: refusal(106), when: menuOf });
		expect(await press(type)).toMatchObject({ status: 'OK' });
		expect(world.service.requests.all().filter(menuOf)).toHaveLength(2);
	});
});

describe('a service that sends the request on', () => {
	it('is followed on its own host, with the identity', async () => {
		const location = '/acme?api&again=1';
		world.service.faults.inject({ kind: 'redirect', location, when: menuOf });
		expect(await press(apiType, { apiKeyIn: 'query' })).toMatchObject({ status: 'OK' });
		expect(world.service.requests.all().map(({ identity }) => identity)).toEqual([
			'member',
			'member',
		]);
	});

	it('is not followed to another host', async () => {
		const location = 'https://elsewhere.example/acme?api';
		world.service.faults.inject({ kind: 'redirect', location, when: menuOf });
		const verdict = await press(apiType);
		expect(verdict).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/another host, https:\/\/elsewhere\.example.*Base URL/),
		});
	});
});

describe('a refusal whose code is a text', () => {
	it.each([
		['code', '105', wrongIdentity],
		['errorCode', '304', wrongIdentity],
		['code', '101', wrongAccount],
	])('is told as well: %s "%s"', async (key, code, says) => {
		const body = JSON.stringify({ status: 'ERROR', [key]: code, msg: 'No' });
		world.service.faults.inject({ kind: 'body', body, times: 9 });
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
		expect(world.service.requests.all().map(({ path }) => path)).toEqual(['/AUTH']);
	});

	it('is told when the login answers 401, after one login', async () => {
		world.service.faults.inject({ kind: 'status', status: 401, body: 'Unauthorized', times: 9 });
		const verdict = await press(sessionType);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/accept/);
		expect(world.logins).toHaveLength(1);
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
		world.service.switches.errorTransport = 'httpStatus';
		const verdict = await press(type, { account: 'nobody' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(wrongAccount);
		expect(verdict.message).not.toMatch(wrongIdentity);
	});

	it.each(types)('stays one name, whatever is in it: %s', async (type) => {
		const verdict = await press(type, { account: 'no bo?dy#' });
		expect(verdict.status).toBe('Error');
		expect(world.service.requests.all().at(-1)?.path).toBe('/no%20bo%3Fdy%23');
		world.service.requests.clear();
		const several = await press(type, { account: 'acme/sales' });
		expect(several).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('one name'),
		});
		expect(world.service.requests.count).toBe(0);
	});
});

describe('an address', () => {
	it.each(types)('that nobody answers is told: %s', async (type) => {
		const verdict = await press(type, { baseUrl: `https://localhost:${await closedPort()}` });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(unreachable);
		expect(verdict.message).not.toMatch(wrongIdentity);
		expect(verdict.message).not.toMatch(wrongAccount);
	});

	it.each(types)(
		'with http is refused, because the service answers HTTPS only: %s',
		async (type) => {
			const baseUrl = world.service.baseUrl.replace('https:', 'http:');
			const verdict = await press(type, { baseUrl });
			expect(verdict.status).toBe('Error');
			expect(verdict.message).toMatch(/HTTPS only/);
			expect(world.service.requests.count).toBe(0);
		},
	);

	it.each(
		types.flatMap((type) =>
			['/acme', '/acme/sales/1?x=1', '?x=1', '#top'].map((rest) => [type, rest] as const),
		),
	)('with something behind the host is refused: %s, %s', async (type, rest) => {
		const verdict = await press(type, { baseUrl: `${world.service.baseUrl}${rest}` });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/Base URL.*https:\/\/host/);
		expect(world.service.requests.count).toBe(0);
	});

	it.each(types)('with a name and a password in it is refused: %s', async (type) => {
		const baseUrl = world.service.baseUrl.replace('https://', 'https://ann:hunter2secret@');
		const verdict = await press(type, { baseUrl });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/Base URL/);
		expect(world.service.requests.count).toBe(0);
	});
});

describe('other failures', () => {
	it.each(types)('are told: an expired account, %s', async (type) => {
		world.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":303,"msg":"The account has expired."}',
			when: ({ path }) => path === '/acme',
		});
		const verdict = await press(type);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/expired/);
	});

	it.each(types)('are told: a server in trouble, %s', async (type) => {
		world.service.faults.inject({ kind: 'status', status: 503, times: 9 });
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
			world.service.faults.clear();
			world.service.faults.inject(fault);
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
		expect(world.service.requests.count).toBeGreaterThanOrEqual(3);
	});

	it.each(sessionPlaces)('lets no password or session slip out: %s', async (sessionIn) => {
		for (const status of [200, 401, 500]) {
			for (const path of ['/AUTH', '/acme']) {
				const fault = { ...echo, status, body: '', when };
				world.service.faults.clear();
				world.service.faults.inject(fault);
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
		expect(world.logins.length).toBeGreaterThanOrEqual(6);
	});
});
