import { connectionOf } from '../../../../nodes/api/http/connection';

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
