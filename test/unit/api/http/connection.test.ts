import * as connections from '../../../../nodes/api/http/connection';

function connectionOf(
	data: object,
	type: connections.CredentialType = 'sheetRecordsApi',
): connections.Connection {
	const credential = { baseUrl: 'https://host', account: 'acme', apiKey: 'a-key', ...data };
	return connections.connectionOf(type, credential);
}

describe('the secrets of a credential', () => {
	it.each([
		['apiKey', 'sheetRecordsApi'],
		['password', 'sheetRecordsSessionApi'],
		['sessionId', 'sheetRecordsSessionApi'],
	] as const)('are known without the blanks that were pasted along: %s', async (name, type) => {
		const { secrets } = await connectionOf({ [name]: ' k3y+word/ \n' }, type);
		expect(secrets).toContain('k3y+word/');
	});

	it('are none of those that are not there', async () => {
		const { secrets } = await connectionOf({ apiKey: ' ', sessionId: '' });
		expect(secrets).toEqual([]);
	});
});

describe('the pace of a credential', () => {
	it.each([
		[5, 5],
		[0.5, 0.5],
		['3', 3],
		[0, 0],
		['0', 0],
		[undefined, 5],
		[null, 5],
		['', 5],
		['many', 5],
		[NaN, 5],
		[-1, 5],
		[Infinity, 5],
	])('of %p is %d requests a second', async (requestsPerSecond, pace) => {
		expect((await connectionOf({ requestsPerSecond })).rateLimit.requestsPerSecond).toBe(pace);
	});

	it('belongs to the account, however it is spelled', async () => {
		const spellings = [
			{ baseUrl: 'https://HOST:443/', account: '/Acme/ ' },
			{ baseUrl: ' https://host', account: 'acme' },
		];
		const paces = await Promise.all(
			spellings.map(async (data) => (await connectionOf(data)).rateLimit.account),
		);
		expect(paces).toEqual(['https://host/acme', 'https://host/acme']);
	});
});
