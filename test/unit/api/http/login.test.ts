import fc from 'fast-check';
import { loginAddress, logIn, sessionIdOf } from '../../../../nodes/api/http/login';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { everyEntryMatters } from '../../everyEntry';
import { passTime, withPassingTime } from '../passingTime';
import { thrown } from '../thrown';

const answer = (text: string, status = 200) => ({ status, text, headers: {} });

const failureOf = (body: string, statusCode?: number) =>
	thrown(ServiceError, () => sessionIdOf(answer(body, statusCode)));

describe('the address of the login', () => {
	it('the login address contains e-mail and password unchanged', () => {
		const texts = fc.string({ unit: 'binary', minLength: 1 });
		fc.assert(
			fc.property(texts, texts, (email, password) => {
				const address = new URL(loginAddress('https://host:8443/', ` ${email}`, password));
				expect(`${address.origin}${address.pathname}`).toBe('https://host:8443/AUTH');
				expect([...address.searchParams]).toEqual([
					['api', ''],
					['u', email.trim()],
					['p', password],
					['login_type', 'sessionId'],
					['json', '1'],
				]);
			}),
			{ examples: [['a@b.example ', ' word ']] },
		);
	});
});

describe('the session ID', () => {
	it('any successful status may bring a session ID', () => {
		expect([200, 299].map((status) => sessionIdOf(answer('abcDEF', status)))).toEqual([
			...['abcDEF', 'abcDEF'],
		]);
	});

	it('a session ID as plain text is returned unchanged', () => {
		const ids = fc.string({ unit: 'binary', minLength: 1 }).filter((id) => id !== '-1');
		fc.assert(
			fc.property(ids, (id) => {
				expect(sessionIdOf(answer(JSON.stringify({ sid: id })))).toBe(id);
			}),
		);
	});
});

describe('a login', () => {
	it.each([
		...['-1', ' -1\n', '"-1"', '{"sid":"-1"}', '{"sid":-1}', '{"sid":""}', '{"sid":null}'],
		...['{}', '[]', 'null', 'true'],
	])('the login answer %j is a rejected login', (body) => {
		expect(failureOf(body)).toMatchObject({
			kind: 'authentication',
			message: 'The service did not accept the e-mail or the password',
		});
	});

	it.each<[body: string, status: number, kind: string]>([
		['<html><body>Log in</body></html>', 200, 'webPage'],
		['An error occurred', 200, 'authentication'],
		['ERROR', 200, 'authentication'],
		['{"status":"ERROR","code":101,"msg":"acme"}', 200, 'refused'],
		['{"status":"ERROR","code":301,"msg":"No"}', 200, 'authentication'],
		['{"status":"ERROR","code":302,"msg":"No"}', 200, 'authentication'],
		['abcDEF123', 500, 'server'],
		['Moved', 300, 'redirected'],
		['Moved', 302, 'redirected'],
		['Moved', 399, 'redirected'],
		['abcDEF123', 400, 'refused'],
	])('the login answer %j with status %d fails: %s', (body, status, kind) => {
		expect(failureOf(body, status).kind).toBe(kind);
	});

	it('a failed login does not quote the answer', () => {
		for (const body of ['{"sid":"abcDEF', '"abc DEF', '{"Sid":"abcDEF"}', 'abc\u0000DEF']) {
			const { message, details } = failureOf(body);
			expect(`${message} ${JSON.stringify(details)}`).not.toMatch(/abc|DEF/);
		}
	});

	it.each([
		['Moved', 302, 'The service sends the login on to another address', 'checkBaseUrl'],
		['Not Found', 404, 'The service has no login at this address: ', 'checkBaseUrl'],
	] as const)(
		'the error for the login answer %j with status %d names the cause and the setting to check',
		(body, status, message, remedy) => {
			const failure = failureOf(body, status);
			expect(failure.message).toContain(message);
			expect(failure.details).toMatchObject({ remedy, status });
			expect(failure.details.description).toBeUndefined();
		},
	);

	it('a rejected login says the words of the service, or the first characters of a text', () => {
		const says = (body: string) => failureOf(body).message;
		expect(says('{"msg":"Wrong word","status":"ERROR"}')).toContain('Wrong word');
		expect(says('{"message":"Locked","status":"SUCCESS"}')).toContain('Locked');
		expect(says('No [access]')).toContain('No [access]');
		expect(failureOf('').details).not.toHaveProperty('quoted', expect.anything());
	});

	it('a login answer without a session ID is a rejected login', () => {
		const message = 'The service did not accept the login: SUCCESS';
		expect(failureOf('{"status":"SUCCESS","accounts":["acme"]}').message).toBe(message);
	});
});

