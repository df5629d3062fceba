import {
	connectionOf,
	serviceOf,
	withKey,
	withSession,
} from '../../../../nodes/api/http/connection';
import { storedSession } from '../../../../nodes/api/http/session';
import { InputError } from '../../../../nodes/api/values/inputError';
import { thrown } from '../thrown';

const ofKey = (data: object) =>
	connectionOf('sheetRecordsApi', { baseUrl: 'https://host', account: 'acme', ...data });

it('surrounding whitespace of a secret is ignored, and a blank secret is not a secret', () => {
	for (const name of ['apiKey', 'password']) {
		expect(ofKey({ [name]: ' k3y+word/ \n' }).secrets).toEqual(['k3y+word/']);
	}
	expect(ofKey({ apiKey: ' ', sessionId: '' }).secrets).toEqual([]);
});

describe('the rate limit of a credential', () => {
	const limitOf = (requestsPerSecond: unknown) =>
		ofKey({ requestsPerSecond }).rateLimit.requestsPerSecond;

	it('the rate limit of a credential is 5 if it is not a number', () => {
		expect([5, 0.5, 0, '3', '0'].map(limitOf)).toEqual([5, 0.5, 0, 3, 0]);
		for (const other of [undefined, null, '', 'many', NaN, -1, Infinity]) {
			expect(limitOf(other)).toBe(5);
		}
	});

	it('the rate limit belongs to the account, however the account is spelled', () => {
		const spelled = ofKey({ baseUrl: 'https://HOST:443/', account: '/Acme/ ' });
		expect(spelled.rateLimit.account).toBe('https://host/acme');
		expect(ofKey({ baseUrl: ' https://host' }).rateLimit.account).toBe('https://host/acme');
	});
});

const host = 'https://host';
const url = `${host}/acme/sales/1`;
const inputError = (act: () => unknown) => thrown(InputError, act);

describe('the account of a credential', () => {
	it.each(['', ' ', '/', '.', '..', 'a/b'])('%j is no account', (account) => {
		const failure = inputError(() => ofKey({ account }));
		expect(failure.message).toBe("Enter the account name in the credential, for example 'acme'");
		expect(failure.remedy).toBe('checkAccount');
	});

	it('is found in the base URL if it is not entered', () => {
		expect(ofKey({ account: undefined, baseUrl: `${host}/shop` }).account).toBe('shop');
	});
});

it('users differ by e-mail or key, and by the kind of the credential', () => {
	const data = { baseUrl: host, account: 'acme' };
	const digests = [
		ofKey({ apiKey: 'a' }),
		ofKey({ apiKey: 'b' }),
		connectionOf('sheetRecordsSessionApi', { ...data, email: 'a' }),
		connectionOf('sheetRecordsSessionApi', { ...data, email: 'b' }),
		connectionOf('sheetRecordsSessionApi', { ...data, email: 'b', password: 'other' }),
	].map(({ userDigest }) => userDigest);
	expect(new Set(digests).size).toBe(4);
	expect(digests[4]).toBe(digests[3]);
});

it('a service whose certificate is not checked is another one', () => {
	const services = [undefined, false, 'true', true].map((allowUnauthorizedCerts) =>
		serviceOf(ofKey({ allowUnauthorizedCerts })),
	);
	expect(services).toEqual([host, host, host, `${host} unchecked`]);
});

describe('a request with the API key', () => {
	const credential = { baseUrl: host, apiKey: ' k3y+/= \n' };

	it('has the key in the header as it is, or in the query, beside what it had', () => {
		const request = { url, headers: { accept: 'x' }, qs: { api: '' } };
		expect(withKey(request, credential)).toEqual({
			...request,
			headers: { accept: 'x', authorization: 'Basic k3y+/=' },
		});
		expect(withKey(request, { ...credential, apiKeyIn: 'query' })).toEqual({
			...request,
			qs: { api: '', APIKey: 'k3y+/=' },
		});
	});

	it.each(['two words', 'line\nbreak', 'é', '\u0000a'])(
		'is rejected if a header cannot hold the key %j, and the error does not show the key',
		(apiKey) => {
			const failure = inputError(() => withKey({ url }, { ...credential, apiKey }));
			expect(failure.message).toBe(
				'The API key in the credential holds characters that a header cannot hold',
			);
			expect(failure.description).toContain('Enter it again');
		},
	);

	it('is rejected if it goes to another host', () => {
		const failure = inputError(() => withKey({ url: 'https://evil.example' }, credential));
		expect(failure.message).toContain('for another host');
	});
});

describe('a request with a session', () => {
	const login = { baseUrl: host, email: 'a@b.example', password: 'word' };
	const credential = (sessionId: string, settings: object = {}) => ({
		...login,
		sessionId: storedSession(login, sessionId),
		...settings,
	});
	const asCookie = (cookieName: string) => ({ sessionIn: 'cookie', cookieName });

	it('has the session in the query or in a cookie, beside what it had', () => {
		const request = { url, headers: { accept: 'x' }, qs: { api: '' } };
		const inQuery = { ...request, qs: { api: '', sid: 'abc' } };
		expect(withSession(request, credential('abc'))).toEqual(inQuery);
		expect(withSession(request, credential('abc', { sessionIn: 'query' }))).toEqual(inQuery);
		expect(withSession(request, credential('abc', asCookie("sid_1!#$%&'*+.^`|~-")))).toEqual({
			...request,
			headers: { accept: 'x', Cookie: "sid_1!#$%&'*+.^`|~-=abc" },
		});
	});

	it.each(['', 'a b', 'a=b', 'sid;x', ' sid', 'sid '])(
		'is rejected if %j is to be the name of the cookie',
		(name) => {
			const failure = inputError(() => withSession({ url }, credential('abc', asCookie(name))));
			expect(failure.message).toContain('cannot be sent as a cookie');
			expect(failure.description).toContain('without = and blanks');
		},
	);

	it('is rejected if the session would be more than one cookie, or does not fit into a header', () => {
		const messageFor = (sessionId: string) =>
			inputError(() => withSession({ url }, credential(sessionId, asCookie('sid')))).message;
		expect(messageFor('abc; path')).toContain('cannot be sent as a cookie');
		expect(messageFor('a b')).toBe(
			'The session in the credential holds characters that a header cannot hold',
		);
	});

	it('is rejected if the session belongs to another login, or if it goes to another host', () => {
		const other = { ...credential('abc'), password: 'other' };
		const failure = inputError(() => withSession({ url }, other));
		expect(failure.message).toContain('belongs to another login');
		expect(failure.description).toContain('it logs in');
		const elsewhere = { url: 'https://evil.example' };
		expect(inputError(() => withSession(elsewhere, credential('abc'))).message).toContain(
			'for another host',
		);
	});
});
