import type { IExecuteFunctions } from 'n8n-workflow';
import { readConnection } from '../../../../nodes/api/http/connection';
import type { Connection, CredentialType } from '../../../../nodes/api/http/connection';

async function connectionOf(
	data: Record<string, unknown>,
	type: CredentialType = 'sheetRecordsApi',
): Promise<Connection> {
	const credential = { baseUrl: 'https://host', account: 'acme', apiKey: 'a-key', ...data };
	const context = { getCredentials: async () => credential };
	// n8n's contexts have some hundred members; a connection is read with one.
	return await readConnection(context as unknown as IExecuteFunctions, type);
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
