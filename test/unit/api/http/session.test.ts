import { connectionOf, withSession } from '../../../../nodes/api/http/connection';
import { Client } from '../../../../nodes/api/http/client';
import { sessionIn, storedSession } from '../../../../nodes/api/http/session';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { InputError } from '../../../../nodes/api/values/inputError';
import { thrown } from '../thrown';

const login = {
	...{ baseUrl: 'https://host', account: 'acme', email: 'a@b', password: 'word' },
	sessionId: '',
};
const withStored = (sessionId: string) => ({
	...login,
	sessionId: storedSession(login, sessionId),
});

it.each(['0123456789ABCDEF', 'with:colons:', ' with blanks ', ''])(
	'a session ID is read unchanged from storage: %p',
	(sessionId) => {
		expect(sessionIn(withStored(sessionId))).toBe(sessionId);
	},
);

it.each([
	{ changed: 'baseUrl', value: 'https://other' },
	{ changed: 'email', value: 'c@d' },
	{ changed: 'password', value: 'other' },
	{ changed: 'allowUnauthorizedCerts', value: true },
])('a session does not belong to another $changed', ({ changed, value }) => {
	const edited = { ...withStored('0123456789ABCDEF'), [changed]: value };
	expect(sessionIn(edited)).toBe('');
	const error = thrown(InputError, () => withSession({ url: `${edited.baseUrl}/acme` }, edited));
	expect(error.message).toBe('The session in the credential belongs to another login');
});

it('a session without the key of its login is not used', () => {
	expect(sessionIn({ ...login, sessionId: '0123456789ABCDEF' })).toBe('');
	expect(sessionIn({ ...login, sessionId: ':0123456789ABCDEF' })).toBe('');
	expect(sessionIn({})).toBe('');
});

it('the stored text does not reveal the password', () => {
	expect(storedSession({ ...login, password: 'S3cret&Key1' }, 'id')).not.toContain('S3cret');
});

it('a session is sent and redacted without the key that is stored with it', () => {
	const credential = { ...withStored('0123456789ABCDEF'), sessionIn: 'query' };
	const request = withSession({ url: 'https://host/acme' }, credential);
	expect(request.qs).toEqual({ sid: '0123456789ABCDEF' });
	expect(connectionOf('sheetRecordsSessionApi', credential).secrets).toEqual([
		'word',
		'0123456789ABCDEF',
	]);
});

it('a request whose login fails is not sent again with another login', async () => {
	const send = jest.fn(async () => ({ statusCode: 401, headers: {}, body: '' }));
	const host = { credential: async () => login, send, sleep: async () => {} };
	const client = await Client.connect(host, 'sheetRecordsSessionApi');
	const reading = client.read({ path: '/acme', query: 'api' });
	await expect(reading).rejects.toMatchObject({ kind: 'authentication' });
	expect(send).toHaveBeenCalledTimes(1);
});

it('a run sends no more logins after two rejections, even after the delay before the next login', async () => {
	let nextLoginAt = 0;
	const send = jest.fn(async () => {
		nextLoginAt += 1;
		const message = 'The service did not accept the login';
		throw new ServiceError({ kind: 'authentication', message, nextLoginAt });
	});
	const host = { credential: async () => login, send, sleep: async () => {} };
	const client = await Client.connect(host, 'sheetRecordsSessionApi');
	for (const path of ['/first', '/second', '/third']) {
		const reading = client.read({ path, query: 'api' });
		await expect(reading).rejects.toThrow('did not accept the login');
	}
	expect(send).toHaveBeenCalledTimes(2);
});

it('a session is not used for another login whose e-mail and password have the same concatenation', () => {
	const other = { ...withStored('0123456789ABCDEF'), email: 'a@bw', password: 'ord' };
	expect(sessionIn(other)).toBe('');
});
