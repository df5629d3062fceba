import type { INodeParameters } from 'n8n-workflow';
import { customers, orders } from '../../service';
import { operations as allOperations } from '../faults/matrix';
import { asJson } from '../record/recordValues';
import { createCustomer, readOrder, readOwnOrder, session } from '../operations';
import { numbers, onOrders, recordId, useRecordTestbed } from '../recordTestbed';
import { CredentialStore, packageTypes, type InputItem, type RunNodeOptions } from '../runner';
import { apiType, storeOf } from './pressTest';

const testbed = useRecordTestbed({ demoRecords: 60 });

const operations = allOperations
	.filter(({ run }) => run === undefined)
	.map((operation) => ({
		...operation,
		name: [operation.operation, operation.variant].filter(Boolean).join(' '),
	}));

/** Returns an expression with one value for the item at `index` and another value for all other items. */
const ofItem = (index: number, value: string, rest: string) =>
	`={{ $itemIndex === ${index} ? ${JSON.stringify(value)} : ${JSON.stringify(rest)} }}`;

const differs = (name: string) => `The items have different values for '${name}' in the credential`;
const toDo = (item: number, first = 0) =>
	`Item ${item} has a different value than item ${first}, but a run sends all items with one credential. Use a credential with the same values for all items, or run the node once for each value, for example with 'Loop Over Items'.`;

describe('nothing is sent when one of 120 items belongs to another account:', () => {
	it.each(operations)('$name', async ({ parameters, identity, items, prepare }) => {
		prepare?.(testbed.service);
		const [first = { json: {} }] = (await items?.(testbed.service)) ?? [];
		const { error } = await testbed.run(
			parameters,
			numbers(120).map(() => first),
			testbed.as(identity, { account: ofItem(100, 'other', 'acme') }),
		);
		expect(error).toMatchObject({ message: differs('Account'), description: toDo(100) });
		expect(testbed.service.requests.count).toBe(0);
	});
});

it.each([
	{ field: 'Base URL', name: 'baseUrl', authentication: 'apiKey' },
	{ field: 'API Key', name: 'apiKey', authentication: 'apiKey' },
	{
		field: 'Ignore SSL Issues (Insecure)',
		name: 'allowUnauthorizedCerts',
		authentication: 'apiKey',
	},
	{ field: 'Base URL', name: 'baseUrl', authentication: 'session' },
	{ field: 'Email', name: 'email', authentication: 'session' },
	{ field: 'Password', name: 'password', authentication: 'session' },
])(
	'nothing is sent, not even a login, when $field differs for one of 300 items: $authentication',
	async ({ field, name, authentication }) => {
		const credentials = { ...testbed.credentials(), ...testbed.sessionCredentials() };
		const type = authentication === 'apiKey' ? 'sheetRecordsApi' : 'sheetRecordsSessionApi';
		const values: Record<string, unknown> = { ...credentials[type] };
		const value = ofItem(250, 'S3cret&Key1', String(values[name] ?? ''));
		const { error, recorded } = await testbed.run(
			{ ...createCustomer(), authentication },
			numbers(300).map(() => ({})),
			{ credentials: { ...credentials, [type]: { ...credentials[type], [name]: value } } },
		);
		expect(error).toMatchObject({ message: differs(field), description: toDo(250) });
		expect(recorded).not.toContain('S3cret');
		expect(testbed.service.requests.count).toBe(0);
		expect(testbed.service.data.sheet(customers).records.size).toBe(300);
	},
);

it('expressions with the same result for every item work', async () => {
	const { apiKey } = testbed.service.identities.member;
	const overrides = {
		account: '={{ $json.tenant || "acme" }}',
		apiKey: `={{ ${JSON.stringify(apiKey)} }}`,
	};
	const items = numbers(3).map((id) => ({ tenant: id === 2 ? 'acme' : '' }));
	const result = await testbed.run(readOwnOrder(), items, testbed.as('member', overrides));
	expect(result.items).toMatchObject(numbers(3).map((_recordId) => ({ json: { _recordId } })));
	expect(result.links).toEqual([0, 1, 2].map((item) => ({ item })));
});

