import { behindOwnCertificate, type Gateway } from '../client/behindOwnCertificate';
import { createCustomer, readOrder } from '../operations';
import { testCredential, type CredentialsByType } from '../runner';
import { ways } from '../secrets';
import { useTriggerTestbed } from '../trigger/triggerTestbed';

const trigger = useTriggerTestbed(60);
const { testbed } = trigger;

let gateway: Gateway;
beforeAll(async () => {
	gateway = await behindOwnCertificate(testbed.service);
});
afterAll(async () => await gateway.close());

const credentialsWith = (
	[authentication, place]: [string, string],
	value: boolean | string,
): CredentialsByType => {
	const data = { baseUrl: gateway.baseUrl, allowUnauthorizedCerts: value };
	const all = {
		...testbed.credentials('member', { ...data, apiKeyIn: place }),
		...testbed.sessionCredentials('member', { ...data, sessionIn: place }),
	};
	return authentication === 'session'
		? { sheetRecordsSessionApi: all.sheetRecordsSessionApi }
		: { sheetRecordsApi: all.sheetRecordsApi };
};

/** Values of Ignore SSL Issues, as stored or as an expression returns them. Only the boolean `true` turns the check off. */
const values: Array<[value: boolean | string, isTrusted: boolean]> = [
	[true, true],
	['={{ true }}', true],
	[false, false],
	['', false],
	['true', false],
	['false', false],
	['={{ false }}', false],
	['={{ "true" }}', false],
	['={{ "false" }}', false],
	['={{ $json.nothing }}', false],
];
const requests = [
	['a read', readOrder()],
	['a write', createCustomer()],
] as const;

/** The key is downloaded once, because all requests of a service share it. */
const isFirst = (way: string[]) => way.join() === ways[0]?.join();

describe.each(ways)('an untrusted certificate with the %s in %s', (...way) => {
	it.each(values)('Ignore SSL Issues as %j trusts it: %j', async (value, isTrusted) => {
		for (const [, parameters] of requests) {
			const credentials = credentialsWith(way, value);
			const run = { ...parameters, authentication: way[0] };
			const { error } = await testbed.runById(run, [{}], { credentials });
			expect(error?.message).toBe(
				isTrusted ? undefined : "The service's certificate cannot be verified",
			);
		}
		expect(testbed.writes).toHaveLength(isTrusted ? 1 : 0);
		expect(testbed.service.requests.count > 0).toBe(isTrusted);
	});

	it.each(values.filter(([value]) => !String(value).startsWith('=')))(
		'the connection test with Ignore SSL Issues as %j passes: %j',
		async (value, isTrusted) => {
			const [[type = '', data = {}] = []] = Object.entries(credentialsWith(way, value));
			expect((await testCredential(type, data)).status).toBe(isTrusted ? 'OK' : 'Error');
			expect(testbed.service.requests.count > 0).toBe(isTrusted);
		},
	);

	it.each([
		[true, 200],
		['false', 503],
	])('a trigger whose credential has %j answers a delivery with %j', async (value, status) => {
		const credentials = credentialsWith(way, value);
		const listener = await trigger.listen({ authentication: way[0] }, { credentials });
		expect((await listener.post(trigger.body([5]))).status).toBe(status);
		expect(trigger.keyRequests.length > 0).toBe(status === 200 && isFirst(way));
	});
});
