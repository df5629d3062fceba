import type { INodeParameters } from 'n8n-workflow';
import { sessionIn } from '../../nodes/api/http/session';
import type { Fault, SeenRequest } from '../service';
import { createCustomer, readOrder } from './operations';
import { useRecordTestbed } from './recordTestbed';
import { CredentialStore, loadOptionsOf, packageTypes, type RunNodeOptions } from './runner';
import { casesOf, echoOf, secretForms, secretsFoundIn, ways } from './secrets';

const testbed = useRecordTestbed({ demoRecords: 60 });

const jsonError = (code: number | undefined, state: string) => (echo: string) =>
	JSON.stringify({ status: state, code, msg: echo, message: echo });
const page = (echo: string) =>
	`<html><head><title>${echo.slice(0, 150)}</title></head>${echo}</html>`;

type Failure = [name: string, fault: Partial<Fault>, body: (echo: string) => string];
const atOnce = { headers: { 'retry-after': '0' } };
const failures: Failure[] = [
	...[101, 102, 105, 106, 201, 202, 204, 301, 302, 303, 304, 402, 404, 9_999].map(
		(code): Failure => [`code ${code}`, atOnce, jsonError(code, 'ERROR')],
	),
	['INVALID', {}, jsonError(202, 'INVALID')],
	['a state of its own', {}, (echo) => JSON.stringify({ status: echo })],
	['an error without a code', {}, jsonError(undefined, 'ERROR')],
	...[400, 401, 402, 403, 404, 408, 413, 418, 429, 500, 503].map((status): Failure => [
		`status ${status}`,
		{ status, ...atOnce },
		jsonError(201, 'ERROR'),
	]),
	['status 500 with a text', { status: 500, ...atOnce }, (echo) => echo],
	['status 400 with a page', { status: 400 }, page],
	['a page', {}, page],
	['a redirect', { kind: 'redirect', location: 'https://elsewhere.example/' }, (echo) => echo],
];

function failWith([, fault, body]: Failure, strikes: (request: SeenRequest) => boolean): void {
	const echoing: Fault = {
		kind: 'body',
		times: Infinity,
		...fault,
		when: (request) => {
			if (!strikes(request)) return false;
			const echo = echoOf(request);
			echoing.body = body(echo);
			if (echoing.kind === 'redirect')
				echoing.location = `https://elsewhere.example/?${encodeURI(echo)}`;
			return true;
		},
	};
	testbed.inject(echoing);
}

async function run(
	parameters: INodeParameters,
	[authentication, place]: [string, string],
	overrides: Partial<RunNodeOptions> = {},
) {
	const credentials = {
		...testbed.credentials('member', { apiKeyIn: place }),
		...testbed.sessionCredentials('member', { sessionIn: place }),
	};
	// `testbed.run` searches for secrets in all formats.
	return await testbed.runById({ authentication, ...parameters }, [{}], {
		credentials,
		...overrides,
	});
}

const isRequest = ({ path }: SeenRequest) => path !== '/AUTH';
const isLogin = ({ path }: SeenRequest) => path === '/AUTH';