it('settings of the credential that do not select the destination of data may differ between items', async () => {
	const requestsPerSecond = '={{ $itemIndex * 100 }}';
	const result = await testbed.run(
		readOwnOrder(),
		[{}, {}],
		testbed.as('member', { requestsPerSecond }),
	);
	expect(result.items).toMatchObject([{ json: { _recordId: 1 } }, { json: { _recordId: 2 } }]);
});

it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'every item fails when one has another account, on error: %s',
	async (onError) => {
		const { items, errorItems } = await testbed.run(createCustomer(), [{}, {}, {}], {
			onError,
			...testbed.as('member', { account: ofItem(2, 'other', 'acme') }),
		});
		const failed = onError === 'continueErrorOutput' ? errorItems : items;
		expect(failed).toMatchObject(
			[0, 1, 2].map((item) => ({
				json: { error: expect.stringContaining(differs('Account')) },
				pairedItem: { item },
			})),
		);
		expect(testbed.service.requests.count).toBe(0);
	},
);

it('nothing is sent when an expression of the credential fails for one item', async () => {
	const items = numbers(80).map((id): InputItem => (id === 71 ? {} : { of: { tenant: 'acme' } }));
	const { status } = await testbed.run(
		createCustomer(),
		items,
		testbed.as('member', { account: '={{ $json.of.tenant }}' }),
	);
	expect(status).toBe('error');
	expect(testbed.service.requests.count).toBe(0);
});

it('each attempt of Retry On Fail compares all items before it sends anything', async () => {
	const { error } = await testbed.run(
		createCustomer(),
		numbers(80).map(() => ({})),
		{
			...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			...testbed.as('member', { account: ofItem(71, 'other', 'acme') }),
		},
	);
	expect(error?.message).toBe(differs('Account'));
	expect(testbed.service.requests.count).toBe(0);
});

describe('Authentication as an expression over items', () => {
	const byItem = { authentication: '={{ $itemIndex % 2 === 0 ? "session" : "apiKey" }}' };
	const bothCredentials = (
		key: INodeParameters = {},
		login: INodeParameters = {},
	): Partial<RunNodeOptions> => ({
		credentials: {
			...testbed.credentials('member', key),
			...testbed.sessionCredentials('admin', login),
		},
	});
	const senders = (method: 'GET' | 'POST') =>
		testbed.service.requests
			.all()
			.flatMap((seen) => (seen.path !== '/AUTH' && seen.method === method ? [seen.identity] : []));

	it('each item is sent with the credential that its Authentication selects', async () => {
		const result = await testbed.run(
			{ ...readOwnOrder(), ...byItem },
			[{}, {}, {}, {}],
			bothCredentials(),
		);
		expect(result.links).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(senders('GET').sort()).toEqual(['admin', 'admin', 'member', 'member']);
	});

	it('with several values of Authentication, only items with the same credential are compared', async () => {
		const onlyOdd = '={{ $itemIndex % 2 === 1 ? "acme" : $json.not.there }}';
		const result = await testbed.runById(
			{ ...createCustomer(), ...byItem },
			[{}, {}, {}, {}],
			bothCredentials({ account: onlyOdd }),
		);
		expect(result.status).toBe('success');
		expect(senders('POST').sort()).toEqual(['admin', 'admin', 'member', 'member']);
	});

	it('items of the same credential with different accounts end the run', async () => {
		const { error } = await testbed.run(
			{ ...createCustomer(), ...byItem },
			[{}, {}, {}, {}],
			bothCredentials({ account: ofItem(3, 'other', 'acme') }),
		);
		expect(error).toMatchObject({ message: differs('Account'), description: toDo(3, 1) });
		expect([...senders('GET'), ...senders('POST')]).not.toContain('member');
	});

	it('a mass operation runs once per credential, with the items of this credential', async () => {
		const items = numbers(4).map((id) => ({ _recordId: id }));
		const { items: made } = await testbed.run(
			{
				...{ resource: 'massOperation', ...onOrders('lock'), ...byItem },
				...{ selection: 'inputItems', lockAction: 'lock' },
			},
			items,
			bothCredentials(),
		);
		const tasks = testbed.service.requests
			.all()
			.filter(({ method }) => method === 'POST')
			.map(({ identity, query }) => ({
				identity,
				ids: query.filter(([name]) => name === 'recordId').map(([, id]) => id),
			}));
		expect(tasks).toEqual([
			{ identity: 'admin', ids: ['1', '3'] },
			{ identity: 'member', ids: ['2', '4'] },
		]);
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }, { item: 3 }],
		]);
	});

	it.each([
		{
			batch: 'records that are read by lists of IDs',
			parameters: { ...onOrders('get'), recordId: recordId('={{ $json.id }}') },
		},
		{
			batch: 'look-ups of records to update',
			parameters: {
				...onOrders('update'),
				recordId: recordId('={{ $json.id }}'),
				...asJson({ [orders.fields.remark]: 'x' }),
				options: { skipUnchanged: true },
			},
		},
	])('a batch contains only items of one credential: $batch', async ({ parameters }) => {
		const items = numbers(40).map((id) => ({ id }));
		const result = await testbed.runById({ ...parameters, ...byItem }, items, bothCredentials());
		expect(result.links).toEqual(items.map((_, item) => ({ item })));
		const ids = {
			admin: numbers(40).filter((id) => id % 2 === 1),
			member: numbers(40).filter((id) => id % 2 === 0),
		};
		for (const [identity, idsOfIdentity] of Object.entries(ids)) {
			const sent = testbed.service.requests
				.all()
				.filter((request) => request.identity === identity);
			const named = sent.flatMap(({ path }) => /\/sales\/orders\/1\/(\d+)$/.exec(path)?.[1] ?? []);
			expect(sent.length).toBeGreaterThan(0);
			expect(idsOfIdentity).toEqual(expect.arrayContaining(named.map(Number)));
		}
	});
});

