import type { IHttpRequestOptions } from 'n8n-workflow';
import { createCustomer, readOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { packageTypes, testCredential } from '../runner';
import { startUnknownServer, type UnknownServer } from './unknownAuthority';

const testbed = useRecordTestbed();

const credentialsFor = (baseUrl: string) => ({
	...testbed.credentials('member', { baseUrl }),
	...testbed.sessionCredentials('member', { baseUrl }),
});
const ways = ['apiKey', 'session'] as const;

describe('an untrusted certificate', () => {
	let server: UnknownServer;
	beforeAll(async () => {
		server = await startUnknownServer();
	});
	afterAll(async () => await server.close());

	it.each(ways)(
		'an untrusted certificate is rejected at once, and the message says so: %s',
		async (authentication) => {
			for (const parameters of [readOrder(), createCustomer()]) {
				const before = server.connections();
				const credentials = credentialsFor(server.baseUrl);
				const result = await testbed.runById({ ...parameters, authentication }, [{}], {
					credentials,
				});
				expect(result.error?.message).toMatch(/certificate/);
				expect(result.error?.description).toMatch(/certificate/);
				expect(result.error?.description).not.toMatch(/unknown whether/);
				expect(server.connections() - before).toBe(1);
			}
			const type = authentication === 'apiKey' ? 'sheetRecordsApi' : 'sheetRecordsSessionApi';
			const verdict = await testCredential(type, credentialsFor(server.baseUrl)[type]);
			expect(verdict).toMatchObject({ status: 'Error', message: expect.stringMatching(/cert/i) });
			expect(server.requests()).toBe(0);
		},
	);
});

const day = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * day);

it.each([
	{ description: 'is for another host', host: 'elsewhere.example', from: -1, to: 1, says: '' },
	{
		description: 'has expired',
		host: 'localhost',
		from: -9,
		to: -1,
		says: "check the clock of n8n's host",
	},
])(
	'a certificate that $description is rejected, and reported as such',
	async ({ host, from, to, says }) => {
		const validity = { notBeforeDate: inDays(from), notAfterDate: inDays(to) };
		const server = await startUnknownServer(host, validity);
		const credentials = credentialsFor(server.baseUrl);
		const { error } = await testbed.run(readOrder(), [{}], { credentials });
		await server.close();
		expect(error?.message).toContain("The service's certificate cannot be verified");
		expect(error?.description).toContain(says);
		expect(server.requests()).toBe(0);
	},
);

it.each(ways)('plain HTTP is rejected before anything is sent: %s', async (authentication) => {
	const baseUrl = testbed.service.baseUrl.replace('https:', 'http:');
	for (const parameters of [readOrder(), createCustomer()]) {
		const result = await testbed.runById({ ...parameters, authentication }, [{}], {
			credentials: credentialsFor(baseUrl),
		});
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining('HTTPS only'),
			description: expect.stringContaining('https://'),
			context: { itemIndex: 0 },
		});
	}
	expect(testbed.service.requests.count).toBe(0);
});

it('every kind of request has the time limit and the other fixed options', async () => {
	const types = await packageTypes();
	const type = types.credential('sheetRecordsApi');
	const { authenticate } = type;
	if (typeof authenticate !== 'function') throw new Error('The type has no authenticate.');
	const asked: IHttpRequestOptions[] = [];
	const listening = types.with({
		credentials: {
			sheetRecordsApi: {
				...type,
				authenticate: async (data, options) => {
					asked.push({ ...options });
					return await authenticate.call(type, data, options);
				},
			},
		},
	});
	for (const parameters of [readOrder(), createCustomer()])
		await testbed.runById(parameters, [{}], { types: listening });
	expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
	for (const options of asked) {
		expect(options).toMatchObject({
			timeout: 120_000,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		});
		expect(options.abortSignal).toBeInstanceOf(AbortSignal);
		expect(options.skipSslCertificateValidation).toBe(false);
		expect(options).not.toHaveProperty('qs');
	}
});
