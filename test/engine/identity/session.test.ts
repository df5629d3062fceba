import { customers, type Fault, type IdentityName } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import type { CredentialStore } from '../runner';
import { createCustomer, readOrder, readOwnOrder, session } from '../operations';
import { storeOf } from './pressTest';

const testbed = useRecordTestbed();

const identities: IdentityName[] = ['member', 'outsider'];

const run = (parameters: object, credentialStore: CredentialStore) =>
	testbed.runById({ ...session, ...parameters }, [{}], { credentialStore });

describe('the login', () => {
	it.each(identities)('the login sends e-mail and password, and no identity: %s', async (name) => {
		await run(readOrder(), storeOf(testbed, {}, name).store);
		const { email, password } = testbed.service.identities[name];
		const query = { api: '', u: email, p: password, login_type: 'sessionId', json: '1' };
		expect(testbed.logins).toHaveLength(1);
		expect(testbed.logins[0]).toMatchObject({
			method: 'GET',
			status: 200,
			query: Object.entries(query),
		});
		expect(testbed.logins[0]?.rawUrl).toContain(`&p=${encodeURIComponent(password)}&`);
		expect(testbed.logins[0]?.headers).not.toHaveProperty('authorization');
		expect(testbed.logins[0]?.headers).not.toHaveProperty('cookie');
		expect(testbed.service.requests.all()[1]?.identity).toBe(name);
	});

	it.each(['plainText', 'accountsObject', 'accountsArray'] as const)(
		'the answer to the login is understood in each format: %s',
		async (loginAnswer) => {
			testbed.service.switches.loginAnswer = loginAnswer;
			const { store, sessionId } = storeOf(testbed);
			const result = await run(readOrder(), store);
			expect(result.status).toBe('success');
			expect(result.items[0]).toMatchObject({ json: { _recordId: 1 }, pairedItem: { item: 0 } });
			expect(sessionId()).toMatch(/^[0-9A-F]{32}$/);
		},
	);

	it('the session is stored for all items of a run, and for later runs', async () => {
		const { store, id, sessionId } = storeOf(testbed);
		const overrides = { credentialStore: store };
		const result = await testbed.run({ ...session, ...readOwnOrder() }, [{}, {}, {}], overrides);
		expect(result.links).toEqual([0, 1, 2].map((item) => ({ item })));
		const first = sessionId();
		await run(createCustomer(), store);
		expect(testbed.logins).toHaveLength(1);
		expect([testbed.writes.length, result.status]).toEqual([1, 'success']);
		expect(store.updates).toMatchObject([
			{ id, type: 'sheetRecordsSessionApi', changed: ['sessionId'] },
		]);
		expect(sessionId()).toBe(first);
	});
});

describe('a rejected login', () => {
	it.each(['plainText', 'accountsObject'] as const)(
		'a rejected login is reported, and nothing is sent without identity: %s',
		async (loginAnswer) => {
			testbed.service.switches.loginAnswer = loginAnswer;
			const { store, sessionId } = storeOf(testbed, { password: 'not the password' });
			const result = await run(createCustomer(), store);
			expect(result.status).toBe('error');
			expect(result.error).toMatchObject({
				name: 'NodeApiError',
				message: 'The service did not accept the e-mail or the password',
				description: expect.stringContaining('credential'),
				context: { itemIndex: 0 },
			});
			expect(testbed.service.requests.count).toBe(1);
			expect(store.updates).toEqual([]);
			expect(sessionId()).toBe('');
			expect(result.recorded).not.toContain('not the password');
		},
	);

	/** More answers are in the unit tests of the login. */
	it.each<[what: string, fault: Fault, says: string]>([
		// Not repeated, because the service may lock the account.
		['HTTP 401', { kind: 'status', status: 401, times: Infinity }, 'did not accept the'],
		['code 404', { kind: 'body', body: '{"status":"ERROR","code":404,"msg":"No."}' }, 'login'],
	])(
		'a rejected login is reported after one request, and no session is stored: %s',
		async (_, fault, says) => {
			testbed.inject({ ...fault, when: ({ path }) => path === '/AUTH' });
			const { store } = storeOf(testbed);
			const result = await run(readOrder(), store);
			expect(result.status).toBe('error');
			expect(result.error?.message).toContain(says);
			expect(testbed.service.requests.all().map(({ path }) => path)).toEqual(['/AUTH']);
			expect(store.updates).toEqual([]);
		},
	);
});

it('the session in the query comes last, and in no other place', async () => {
	const { store, sessionId } = storeOf(testbed);
	await run(readOrder(), store);
	await run(createCustomer(), store);
	const [, read, write] = testbed.service.requests.all();
	for (const request of [read, write]) {
		expect(request?.rawUrl).toMatch(new RegExp(`[?]api.*&sid=${sessionId()}$`));
		expect(request?.headers).not.toHaveProperty('cookie');
		expect(request?.headers).not.toHaveProperty('authorization');
		expect(request?.identity).toBe('member');
	}
	expect(testbed.service.data.sheet(customers).records.size).toBe(301);
});

describe('the session in a cookie', () => {
	it.each(['JSESSIONID', 'service-session'])(
		'the session in a cookie is sent with its name: %s',
		async (cookieName) => {
			testbed.service.switches.cookieName = cookieName;
			const { store, sessionId } = storeOf(testbed, { sessionIn: 'cookie', cookieName });
			await run(readOrder(), store);
			await run(createCustomer(), store);
			const [, read, write] = testbed.service.requests.all();
			for (const request of [read, write]) {
				expect(request?.headers.cookie).toBe(`${cookieName}=${sessionId()}`);
				expect(request?.query.map(([name]) => name)).not.toContain('sid');
				expect(request?.headers).not.toHaveProperty('authorization');
				expect(request?.identity).toBe('member');
			}
			expect(testbed.service.data.sheet(customers).records.size).toBe(301);
		},
	);

	it('an unusable name of the cookie is an error that says what to correct', async () => {
		const { store } = storeOf(testbed, { sessionIn: 'cookie', cookieName: 'a=b; c' });
		const { error } = await run(readOrder(), store);
		expect(error?.message).toContain('cannot be sent as a cookie');
		expect(error?.description).toBe(
			'Enter the name of the cookie alone, without = and blanks, or send the session in the query.',
		);
	});

	it('a session that is not accepted after a login is an error that names the way in which it is sent', async () => {
		const { store } = storeOf(testbed, { sessionIn: 'cookie', cookieName: 'OTHER' });
		const { error } = await run(readOrder(), store);
		expect(error?.message).toContain('The service did not accept the credential');
		expect(error?.description).toContain("correct 'Cookie Name'");
		expect(error?.description).not.toContain("'Email'");
	});

	it('a refused login is an error that names e-mail and password', async () => {
		testbed.inject({ kind: 'status', status: 401, when: ({ path }) => path === '/AUTH', times: 9 });
		const { error } = await run(readOrder(), storeOf(testbed, { sessionIn: 'cookie' }).store);
		expect(error?.description).toContain("Check 'Email' and 'Password'");
	});

	it('the service does not apply the naming of an earlier request to the session in a cookie', async () => {
		const { store } = storeOf(testbed, { sessionIn: 'cookie' });
		const byId = await run(readOrder({ options: { fieldKeys: 'id' } }), store);
		const byName = await run(readOrder(), store);
		expect(byId.items[0]?.json).toHaveProperty('1000004');
		expect(byName.items[0]?.json).toHaveProperty('City');
		expect(testbed.reads.slice(1).map(({ query }) => Object.fromEntries(query).naming)).toEqual([
			'EID',
			'FNAME',
		]);
	});
});