it('a run continues with the compared key if the credential is edited during the run', async () => {
	const types = await packageTypes();
	const type = types.credential(apiType);
	const { authenticate } = type;
	if (typeof authenticate !== 'function') throw new Error('The type has no authenticate.');
	const store = new CredentialStore();
	const { id } = store.add(apiType, testbed.credentials()[apiType]);
	const { apiKey } = testbed.service.identities.admin;
	const editing = types.with({
		credentials: {
			[apiType]: {
				...type,
				authenticate: async (data, options) => {
					store.edit(id, apiType, { apiKey });
					return await authenticate.call(type, data, options);
				},
			},
		},
	});
	const overrides = { types: editing, credentialStore: store };
	expect((await testbed.run(readOwnOrder(), [{}, {}, {}], overrides)).status).toBe('success');
	await testbed.run(readOrder(), [{}], overrides);
	const senders = testbed.service.requests.all().map(({ identity }) => identity);
	expect(senders.at(-1)).toBe('admin');
	expect(new Set(senders.slice(0, -1))).toEqual(new Set(['member']));
});

describe('a session is used only with the login that created it:', () => {
	const run = async (store: ReturnType<typeof storeOf>['store'], items: InputItem[] = [{}]) =>
		await testbed.runById({ ...session, ...createCustomer() }, items, { credentialStore: store });
	/** Returns the logins, and the sender of each write. */
	const senders = () =>
		testbed.service.requests
			.all()
			.filter(({ method, path }) => method === 'POST' || path === '/AUTH')
			.map(({ path, identity }) => identity ?? path);

	it('an execution whose expressions return another user logs in as this user', async () => {
		const { store } = storeOf(testbed, {
			email: '={{ $json.email }}',
			password: '={{ $json.password }}',
		});
		const { member, admin } = testbed.service.identities;
		for (const { email, password } of [member, admin, member]) {
			const result = await run(store, [{ email, password }]);
			expect(result.status).toBe('success');
		}
		expect(senders()).toEqual(['/AUTH', 'member', '/AUTH', 'admin', '/AUTH', 'member']);
	});

	it('a credential that was edited logs in again', async () => {
		const { store, id } = storeOf(testbed);
		await run(store);
		const { email, password } = testbed.service.identities.admin;
		store.edit(id, 'sheetRecordsSessionApi', { email, password });
		await run(store);
		await run(store);
		expect(senders()).toEqual(['/AUTH', 'member', '/AUTH', 'admin', 'admin']);
	});
});
