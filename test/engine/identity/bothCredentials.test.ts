import type { INodeParameters } from 'n8n-workflow';
import { customers, type Fault, type SeenRequest } from '../../service';
import { asJson } from '../record/recordValues';
import { createCustomer, readOrder, readOwnOrder } from '../operations';
import { numbers, onOrders, sheet, useRecordTestbed } from '../recordTestbed';
import { retrying, refusal } from '../retryOnFail/retrying';
import { CredentialStore, type InputItem, type RunNodeOptions } from '../runner';
import { ways } from '../secrets';

/** Tests of items, expressions and retries, with each credential and each place of its secret. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { customerNumber, name } = customers.fields;

type Way = (typeof ways)[number];

/** Returns both credentials, which send their secret in this place, with these changes of the chosen one. */
function credentialsOf([authentication, place]: Way, changes: INodeParameters = {}) {
	const isSession = authentication === 'session';
	return {
		...testbed.credentials('member', { apiKeyIn: place, ...(isSession ? {} : changes) }),
		...testbed.sessionCredentials('member', { sessionIn: place, ...(isSession ? changes : {}) }),
	};
}

async function run(
	way: Way,
	parameters: INodeParameters,
	items: InputItem[] = [{}],
	{ changes, ...overrides }: Partial<RunNodeOptions> & { changes?: INodeParameters } = {},
) {
	const credentials = credentialsOf(way, changes);
	// `testbed.run` searches all that n8n stores, shows or logs for secrets.
	return await testbed.runById({ authentication: way[0], ...parameters }, items, {
		credentials,
		...overrides,
	});
}

const isRequest = ({ path }: SeenRequest) => path !== '/AUTH';
const requests = () => testbed.service.requests.all().filter(isRequest);
const added = () =>
	[...testbed.service.data.sheet(customers).records.values()]
		.filter(({ id }) => id > 300)
		.map((record) => record.text(name));
const createEach = {
	...{ operation: 'create', sheet: sheet(customers) },
	...asJson(`={{ ({ "${customerNumber}": "C-9999", "${name}": $json.name }) }}`),
};
const names = ['First', 'Second', 'Third'].map((text) => ({ name: text }));

/** Returns an expression with one value for the item at `index` and another value for all other items. */
const ofItem = (index: number, value: string, rest: string) =>
	`={{ $itemIndex === ${index} ? ${JSON.stringify(value)} : ${JSON.stringify(rest)} }}`;

/** Properties that decide where data goes, by the authentication that has them. */
const identityOf = (authentication: string) => [
	...[
		['baseUrl', 'Base URL'],
		['account', 'Account'],
		['allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)'],
	],
	...(authentication === 'session'
		? [
				['email', 'Email'],
				['password', 'Password'],
			]
		: [['apiKey', 'API Key']]),
];

describe.each(ways)('items with the %s in %s', (...way) => {
	it('each item has its output, and the secret is in its place only', async () => {
		const result = await run(
			way,
			readOwnOrder(),
			numbers(3).map(() => ({})),
		);
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual(
			[0, 1, 2].map((item) => [item + 1, { item }]),
		);
		expect(requests().map(({ identity }) => identity)).toEqual(['member', 'member', 'member']);
		expect(testbed.logins).toHaveLength(way[0] === 'session' ? 1 : 0);
		const placesOf = ({ headers, query }: SeenRequest) => [
			...(headers.authorization ? ['apiKey header'] : []),
			...(headers.cookie ? ['session cookie'] : []),
			...query.flatMap(([key]) => (key === 'APIKey' ? ['apiKey query'] : [])),
			...query.flatMap(([key]) => (key === 'sid' ? ['session query'] : [])),
		];
		expect(requests().map(placesOf)).toEqual(Array(3).fill([way.join(' ')]));
	});

	it.each(identityOf(way[0]))(
		'nothing is sent, not even a login, when %s differs for one item',
		async (property = '', label = '') => {
			const values: Record<string, unknown> =
				Object.values(credentialsOf(way)).at(way[0] === 'session' ? 1 : 0) ?? {};
			const value = ofItem(2, 'S3cret&Key1', String(values[property] ?? ''));
			const { error, recorded } = await run(way, createEach, names, {
				changes: { [property]: value },
			});
			expect(error?.message).toBe(
				`The items have different values for '${label}' in the credential`,
			);
			expect(error?.description).toContain('Item 2 has a different value than item 0');
			expect(recorded).not.toContain('S3cret');
			expect(testbed.service.requests.count).toBe(0);
		},
	);

	it('a setting that does not decide where data goes may differ between items', async () => {
		const changes = { requestsPerSecond: '={{ $itemIndex * 100 }}' };
		expect((await run(way, createEach, names, { changes })).error).toBeUndefined();
		expect(added()).toEqual(['First', 'Second', 'Third']);
	});

	it('expressions of the credential are evaluated for the items that use it, not for others', async () => {
		const other = way[0] === 'session' ? 'apiKey' : 'session';
		const authentication = `={{ $itemIndex === 0 ? "${other}" : "${way[0]}" }}`;
		const items = [{}, { of: { tenant: 'acme' } }, { of: { tenant: 'acme' } }];
		// The expression fails for an item without a tenant.
		const account = '={{ $json.of ? $json.of.tenant : $("Missing").first().json.tenant }}';
		const changes = { account };
		const result = await run(way, { ...readOwnOrder(), authentication }, items, { changes });
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json }) => json._recordId)).toEqual([1, 2, 3]);
	});

	it('all values of the credential may be expressions', async () => {
		const [data = {}] = Object.values(credentialsOf(way)).slice(way[0] === 'session' ? 1 : 0);
		const changes = Object.fromEntries(
			Object.entries(data).map(([key, value]) => [key, `={{ ${JSON.stringify(value)} }}`]),
		);
		expect((await run(way, readOwnOrder(), [{}, {}], { changes })).items).toHaveLength(2);
		expect((await run(way, createCustomer(), [{}], { changes })).error).toBeUndefined();
		expect(new Set(requests().map(({ identity }) => identity))).toEqual(new Set(['member']));
	});
});

