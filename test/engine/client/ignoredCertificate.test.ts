import { createCustomer, readOrder } from '../operations';
import { testCredential } from '../runner';
import { useFreshTriggerTestbed } from '../trigger/triggerTestbed';
import { behindOwnCertificate, type Gateway } from './behindOwnCertificate';

const trigger = useFreshTriggerTestbed();
const { testbed } = trigger;

let gateway: Gateway;
beforeEach(async () => {
	gateway = await behindOwnCertificate(testbed.service);
});
afterEach(async () => await gateway.close());

const credentialsWith = (allowUnauthorizedCerts: boolean | string) => {
	const credentialData = { baseUrl: gateway.baseUrl, allowUnauthorizedCerts };
	return {
		...testbed.credentials('member', credentialData),
		...testbed.sessionCredentials('member', credentialData),
	};
};

describe('Ignore SSL Issues, when it is on', () => {
	it.each(['apiKey', 'session'])(
		'requests and logins work with Ignore SSL Issues: %s',
		async (authentication) => {
			for (const parameters of [readOrder(), createCustomer()]) {
				const run = { ...parameters, authentication };
				const credentials = credentialsWith(true);
				expect((await testbed.runById(run, [{}], { credentials })).error).toBeUndefined();
			}
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it('a trigger fetches the public key with Ignore SSL Issues', async () => {
		const listener = await trigger.listen({}, { credentials: credentialsWith(true) });
		expect((await listener.post(trigger.body([5]))).status).toBe(200);
		expect(trigger.keyRequests).toHaveLength(1);
	});
});

it.each([false, '', 'false'])(
	'an untrusted certificate is rejected if Ignore SSL Issues is %j',
	async (value) => {
		const credentials = credentialsWith(value);
		const { error } = await testbed.run(readOrder(), [{}], { credentials });
		expect(error?.message).toBe("The service's certificate cannot be verified");
		expect(error?.description).toMatch(/NODE_EXTRA_CA_CERTS.*Ignore SSL Issues/);
		expect((await testCredential('sheetRecordsApi', credentials.sheetRecordsApi)).status).toBe(
			'Error',
		);
		expect(testbed.service.requests.count).toBe(0);
	},
);
