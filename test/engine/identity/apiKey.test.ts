import { type IdentityName } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { createCustomer, readOrder } from '../operations';

const testbed = useRecordTestbed();

const identities: IdentityName[] = ['member', 'outsider'];

const wrongKey = 'bm90LWEta2V5LWF0LWFsbA==';

describe('the API key in the header', () => {
	it.each(identities)(
		'the key in the header is sent unencoded after Basic, without a colon: %s',
		async (name) => {
			await testbed.run(readOrder(), [{}], testbed.as(name));
			const { apiKey } = testbed.service.identities[name];
			const [request] = testbed.service.requests.all();
			// A rejected request is sent once more.
			expect(testbed.service.requests.count).toBe(name === 'outsider' ? 2 : 1);
			expect(request?.headers.authorization).toBe(`Basic ${apiKey}`);
			expect(request?.identity).toBe(name);
		},
	);
});

const inQuery = () => testbed.as('member', { apiKeyIn: 'query' });

it.each([
	['a read', readOrder()],
	['a write', createCustomer()],
])('the key in the query is encoded once and comes last: %s', async (_, parameters) => {
	await testbed.runById(parameters, [{}], inQuery());
	const [request] = testbed.service.requests.all();
	const { apiKey } = testbed.service.identities.member;
	expect(request?.rawUrl).toMatch(/^\/acme\/sales\/[\w/]+\?api&/);
	expect(request?.rawUrl.endsWith(`&APIKey=${encodeURIComponent(apiKey)}`)).toBe(true);
	expect(request?.identity).toBe('member');
	expect(request?.headers).not.toHaveProperty('authorization');
	expect(request?.headers).not.toHaveProperty('cookie');
	expect(JSON.stringify(request?.headers)).not.toContain(apiKey);
});

it.each([
	['status401', 1],
	['code105', 1],
	// A request with code 106 is repeated, because the service sometimes mistakes a valid key for a guest's.
	['code106', 2],
	['code304', 1],
] as const)(
	'a wrong key is reported after the necessary number of requests: %s',
	async (wrongKeyAnswer, requests) => {
		testbed.service.switches.wrongKeyAnswer = wrongKeyAnswer;
		const result = await testbed.run(readOrder(), [{}], testbed.as('member', { apiKey: wrongKey }));
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/credential|Authentication|No access|secret key/);
		expect(result.error?.description).toMatch(/credential|API key/i);
		expect(result.error?.name).toBe('NodeApiError');
		expect(testbed.service.requests.count).toBe(requests);
		expect(result.recorded).not.toContain(wrongKey);
	},
);
