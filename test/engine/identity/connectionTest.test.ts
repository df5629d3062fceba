import type { INodeParameters } from 'n8n-workflow';
import { closedPort } from '../client/closedPort';
import { echoOf } from '../secrets';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import type { Fault, SeenRequest } from '../../service';
import { apiType, pressTest, sessionType, types, type CredentialType } from './pressTest';

const testbed = useRecordTestbed();

const apiPlaces = ['header', 'query'] as const;
const sessionPlaces = ['query', 'cookie'] as const;

const wrongIdentity = /does not accept|did not accept/;
const wrongAccount = /account/i;
const wrongKey = 'bm90LWEta2V5LWF0LWFsbA==';

const press = async (type: CredentialType, overrides?: INodeParameters) =>
	await pressTest(testbed, type, overrides);

/** Returns the message of a failed connection test. */
async function refusal(type: CredentialType, overrides?: INodeParameters): Promise<string> {
	const { status, message } = await press(type, overrides);
	expect(status).toBe('Error');
	return message;
}

const paths = () => testbed.service.requests.all().map(({ path }) => path);
const isMenu = ({ path }: SeenRequest) => path === '/acme';

describe('the message of a successful connection test names the request format', () => {
	it.each([
		{ type: apiType, dialect: 'ragic', set: 'automatic', says: "'Standard' is used until" },
		{ type: apiType, dialect: 'ragic', set: 'ragic', says: "is set to 'Ragic'" },
		{ type: apiType, dialect: 'ragic', set: 'standard', says: "is set to 'Standard'" },
		// The answer to a login contains the account ID.
		{ type: sessionType, dialect: 'ragic', set: 'automatic', says: "'Ragic' was detected" },
		{ type: sessionType, dialect: 'standard', set: 'automatic', says: "'Standard' is used until" },
	] as const)('$type for a service of $dialect, set to $set', async (row) => {
		testbed.service.switches.dialect = row.dialect;
		const { message } = await press(row.type, { serviceDialect: row.set });
		expect(message).toContain(row.says);
	});

	it('is Ragic after an answer in the format of Ragic', async () => {
		testbed.service.switches.dialect = 'ragic';
		await testbed.run({ ...onOrders('getAll'), limit: 1 });
		expect((await press(apiType)).message).toContain("'Ragic' was detected");
	});
});

describe('a credential that works', () => {
	it.each(apiPlaces)('a valid credential passes the test with the key in %s', async (apiKeyIn) => {
		expect(await press(apiType, { apiKeyIn })).toMatchObject({ status: 'OK' });
		const [request] = testbed.service.requests.all();
		expect(testbed.service.requests.count).toBe(1);
		expect(request).toMatchObject({ method: 'GET', path: '/acme', identity: 'member' });
		expect(request?.rawUrl).toMatch(/^\/acme\?api(&|$)/);
	});

	it.each(sessionPlaces)(
		'a valid credential passes the test with the session in %s, after its own login',
		async (sessionIn) => {
			const sessionData = { sessionIn, sessionId: 'old-session-id' };
			expect(await press(sessionType, sessionData)).toMatchObject({ status: 'OK' });
			expect(paths()).toEqual(['/AUTH', '/acme']);
			expect(testbed.service.requests.all()[1]?.identity).toBe('member');
		},
	);

	it.each([
		{
			answer: 'refused',
			menu: { body: '{"status":"ERROR","code":106,"msg":"No access"}', times: 2 },
		},
		{ answer: 'empty', menu: { body: '{"acme":{"children":{}}}', times: 1 } },
	])(
		"a valid credential passes the test where the menu is $answer, with the vendor's list of sheets",
		async ({ menu }) => {
			testbed.inject({ kind: 'body', ...menu, when: isMenu });
			expect(await press(apiType)).toMatchObject({ status: 'OK' });
			const list = '/api/http/integromatForms.jsp';
			expect(paths()).toEqual([...Array.from({ length: menu.times }, () => '/acme'), list]);
			expect(new Set(testbed.service.requests.all().map(({ identity }) => identity))).toEqual(
				new Set(['member']),
			);
		},
	);

	it('the connection test follows a redirect on its own host, with the identity', async () => {
		const location = '/acme?api&again=1';
		testbed.inject({ kind: 'redirect', location, when: isMenu });
		expect(await press(apiType, { apiKeyIn: 'query' })).toMatchObject({ status: 'OK' });
		expect(testbed.service.requests.all().map(({ identity }) => identity)).toEqual([
			'member',
			'member',
		]);
	});
});