describe('rejected logins', () => {
	withPassingTime();
	const credential = { baseUrl: 'https://host', email: 'a@b.example', password: 'word' };
	const logInWith = async (text: string) =>
		await logIn(credential, async () => await Promise.resolve(answer(text)));

	it('each rejection doubles the pause, in which no login is sent and the error says how long it lasts', async () => {
		const email = 'pause@b.example';
		let sent = 0;
		const login = async () =>
			await logIn({ ...credential, email }, async () => {
				sent += 1;
				return await Promise.resolve(answer('-1'));
			});
		for (const [index, seconds] of [10, 20, 40].entries()) {
			await expect(login()).rejects.toThrow('did not accept');
			passTime((seconds - 2) * 1000);
			const failure: unknown = await login().catch((error: unknown) => error);
			expect(failure).toMatchObject({
				message: expect.stringContaining('did not accept'),
				details: {
					description: expect.stringMatching(
						/^\S.*No login is tried for another 2 s, unless the credential is changed/,
					),
				},
			});
			expect(sent).toBe(index + 1);
			passTime(2_000);
		}
	});

	it('a login that succeeds ends the series of rejections, so the next pause is short again', async () => {
		for (const seconds of [10, 20]) {
			await expect(logInWith('-1')).rejects.toThrow('did not accept');
			passTime((seconds + 1) * 1000);
		}
		expect(await logInWith('{"sid":"abc"}')).toBe('abc');
		await expect(logInWith('-1')).rejects.toThrow('did not accept');
		passTime(11_000);
		expect(await logInWith('{"sid":"def"}')).toBe('def');
	});
});

describe('answers to a login that are no session ID', () => {
	const words = [
		...['-1', 'null', 'undefined', 'true', 'false', 'none', 'OK', 'success', 'Denied', 'ERROR'],
		...['fail', 'FAILED', 'failure', 'forbidden', 'invalid', 'unauthorized'],
	];
	/** Kind of the failure → answer to the login. */
	const counted: ReadonlyMap<string, ReturnType<typeof answer>> = new Map([
		['authentication', answer('-1')],
		['noAccess', answer('{"status":"ERROR","code":106,"msg":"No"}')],
		['rejected', answer('{"status":"INVALID","code":202,"msg":"No"}')],
		['refused', answer('{"status":"ERROR","code":101,"msg":"No"}')],
	]);

	it.each(words)('%s', (word) => {
		expect(failureOf(word).kind).toBe('authentication');
	});

	let accounts = 0;
	/** Returns the kind of the failure, and how often the login was sent. */
	const loginTwice = async (tested: typeof logIn, rejection: ReturnType<typeof answer>) => {
		const email = `account${(accounts += 1)}@b.example`;
		let [kind, sent] = ['', 0];
		const login = async () =>
			await tested({ baseUrl: 'https://host', email, password: 'word' }, async () => {
				sent += 1;
				return await Promise.resolve(rejection);
			});
		for (let times = 0; times < 2; times++) {
			kind = await login().catch((error: unknown) =>
				error instanceof ServiceError ? error.kind : 'other',
			);
		}
		return { kind, sent };
	};

	it.each([...counted])(
		'a login with the failure %s is not sent again at once',
		async (kind, sent) => {
			expect(await loginTwice(logIn, sent)).toEqual({ kind, sent: 1 });
		},
	);

	it('a login that the service could not answer is sent again', async () => {
		const kinds = { server: answer('', 500), webPage: answer('<html></html>') };
		for (const [kind, sent] of Object.entries(kinds)) {
			expect(await loginTwice(logIn, sent)).toEqual({ kind, sent: 2 });
		}
	});

	everyEntryMatters<typeof import('../../../../nodes/api/http/login')>(
		'nodes/api/http/login.ts',
		async (tested) => [
			words.map((word) => {
				try {
					return tested.sessionIdOf(answer(word));
				} catch {
					return '';
				}
			}),
			await Promise.all([...counted.values()].map((sent) => loginTwice(tested.logIn, sent))),
		],
		{
			isMeant: (name) => name === 'errorWord' || name === 'countedFailures',
			// Each process cache is declared once.
			replacedModules: { './processState': { processCache: () => new Map() } },
		},
	);
});
