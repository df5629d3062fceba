import type { INodeParameters } from 'n8n-workflow';

import { useRecordTestbed } from '../recordTestbed';
import { apiType, pressTest, types, type CredentialType } from './pressTest';

const testbed = useRecordTestbed();
const press = async (type: CredentialType, more?: INodeParameters) =>
	await pressTest(testbed, type, more);

const wrongIdentity = /does not accept|did not accept/;
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
			testbed.service.faults.inject({ kind: 'body', body, times: 9, when: menuOf });
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
		testbed.service.faults.inject({ kind: 'status', status, times: 9, when: menuOf });
		const { message, ...verdict } = await press(apiType);
		expect(verdict.status).toBe('Error');
		expect(message).toMatch(says);
	});
});

describe('a good key that is taken for a guest once', () => {
	it.each(types)('is asked about a second time: %s', async (type) => {
		testbed.service.faults.inject({ kind: 'body', body: refusal(106), when: menuOf });
		expect(await press(type)).toMatchObject({ status: 'OK' });
		expect(testbed.service.requests.all().filter(menuOf)).toHaveLength(2);
	});
});

describe('a service that sends the request on', () => {
	it('is followed on its own host, with the identity', async () => {
		const location = '/acme?api&again=1';
		testbed.service.faults.inject({ kind: 'redirect', location, when: menuOf });
		expect(await press(apiType, { apiKeyIn: 'query' })).toMatchObject({ status: 'OK' });
		expect(testbed.service.requests.all().map(({ identity }) => identity)).toEqual([
			'member',
			'member',
		]);
	});

	it('is not followed to another host', async () => {
		const location = 'https://elsewhere.example/acme?api';
		testbed.service.faults.inject({ kind: 'redirect', location, when: menuOf });
		const verdict = await press(apiType);
		expect(verdict).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/another host, https:\/\/elsewhere\.example.*Base URL/),
		});
	});
});
