import { customers, orders, recipes, type IdentityName, type SeenRequest } from '../../service';
import { sheet } from '../recordTestbed';
import { packageName, packageTypes } from '../runner';
import { secretsFoundIn } from '../secrets';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const automatic = { registration: 'automatic' };
const everything = ['CREATE', 'UPDATE', 'DELETE'];

function receivers(address: { path: string; index: number } = orders) {
	return trigger.service.webhooks.receivers.of(address);
}

/** Returns the subscription requests, as `endpoint?query`. */
function subscriptionRequests(): string[] {
	return trigger.service.requests
		.all()
		.filter(({ path }) => path.startsWith('/sims/'))
		.map(({ rawUrl }) => rawUrl.replace('/sims/', ''));
}

describe('automatic registration', () => {
	it('automatic registration registers the address on activation and removes it on deactivation', async () => {
		const listener = await trigger.listen(automatic);
		expect(receivers()).toEqual([{ url: listener.url, events: everything, fullContent: true }]);
		trigger.service.people.edit(orders, 5, {});
		await trigger.service.webhooks.settled();
		expect(await listener.items()).toHaveLength(1);
		await listener.deactivate();
		expect(receivers()).toEqual([]);
	});

	it('automatic registration sends requests in the format of the endpoints', async () => {
		const listener = await trigger.listen(automatic);
		const sheetQuery = 'n8n&ap=acme&path=%2Fsales%2Forders&si=1';
		const url = encodeURIComponent(listener.url);
		const event = 'event=CreateUpdateDelete';
		expect(subscriptionRequests()).toEqual([
			`webhooks.jsp?${sheetQuery}`,
			`webhooks.jsp?${sheetQuery}`,
			`webhookSubscribe.jsp?${sheetQuery}&url=${url}&${event}`,
			`webhooks.jsp?${sheetQuery}`,
		]);
	});

	it.each([
		[['DELETE'], 'Delete'],
		[['DELETE', 'CREATE'], 'CreateDelete'],
		[['UPDATE', 'CREATE'], 'CreateUpdate'],
	])('automatic registration sends the selected events %j as %s', async (events, text) => {
		await trigger.listen({ ...automatic, events });
		expect(subscriptionRequests().at(-2)).toMatch(new RegExp(`&event=${text}$`));
		expect(receivers().map((receiver) => [...receiver.events].sort())).toEqual([
			[...events].sort(),
		]);
	});

	it.each(['smallLetters', 'commas', 'otherOrder', 'entryForEach'] as const)(
		'automatic registration works with a service that lists events as %s: on activation, restart and deactivation',
		async (form) => {
			trigger.service.switches.subscriptionList = form;
			const listener = await trigger.listen(automatic);
			await listener.restart();
			const subscribing = subscriptionRequests().filter((query) =>
				query.startsWith('webhookSubscribe'),
			);
			expect(subscribing).toHaveLength(1);
			expect(receivers()).toEqual([{ url: listener.url, events: everything, fullContent: true }]);
			await listener.change({ events: ['UPDATE'] });
			expect(receivers()).toEqual([{ url: listener.url, events: ['UPDATE'], fullContent: true }]);
			await listener.deactivate();
			expect(receivers()).toEqual([]);
		},
	);

	it.each(['address', 'events'] as const)(
		'automatic registration works with a service that answers 404 to a removal of what is not registered, by %s',
		async (unsubscribing) => {
			Object.assign(trigger.service.switches, { unsubscribing, unregisteredRemoval: 'http404' });
			const listener = await trigger.listen(automatic);
			await listener.change({ events: ['UPDATE'] });
			expect(receivers()).toEqual([{ url: listener.url, events: ['UPDATE'], fullContent: true }]);
			trigger.service.webhooks.receivers.clear();
			await listener.deactivate();
			expect(subscriptionRequests().at(-1)).toMatch(/^webhooks\.jsp/);
		},
	);

	it('automatic registration keeps an existing entry after a restart of n8n', async () => {
		const listener = await trigger.listen(automatic);
		trigger.service.requests.clear();
		await listener.restart();
		expect(subscriptionRequests()).toEqual([expect.stringMatching(/^webhooks\.jsp/)]);
		expect(receivers()).toHaveLength(1);
	});

	it('automatic registration changes no other address, and no other sheet', async () => {
		const other = { url: 'https://other.example/hook', events: everything, fullContent: true };
		trigger.service.webhooks.register(orders, other.url);
		trigger.service.webhooks.register(customers, other.url);
		const listener = await trigger.listen(automatic);
		expect(receivers()).toEqual([other, expect.objectContaining({ url: listener.url })]);
		await listener.deactivate();
		expect(receivers()).toEqual([other]);
		expect(receivers(customers)).toEqual([other]);
	});

	it('automatic registration changes no address that is similar to its own', async () => {
		const similar: string[] = [];
		const onAddress = (url: string) => {
			similar.push(`${url}2`, url.slice(0, -1), `${url}?x=1`, url.toUpperCase());
			for (const each of similar) trigger.service.webhooks.register(orders, each);
		};
		const listener = await trigger.listen(automatic, { onAddress });
		expect(receivers()).toHaveLength(5);
		await listener.deactivate();
		expect(receivers().map(({ url }) => url)).toEqual(similar);
	});

	it('automatic registration removes nothing if the list of addresses has entries that are none', async () => {
		const body = JSON.stringify([null, 5, 'x', [], {}, { url: 5 }, { url: '', event: '' }]);
		const when = ({ path }: { path: string }) => path.includes('webhooks.jsp');
		trigger.service.faults.inject({ kind: 'body', body, when, times: 2 });
		const listener = await trigger.listen(automatic);
		trigger.service.faults.inject({ kind: 'body', body, when });
		await listener.deactivate();
		expect(subscriptionRequests().filter((query) => query.includes('Unsubscribe'))).toEqual([]);
	});

	it('automatic registration finds a sheet whose path must be encoded, and works with a session', async () => {
		const credentials = trigger.testbed.sessionCredentials();
		const sessionParameters = { ...automatic, authentication: 'session', sheet: sheet(recipes) };
		const listener = await trigger.listen(sessionParameters, { credentials });
		expect(receivers(recipes)).toEqual([expect.objectContaining({ url: listener.url })]);
	});
});