/** Faults that one more attempt overcomes. */
const passing: Array<[string, Fault]> = [
	['HTTP 429', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
	['HTTP 503', { kind: 'status', status: 503 }],
	['a reset connection', { kind: 'reset' }],
];

describe.each(ways)('retries with the %s in %s', (...way) => {
	it.each(passing)('a read is repeated once after %s', async (_, fault) => {
		testbed.inject({ ...fault, when: isRequest });
		const result = await run(way, readOrder());
		expect(result.items).toMatchObject([{ json: { _recordId: 1 } }]);
		expect(requests().map(({ identity }) => identity)).toEqual(['member', 'member']);
		expect(testbed.logins.length).toBeLessThanOrEqual(1);
	});

	it.each(passing)('a read that always fails by %s ends after some attempts', async (_, fault) => {
		testbed.inject({ ...fault, times: Infinity, when: isRequest });
		const { error } = await run(way, readOrder());
		const attempts = fault.status === 429 ? 8 : 5;
		expect(error?.description).toContain(`Tried ${attempts} times`);
		expect(requests()).toHaveLength(attempts);
	});

	it.each(passing)('a write is carried out at most once after %s', async (_, fault) => {
		await run(way, createEach, [{ name: 'Before' }]);
		testbed.inject({ ...fault, when: (seen) => isRequest(seen) && seen.method === 'POST' });
		const { error } = await run(way, createEach, [{ name: 'Once' }]);
		const isRepeated = fault.status === 429;
		expect(error === undefined).toBe(isRepeated);
		expect(added()).toEqual(isRepeated ? ['Before', 'Once'] : ['Before']);
		if (!isRepeated)
			expect(error?.description).toContain('It is unknown whether the change was made');
	});

	it('Retry On Fail repeats only the item that was refused', async () => {
		const isSecond = ({ body }: SeenRequest) => JSON.stringify(body ?? '').includes('Second');
		testbed.inject({ ...refusal, when: isSecond });
		const result = await run(way, createEach, names, retrying);
		expect(result.error).toBeUndefined();
		expect(added()).toEqual(['First', 'Second', 'Third']);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});

	it('each attempt of Retry On Fail compares the credential of all items first', async () => {
		const changes = { account: ofItem(2, 'other', 'acme') };
		const { error } = await run(way, createEach, names, { changes, ...retrying });
		expect(error?.message).toContain("different values for 'Account'");
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('the login of a session', () => {
	const session: Way = ['session', 'query'];
	const isLogin = ({ path }: SeenRequest) => path === '/AUTH';

	it.each(passing)(
		'is repeated once after %s, and a write after it is sent once',
		async (_, fault) => {
			testbed.inject({ ...fault, when: isLogin });
			const result = await run(session, createEach, [{ name: 'Once' }]);
			expect(result.error).toBeUndefined();
			expect(testbed.logins).toHaveLength(2);
			expect(added()).toEqual(['Once']);
		},
	);

	it.each(passing)('ends after some attempts if it always fails by %s', async (_, fault) => {
		testbed.inject({ ...fault, times: Infinity, when: isLogin });
		const attempts = fault.status === 429 ? 8 : 5;
		const { error } = await run(session, readOrder());
		expect(error?.description).toContain(`Tried ${attempts} times`);
		expect(testbed.logins).toHaveLength(attempts);
		const failed = await run(session, createEach, [{ name: 'Never' }]);
		expect(failed.error?.description).not.toContain('unknown whether');
		expect([requests().length, added()]).toEqual([0, []]);
	});

	it('is sent again after Ignore SSL Issues was changed, because the session may be of another server', async () => {
		const store = new CredentialStore();
		const type = 'sheetRecordsSessionApi';
		const { id } = store.add(type, testbed.sessionCredentials()[type]);
		const read = async () =>
			await testbed.run({ ...onOrders('getAll'), limit: 1, authentication: 'session' }, [{}], {
				credentialStore: store,
			});
		await read();
		await read();
		expect(testbed.logins).toHaveLength(1);
		store.edit(id, type, { allowUnauthorizedCerts: true });
		await read();
		expect(testbed.logins).toHaveLength(2);
		store.edit(id, type, { allowUnauthorizedCerts: false });
		await read();
		expect(testbed.logins).toHaveLength(3);
	});
});