it.each(['status401', 'code105', 'code106', 'code304'] as const)(
	'a wrong key is reported: %s',
	async (answer) => {
		testbed.service.switches.wrongKeyAnswer = answer;
		expect(await refusal(apiType, { apiKey: wrongKey })).toMatch(wrongIdentity);
		const list = '/api/http/integromatForms.jsp';
		// Only a refusal with code 106 may be temporary.
		expect(paths()).toEqual(answer === 'code106' ? ['/acme', '/acme', list] : ['/acme']);
	},
);

it.each([{ password: 'not the password' }, { email: 'nobody@acme.example' }])(
	'a wrong e-mail or password is reported: %j',
	async (overrides) => {
		expect(await refusal(sessionType, overrides)).toMatch(wrongIdentity);
		expect(paths()).toEqual(['/AUTH']);
	},
);

it.each(['{"status":"ERROR","code":105,"msg":"No"}', '{"status":"ERROR","code":304,"msg":"No"}'])(
	'a login that is rejected with %s names the e-mail and the password, and not the test',
	async (body) => {
		testbed.inject({ kind: 'body', body, when: ({ path }) => path === '/AUTH' });
		const message = await refusal(sessionType);
		expect(message).toMatch(/^The service does not accept the e-mail or the password\./);
		expect(message).toContain("Check 'Email' and 'Password'");
		expect(message).not.toContain('test its connection');
	},
);

it('a session that is not accepted after a login names the way in which it is sent', async () => {
	testbed.inject({ kind: 'status', status: 401, when: isMenu, times: 9 });
	const message = await refusal(sessionType);
	expect(message).toMatch(/^The service accepts the login, but not the session/);
	expect(message).toContain("'Send Session In'");
});

it('a login address that does not exist names the base URL alone', async () => {
	testbed.inject({ kind: 'status', status: 404, when: ({ path }) => path === '/AUTH' });
	const message = await refusal(sessionType);
	expect(message).toMatch(/has no login at this address.*Check 'Base URL' in the credential\.$/);
});

it('a login that is rejected without a code is reported with the message of the service, not as a rejected menu', async () => {
	const body = '{"status":"ERROR","msg":"Account locked"}';
	testbed.inject({ kind: 'body', body, when: ({ path }) => path === '/AUTH' });
	const message = await refusal(sessionType);
	expect(message).toContain('Account locked');
	expect(message).not.toContain('menu');
	expect(paths()).toEqual(['/AUTH']);
});

it.each([
	{ type: apiType, path: '/acme' },
	{ type: sessionType, path: '/AUTH' },
] as const)(
	'words of the service that end with a period are followed by one space and the advice: $path',
	async ({ type, path }) => {
		const body = '{"status":"ERROR","msg":"The account is closed."}';
		testbed.inject({ kind: 'body', body, when: (request) => request.path === path });
		expect(await refusal(type)).toMatch(/The account is closed\. (?:Check|Try) /);
	},
);

describe('a wrong account', () => {
	it.each(types)('a wrong account is reported, also with an HTTP status: %s', async (type) => {
		for (const errorTransport of ['status200', 'httpStatus'] as const) {
			testbed.service.switches.errorTransport = errorTransport;
			const message = await refusal(type, { account: 'nobody' });
			expect(message).toMatch(wrongAccount);
			expect(message).not.toMatch(wrongIdentity);
		}
	});

	it.each(types)(
		'a wrong account stays one path segment, regardless of its characters: %s',
		async (type) => {
			await refusal(type, { account: 'no bo?dy#' });
			expect(paths().at(-1)).toBe('/no%20bo%3Fdy%23');
			testbed.service.requests.clear();
			expect(await refusal(type, { account: 'acme/sales' })).toContain('Enter the account name');
			expect(testbed.service.requests.count).toBe(0);
		},
	);
});