describe('a rejected automatic registration', () => {
	const manualWay = /'Registration' to 'Manual'.*Tools → Sync → Webhook/;

	const answered = (answer: 'code106' | 'html') => () => {
		trigger.service.switches.subscriptions = answer;
	};
	const done = () =>
		trigger.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.includes('webhookSubscribe'),
			body: 'OK',
		});

	it('a service without registration (HTTP 404) advises manual registration, and not another sheet', async () => {
		trigger.service.switches.subscriptions = 'http404';
		const error: unknown = await trigger.listen(automatic).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ description: expect.stringMatching(/^Set 'Registration' to/) });
		// n8n shows only the message to a user who publishes a workflow.
		expect(error).toMatchObject({ message: expect.stringContaining("Set 'Registration' to") });
	});

	it.each<[why: string, says: string, identity: IdentityName, prepare: () => void]>([
		['code 106', 'could not be registered', 'member', answered('code106')],
		['yes, though nothing is done', 'did not register the webhook', 'member', done],
		['a user who may only read', 'No access right', 'reader', () => {}],
	])(
		'a rejected automatic registration is an error that explains manual registration: %s',
		async (_why, says, identity, prepare) => {
			prepare();
			const credentials = trigger.credentials(identity);
			const error: unknown = await trigger
				.listen(automatic, { credentials })
				.catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({
				name: expect.stringMatching(/^Node(Api|Operation)Error$/),
				message: expect.stringContaining(says),
				description: expect.stringMatching(manualWay),
			});
			const { stack } = Object(error);
			expect(secretsFoundIn(JSON.stringify(error) + String(stack), trigger.service)).toEqual([]);
			expect(receivers()).toEqual([]);
		},
	);

	it('an overloaded service is named with the advice to wait, before manual registration', async () => {
		const when = ({ path }: SeenRequest) => path.includes('webhookSubscribe');
		trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
		const error: unknown = await trigger.listen(automatic).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			message: expect.stringContaining('The service is not available'),
			description: expect.stringMatching(/in maintenance\..*If it lasts, set 'Registration'/),
		});
	});
});

it.each([
	{ why: 'The service is not available', kind: 'status', status: 503 },
	{ why: 'The service did not return the list', kind: 'body', body: '{}' },
] as const)(
	'a start of n8n does not need the list of the service, unlike a publication: $why',
	async ({ why, ...fault }) => {
		const listener = await trigger.listen(automatic);
		const when = ({ path }: SeenRequest) => path.startsWith('/sims/');
		trigger.service.faults.inject({ ...fault, when, times: Infinity });
		await listener.restart();
		expect(listener.printed.join()).toContain('it is not known whether the address of');
		await expect(listener.activate()).rejects.toThrow(why);
		trigger.service.faults.clear();
		expect(receivers()).toHaveLength(1);
	},
);

