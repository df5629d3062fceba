import type { IDataObject } from 'n8n-workflow';
import { registration } from '../../../nodes/SheetRecordsTrigger/registration';
import { fakeContext } from './fakeContext';

type Activation = Parameters<typeof fakeContext>[0]['activation'];

const publicService = 'https://www.service.example';

/** Activates or deactivates a node. Returns whether it is registered, or its error, and the paths of the requests. */
async function call(
	hook: keyof typeof registration,
	webhookUrl: string,
	{
		baseUrl = publicService,
		parameters = {} as IDataObject,
		staticData = {} as IDataObject,
		activation = 'activate' as Activation,
	} = {},
) {
	const paths: string[] = [];
	const context = fakeContext({
		...{
			baseUrl,
			webhookUrl,
			body: '',
			onAnswer: () => {},
			staticData,
			activation,
		},
		parameters: {
			authentication: 'apiKey',
			sheet: { __rl: true, mode: 'path', value: 'sales/1' },
			...{ registration: 'automatic', verification: 'off', events: ['CREATE'], filters: {} },
			...{ options: {}, ...parameters },
		},
		answer: async ({ pathname }) => {
			paths.push(pathname);
			const body = JSON.stringify([{ url: webhookUrl, event: 'Create' }]);
			return await Promise.resolve({ statusCode: 200, headers: {}, body });
		},
	});
	const result = await registration[hook].call(context).catch((error: unknown) => error);
	return { result, paths };
}

it.each([
	['http://localhost:5678/webhook/1/webhook', 'http://localhost:5678/…'],
	['http://192.168.1.10:5678/webhook/1/webhook', 'http://192.168.1.10:5678/…'],
	['http://n8n:5678/webhook/1/webhook', 'http://n8n:5678/…'],
	['http://[::1]:5678/webhook/1/webhook', 'http://[::1]:5678/…'],
	['n8n.example.com/webhook/1/webhook', 'n8n.example.com/…'],
])(
	'automatic registration of %s in a public service is rejected before any request',
	async (address, visible) => {
		const { result, paths } = await call('checkExists', address);
		expect(result).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(
				`n8n would register ${visible}, which the service cannot reach. WEBHOOK_URL must be n8n's public address. `,
			),
			description: expect.stringMatching(/WEBHOOK_URL.*or use Sheet Records Polling Trigger/),
		});
		expect(paths).toEqual([]);
	},
);

it.each([
	['a public address', 'https://n8n.example.com/webhook/1', publicService],
	['a private address for a private service', 'http://n8n:5678/webhook/1', 'https://10.0.0.7'],
	['a local address for a local service', 'http://localhost:5678/1', 'https://localhost:8443'],
])('automatic registration accepts %s', async (_, address, baseUrl) => {
	const { result, paths } = await call('checkExists', address, { baseUrl });
	expect(result).toBe(true);
	expect(paths).toEqual(['/sims/webhooks.jsp']);
});

it('manual registration accepts a private address, because a proxy may lead to it', async () => {
	const parameters = { registration: 'manual' };
	const { result } = await call('checkExists', 'http://localhost:5678/webhook/1', { parameters });
	expect(result).toBe(true);
});

it('a private address that was registered earlier can be removed', async () => {
	const { result, paths } = await call('delete', 'http://localhost:5678/webhook/1');
	expect(result).toBe(true);
	expect(paths).toEqual(['/sims/webhooks.jsp', '/sims/webhookUnsubscribe.jsp']);
});

it('a removed registration is forgotten, so a later activation with another account does not warn of it', async () => {
	const address = 'https://n8n.example.com/webhook/1';
	const staticData = { registered: `${publicService}/acme/sales/1\n${address}`, other: 'kept' };
	const { result } = await call('delete', address, { staticData });
	expect([result, staticData]).toEqual([true, { other: 'kept' }]);
});

it.each([
	{ activation: 'manual', options: {}, isKept: true },
	{ activation: 'manual', options: { skipRepeats: true }, isKept: true },
	{ activation: 'activate', options: {}, isKept: false },
] as const)(
	'a test run keeps the deliveries that are stored for the published workflow: $activation, $options',
	async ({ activation, options, isKept }) => {
		const stored = { recentDeliveries: '"17:UPDATE,a1,5,b2"', recentDeliveriesVersion: 2 };
		const staticData: IDataObject = { ...stored };
		const parameters = { registration: 'manual', options };
		await call('checkExists', 'https://n8n.example.com/1', { parameters, staticData, activation });
		if (isKept) expect(staticData).toEqual(stored);
		else expect(staticData).toEqual({});
	},
);