describe('the base URL', () => {
	it.each(types)('a base URL without a server is reported: %s', async (type) => {
		const message = await refusal(type, { baseUrl: `https://localhost:${closedPort}` });
		expect(message).toMatch(/cannot be reached.*Base URL.*ECONNREFUSED/);
		expect(message).not.toMatch(wrongIdentity);
		expect(message).not.toMatch(wrongAccount);
	});

	it.each(types)(
		'a base URL with http is rejected, because the service answers HTTPS only: %s',
		async (type) => {
			const baseUrl = testbed.service.baseUrl.replace('https:', 'http:');
			expect(await refusal(type, { baseUrl })).toMatch(/HTTPS only/);
			expect(testbed.service.requests.count).toBe(0);
		},
	);

	it.each(types)(
		'a base URL may be the address of a sheet, or have no https://: %s',
		async (type) => {
			const { baseUrl } = testbed.service;
			for (const overrides of [
				{ baseUrl: `${baseUrl}/acme/sales/1?x=1`, account: '' },
				{ baseUrl: `${baseUrl}/nobody/sales/1#top` },
				{ baseUrl: baseUrl.replace('https://', '') },
				{ baseUrl: ` ${baseUrl.replace('https://', '')}/acme/sales/1 `, account: ' ' },
			]) {
				expect([overrides, await press(type, overrides)]).toMatchObject([
					overrides,
					{ status: 'OK' },
				]);
			}
		},
	);
});

describe('an answer that does not come from the API or does not accept the identity', () => {
	const coded = (code: number | string, msg = 'No') =>
		JSON.stringify({ status: 'ERROR', code, msg });
	const saying = (body: string): Fault => ({ kind: 'body', body });

	it.each<[what: string, fault: Fault, says: RegExp]>([
		['a page', saying('<title>Welcome to nginx!</title>'), /web page/],
		["the login's refusal", saying('-1'), wrongIdentity],
		['another service', saying('{"status":"ok"}'), /not the menu of the account/],
		[
			'no sheets',
			saying('{"acme":{"children":{}}}'),
			/no access to any sheet of this account\. In the service, give the user/,
		],
		['code "105" as a text', saying(coded('105')), wrongIdentity],
		['an expired account', saying(coded(303, 'The account has expired.')), /expired/],
		['HTTP 403', { kind: 'status', status: 403 }, /refuses access/],
		['HTTP 404', { kind: 'status', status: 404 }, /does not know this account.*Account/],
		['HTTP 503', { kind: 'status', status: 503 }, /not available/],
		[
			'a redirect to another host',
			{ kind: 'redirect', location: 'https://elsewhere.example/acme?api' },
			/another host, https:\/\/elsewhere\.example.*Base URL/,
		],
	])(
		'an answer that does not accept the identity fails the test, with the reason: %s',
		async (_, fault, says) => {
			testbed.service.switches.picker = 'code106';
			testbed.inject({ ...fault, times: 9, when: isMenu });
			expect(await refusal(apiType)).toMatch(says);
		},
	);
});

/** Messages of a server that repeats the request. `press` searches them for secrets. */
describe('a server that echoes the request', () => {
	it.each([
		...apiPlaces.map((apiKeyIn) => [apiType, { apiKeyIn }] as const),
		...sessionPlaces.map((sessionIn) => [sessionType, { sessionIn }] as const),
	])(
		'a server that echoes the request shows no key, password or session in message or log: %s, %j',
		async (type, overrides) => {
			const echoing = type === apiType ? ['/acme'] : ['/AUTH', '/acme'];
			for (const path of echoing) {
				for (const status of [200, 500]) {
					testbed.service.faults.clear();
					const fault: Fault = { kind: 'status', status, body: '', times: 9, when };
					function when(request: SeenRequest): boolean {
						fault.body = JSON.stringify({ status: 'ERROR', code: 201, msg: echoOf(request) });
						return request.path === path;
					}
					testbed.inject(fault);
					await refusal(type, overrides);
				}
			}
			expect(paths().filter((path) => echoing.includes(path)).length).toBeGreaterThanOrEqual(2);
		},
	);

	it.each<[secret: string, CredentialType, secretOf: (request: SeenRequest) => string]>([
		['key', apiType, () => testbed.service.identities.member.apiKey],
		['password', sessionType, () => testbed.service.identities.member.password],
		['session of its login', sessionType, ({ query }) => new Map(query).get('sid') ?? ''],
	])('the %s alone, repeated in a message, is redacted', async (_, type, secretOf) => {
		const fault: Fault = { kind: 'body', body: '', times: 9, when };
		function when(request: SeenRequest): boolean {
			const msg = `${secretOf(request)} is no good`;
			fault.body = JSON.stringify({ status: 'ERROR', code: 201, msg });
			return isMenu(request);
		}
		testbed.inject(fault);
		expect(await refusal(type)).toMatch(/redacted/);
	});
});