it('a start of n8n fails while the service does not tell whether an address is registered of which n8n knows nothing', async () => {
	const listener = await trigger.listen(automatic);
	const { registered, ...staticData } = listener.staticData;
	expect(registered).toContain(listener.url);
	listener.changeStaticData(staticData);
	const when = ({ path }: SeenRequest) => path.startsWith('/sims/');
	trigger.service.faults.inject({ kind: 'status', status: 503, when, times: Infinity });
	await expect(listener.restart()).rejects.toThrow('The service is not available');
	trigger.service.faults.clear();
});

it('automatic registration is not mentioned in the error if the fields of the filters cannot be looked up', async () => {
	const isLookUp = ({ rawUrl }: { rawUrl: string }) => /metadata|&def|limit=20$/.test(rawUrl);
	trigger.service.faults.inject({ kind: 'status', status: 503, when: isLookUp, times: Infinity });
	const conditions = [{ field: 'City', operator: 'eq', value: 'Graz' }];
	const error: unknown = await trigger
		.listen({ ...automatic, filters: { conditions } })
		.catch((thrown: unknown) => thrown);
	expect(Object(error).message).toContain('The service is not available');
	expect(Object(error).message).not.toContain('registered');
	expect(Object(error).description).not.toContain('Manual');
});

describe('a registration that the service does not list', () => {
	/** Makes the third list empty. It is the list after the registration, so the registration seems missing. */
	function spoilThirdList(): void {
		let lists = 0;
		trigger.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.includes('webhooks.jsp') && ++lists === 3,
			body: '[]',
		});
	}

	it('a registration that the service does not list is removed again, and the workflow is not activated', async () => {
		spoilThirdList();
		await expect(trigger.listen(automatic)).rejects.toThrow('did not register the webhook');
		expect(subscriptionRequests().map((query) => query.replace(/\?.*/, ''))).toEqual([
			...['webhooks.jsp', 'webhooks.jsp', 'webhookSubscribe.jsp', 'webhooks.jsp'],
			...['webhooks.jsp', 'webhookUnsubscribe.jsp'],
		]);
		expect(receivers()).toEqual([]);
	});

	it('a registration that cannot be removed is named in the error', async () => {
		spoilThirdList();
		trigger.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.includes('Unsubscribe'),
			times: Infinity,
			body: '{"status":"ERROR","code":202,"msg":"Not now."}',
		});
		await expect(trigger.listen(automatic)).rejects.toMatchObject({
			message: expect.stringContaining('did not register the webhook'),
			description: expect.stringMatching(/Tools → Sync → Webhook.*may still be registered/),
		});
		trigger.service.faults.clear();
		expect(receivers()).toHaveLength(1);
	});
});

describe('manual registration', () => {
	it('manual registration can be deactivated although the settings are wrong, and removes nothing', async () => {
		const listener = await trigger.listen({ registration: 'manual' });
		listener.edit({ sheet: '' });
		await listener.deactivate();
		expect(subscriptionRequests()).toEqual([]);
	});

	it('manual registration is explained in the panel: the address, where to paste it, and the options to select', async () => {
		const { description } = (await packageTypes()).getByNameAndVersion(
			`${packageName}.sheetRecordsTrigger`,
		);
		const panel = JSON.stringify(description.triggerPanel);
		for (const words of [
			'Test URL',
			'Production URL',
			'Tools → Sync → Webhook',
			'Send full content of the changed record',
			'Select the events',
		]) {
			expect(panel).toContain(words);
		}
	});

	it.each([
		['a sheet without a number', { sheet: { __rl: true, mode: 'path', value: 'sales/orders' } }],
		[
			'a sheet of another account',
			{ sheet: { __rl: true, mode: 'url', value: 'https://localhost/other/sales/orders/1' } },
		],
		['no events', { events: [] }],
	])(
		'manual registration reports missing settings on activation: %s',
		async (_what, parameters) => {
			await expect(trigger.listen(parameters)).rejects.toMatchObject({
				name: 'NodeOperationError',
				message: expect.stringMatching(/Sheet|sheet|account|event/),
			});
		},
	);
});