describe.each(ways)('no secret is stored, shown or logged with the %s in %s', (...way) => {
	it.each(casesOf(way, failures))('when a read fails by %s', async (...failure) => {
		failWith(failure, isRequest);
		const result = await run(readOrder(), way);
		// A missing record may be no error, but then there is no message either.
		expect(failure[0].includes('404') || result.status === 'error').toBe(true);
		expect(testbed.reads.length).toBeGreaterThan(0);
	});

	it.each(casesOf(way, failures))('when a write fails by %s', async (...failure) => {
		failWith(failure, isRequest);
		expect((await run(createCustomer(), way)).status).toBe('error');
		expect(testbed.writes.length).toBeGreaterThan(0);
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'when the failure becomes an item: %s',
		async (onError) => {
			failWith(['code 201', {}, jsonError(201, 'ERROR')], isRequest);
			const result = await run(createCustomer(), way, { onError });
			expect(result.status).toBe('success');
			const items = onError === 'continueErrorOutput' ? result.errorItems : result.items;
			expect(items).toMatchObject([
				{ json: { error: expect.any(String) }, pairedItem: { item: 0 } },
			]);
		},
	);

	it('when the read succeeds', async () => {
		expect((await run(readOrder(), way)).status).toBe('success');
		expect((await run(createCustomer(), way)).status).toBe('success');
	});

	it('when the connection breaks', async () => {
		testbed.inject({ kind: 'resetAfterWork' });
		await run(createCustomer(), way);
		expect(testbed.service.requests.count).toBeGreaterThan(0);
	});

	it('when a list of the editor fails', async () => {
		failWith(['code 105', {}, jsonError(105, 'ERROR')], isRequest);
		const [authentication, place] = way;
		const listRequest = loadOptionsOf({
			node: 'sheetRecords',
			parameters: { authentication, resource: 'record', operation: 'get' },
			credentials: {
				...testbed.credentials('member', { apiKeyIn: place }),
				...testbed.sessionCredentials('member', { sessionIn: place }),
			},
			method: { kind: 'listSearch', name: 'searchSheets' },
		});
		const failure: unknown = await listRequest.catch((thrown: unknown) => thrown);
		const failureText = [String(failure), JSON.stringify(failure)].join('\n');
		expect(failure).toBeInstanceOf(Error);
		expect(secretsFoundIn(failureText, testbed.service)).toEqual([]);
	});
});

describe('texts in answers that are not error messages are checked for secrets, too:', () => {
	const partOf = (secret: string) => secret.slice(0, 12);

	it.each(ways)('the reason why a run waited, with the %s in %s', async (...way) => {
		const busy = { times: 2, headers: { 'retry-after': '60' } };
		failWith(['code 204', busy, jsonError(204, 'ERROR')], isRequest);
		const { status, hintTexts } = await run(readOrder(), way);
		expect(status).toBe('success');
		expect(hintTexts).toEqual([expect.stringMatching(/^The node waited .*Reason: .* redacted/)]);
	});

	it('the target host of a redirect', async () => {
		const { apiKey } = testbed.service.identities.member;
		const location = `https://${partOf(apiKey)}.example/`;
		testbed.inject({ kind: 'redirect', location });
		const result = await run(readOrder(), ['apiKey', 'header']);
		expect(result.error?.message).toBe(
			'The service sends this request on to another host, What the service said is redacted, because it holds a secret of the credential',
		);
	});

	it.each([{ status: 'FAILED', message: 'x' }, { status: 'x' }])(
		'the message and status of a task: %p',
		async (message) => {
			const { apiKey } = testbed.service.identities.member;
			const words = Object.entries(message).map(([key, word]) => [
				key,
				word === 'FAILED' ? word : `No: ${apiKey}`,
			]);
			const body = JSON.stringify({ id: 'task', ...Object.fromEntries(words) });
			testbed.inject({ kind: 'body', body, times: Infinity });
			const options = { timeout: 0.1, pollInterval: 0.01 };
			const waiting = { resource: 'task', operation: 'wait', taskId: 'task', options };
			expect((await run(waiting, ['apiKey', 'header'])).status).toBe('error');
		},
	);

	it.each(['taskName', 'ap', 'status', 'message'])('the member %s of a task', async (key) => {
		const words = `No: ${testbed.service.identities.member.apiKey}`;
		const body = JSON.stringify({ id: 'task', status: 'RUNNING', [key]: words });
		testbed.inject({ kind: 'body', body, times: Infinity });
		const state = { resource: 'task', operation: 'get', taskId: 'task' };
		const { items } = await run(state, ['apiKey', 'header']);
		expect(items).toHaveLength(1);
		// The node shows the status in capital letters, in which the key would not be found.
		expect(JSON.stringify(items)).toContain('is redacted');
	});
});

describe('messages of the service that contain a secret are redacted, and the code stays,', () => {
	it.each(Object.entries(secretForms))('with the key %s', async (_, form) => {
		const { apiKey } = testbed.service.identities.member;
		const words = { status: 'ERROR', code: 202, msg: `refused: ${form(apiKey)}` };
		testbed.inject({ kind: 'body', body: JSON.stringify(words), times: Infinity });
		for (const parameters of [readOrder(), createCustomer()]) {
			const { error } = await run(parameters, ['apiKey', 'header']);
			expect(error?.message).toBe(
				'Error executing the request: What the service said is redacted, because it holds a secret of the credential',
			);
			expect(error?.description).toMatch(/^The service gave code 202\. Check the values/);
		}
	});

	it.each(Object.entries(secretForms))('with the password %s at the login', async (_, form) => {
		// The password has eight characters, so only the complete password is recognized.
		const password = 'S3c&K/1"';
		const words = { status: 'ERROR', code: 202, msg: `refused: ${form(password)}` };
		testbed.inject({ kind: 'body', body: JSON.stringify(words), times: Infinity });
		const { error, recorded } = await run(readOrder(), ['session', 'query'], {
			credentials: testbed.sessionCredentials('member', { password }),
		});
		expect(error?.message).toBe(
			'Error executing the request: What the service said is redacted, because it holds a secret of the credential',
		);
		expect(recorded).not.toContain(form(password));
		expect(testbed.logins).toHaveLength(1);
	});
});

describe('no password is stored, shown or logged', () => {
	it.each(failures)('when the login fails by %s', async (...failure) => {
		failWith(failure, isLogin);
		for (const parameters of [readOrder(), createCustomer()]) {
			expect((await run(parameters, ['session', 'query'])).status).toBe('error');
		}
		expect(testbed.logins.length).toBeGreaterThan(0);
	});

	it('when it contains characters that cannot be sent', async () => {
		const password = 'half \ud83d of a character, and a good deal more of it than sixty letters';
		const result = await run(readOrder(), ['session', 'query'], {
			credentials: testbed.sessionCredentials('member', { password }),
		});
		expect(result.status).toBe('error');
		expect(result.recorded).not.toContain('of a character, and a good deal');
		expect(testbed.service.requests.count).toBe(0);
	});
});

it('sessions of a run are not shown, neither the ended session nor its successor', async () => {
	const type = 'sheetRecordsSessionApi';
	const store = new CredentialStore();
	const { id } = store.add(type, testbed.sessionCredentials()[type]);
	const sessions: unknown[] = [];
	testbed.service.switches.sessionLifetimeRequests = 1;
	for (const parameters of [readOrder(), createCustomer(), readOrder()]) {
		const result = await testbed.runById({ ...parameters, authentication: 'session' }, [{}], {
			credentialStore: store,
		});
		sessions.push(sessionIn(store.read(id, type)));
		expect(result.status).toBe('success');
		for (const session of sessions) expect(result.recorded).not.toContain(session);
	}
	expect(new Set(sessions).size).toBe(3);
});

describe('the credential types', () => {
	const secret = { password: true };

	it('the credential type hides the key', async () => {
		const { properties } = (await packageTypes()).credential('sheetRecordsApi');
		const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey']);
	});

	it('the credential type hides password and session, and lets n8n renew the session', async () => {
		const { properties, preAuthentication } = (await packageTypes()).credential(
			'sheetRecordsSessionApi',
		);
		const byName = (name: string) => properties.find((property) => property.name === name);
		expect(byName('password')?.typeOptions).toMatchObject(secret);
		expect(byName('sessionId')).toMatchObject({
			type: 'hidden',
			default: '',
			typeOptions: { ...secret, expirable: true },
		});
		const hidden = properties.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(hidden.map(({ name }) => name)).toEqual(['password', 'sessionId']);
		expect(preAuthentication).toBeDefined();
	});

	const unlessSet = { requestsPerSecond: 5, allowUnauthorizedCerts: false };

	it.each([
		[
			'sheetRecordsApi',
			[
				'baseUrl',
				'account',
				'apiKey',
				'apiKeyIn',
				'requestsPerSecond',
				'allowUnauthorizedCerts',
				'serviceDialect',
			],
			{ apiKeyIn: 'header', serviceDialect: 'automatic', ...unlessSet },
		],
		[
			'sheetRecordsSessionApi',
			[
				...['baseUrl', 'account', 'email', 'password', 'sessionId', 'sessionIn', 'cookieName'],
				...['requestsPerSecond', 'allowUnauthorizedCerts', 'serviceDialect'],
			],
			{ sessionIn: 'query', serviceDialect: 'automatic', ...unlessSet },
		],
	])(
		'the credential types have the fields and defaults of saved credentials: %s',
		async (name, fields, defaults) => {
			const type = (await packageTypes()).credential(name);
			const names = type.properties.map((property) => property.name);
			expect([...new Set(names)]).toEqual(fields);
			const entries = type.properties.map((property) => [property.name, property.default]);
			expect(Object.fromEntries(entries)).toMatchObject(defaults);
		},
	);
});
