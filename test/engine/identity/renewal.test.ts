import type { INodeParameters } from 'n8n-workflow';
import { sessionIn } from '../../../nodes/api/http/session';
import { customers, type SeenRequest } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { CredentialStore, type InputItem } from '../runner';
import { createCustomer, readOrder, readOwnOrder, session } from '../operations';

const testbed = useRecordTestbed();
const type = 'sheetRecordsSessionApi';

const cases = [
	...(['code301', 'code302', 'status401'] as const).map((ending) => [ending, 'query'] as const),
	['code301', 'cookie'] as const,
];

let store: CredentialStore;
let id: string;
const stored = () => sessionIn(store.read(id, type));
const kindsOf = (requests: SeenRequest[]) =>
	requests.map(({ path, method }) => (path === '/AUTH' ? 'login' : method));
const kinds = () => kindsOf(testbed.service.requests.all());

function useStore(overrides: INodeParameters = {}) {
	store = new CredentialStore();
	id = store.add(type, testbed.sessionCredentials('member', overrides)[type]).id;
}

const run = (parameters: INodeParameters, items: InputItem[] = [{}], credentialStore = store) =>
	testbed.runById({ ...session, ...parameters }, items, { credentialStore });

/** Logs in, ends the session on the server, and clears the recorded requests. */
async function endSession() {
	await run(readOrder());
	const ended = stored();
	testbed.service.expireSessions();
	testbed.service.requests.clear();
	return ended;
}

beforeEach(() => useStore());

it('a write is sent again if the login that it needs breaks off, because it was not carried out before', async () => {
	let hasEnded = false;
	testbed.service.beforeRequest(({ method }) => {
		if (method !== 'POST' || hasEnded) return;
		hasEnded = true;
		testbed.service.expireSessions();
		testbed.inject({ kind: 'reset', when: ({ path }) => path === '/AUTH', times: 1 });
	});
	const result = await run(createCustomer());
	expect(result.error).toBeUndefined();
	expect(kinds().slice(-5)).toEqual(['POST', 'login', 'POST', 'login', 'POST']);
	const created = [...testbed.service.data.sheet(customers).records.values()].filter(
		(record) => record.text(customers.fields.customerNumber) === 'C-9999',
	);
	expect(created).toHaveLength(1);
});

describe.each(cases)(
	'a session that has ended, reported by %s, sent in %s',
	(ending, sessionIn) => {
		beforeEach(() => {
			useStore({ sessionIn });
			testbed.service.switches.expiredSessionAnswer = ending;
		});

		it('an ended session is renewed once, and the read is repeated once', async () => {
			const ended = await endSession();
			const result = await run(readOrder());
			expect(result.status).toBe('success');
			expect(result.items).toMatchObject([{ json: { _recordId: 1 }, pairedItem: { item: 0 } }]);
			expect(kinds()).toEqual(['GET', 'login', 'GET']);
			expect(stored()).not.toBe(ended);
			expect(store.updates.map(({ changed }) => changed)).toEqual([['sessionId'], ['sessionId']]);
			expect(result.recorded).not.toContain(ended);
			// The next run uses the new session.
			await run(readOrder());
			expect(kinds()).toEqual(['GET', 'login', 'GET', 'GET']);
		});

		it('an ended session is renewed once, and the write is carried out once', async () => {
			await run(readOrder());
			testbed.service.requests.clear();
			// End the session after the kinds of the fields were loaded.
			let hasEnded = false;
			const when = ({ method, path }: SeenRequest) => {
				if (method === 'POST' && path !== '/AUTH' && !hasEnded) testbed.service.expireSessions();
				hasEnded ||= method === 'POST' && path !== '/AUTH';
				return false;
			};
			testbed.inject({ kind: 'hang', when });
			const result = await run(createCustomer('Only once'));
			expect(result.status).toBe('success');
			expect(result.items).toHaveLength(1);
			expect(kinds().filter((kind) => kind !== 'GET')).toEqual(['POST', 'login', 'POST']);
			const [refused, made] = testbed.writes.filter(({ path }) => path !== '/AUTH');
			expect(made?.body).toEqual(refused?.body);
			expect(made?.body).toMatchObject({ [customers.fields.name]: 'Only once' });
			const { records } = testbed.service.data.sheet(customers);
			expect(records.size).toBe(301);
			const names = [...records.values()].map((record) => record.text(customers.fields.name));
			expect(names.filter((name) => name === 'Only once')).toHaveLength(1);
		});
	},
);

it('a session that ends repeatedly is renewed each time', async () => {
	testbed.service.switches.sessionLifetimeRequests = 2;
	const result = await run(readOwnOrder(), [{}, {}, {}, {}, {}]);
	expect(result.links).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
	expect(kinds()).toEqual([
		...['login', 'GET', 'GET'],
		...['GET', 'login', 'GET', 'GET'],
		...['GET', 'login', 'GET'],
	]);
});

it.each([['no access right, which is asked about once more', 106, ['POST', 'POST']]])(
	'other error responses cause no login: %s',
	async (_, code, seen) => {
		await run(readOrder());
		testbed.service.requests.clear();
		const body = JSON.stringify({ status: 'ERROR', code, msg: 'No.' });
		const when = ({ method }: SeenRequest) => method === 'POST';
		testbed.inject({ kind: 'body', body, when, times: Infinity });
		const result = await run(createCustomer());
		expect(result.status).toBe('error');
		expect(kinds().filter((kind) => kind !== 'GET')).toEqual(seen);
	},
);

describe('runs at the same time', () => {
	it('concurrent runs share the first login', async () => {
		const results = await Promise.all([0, 1, 2, 3, 4].map(async () => await run(readOrder())));
		expect(results.map(({ status }) => status)).toEqual(Array(5).fill('success'));
		expect(testbed.logins).toHaveLength(1);
		expect(store.updates).toHaveLength(1);
		expect(testbed.service.requests.count).toBe(6);
	});

	it('concurrent runs share the renewal of a session', async () => {
		await endSession();
		const reads = [0, 1, 2].map(async () => await run(readOwnOrder(), [{}, {}]));
		const writes = [0, 1].map(async () => await run(createCustomer()));
		const results = await Promise.all([...reads, ...writes]);
		expect(results.map(({ status }) => status)).toEqual(Array(5).fill('success'));
		expect(testbed.logins).toHaveLength(1);
		expect(testbed.service.data.sheet(customers).records.size).toBe(302);
		expect(testbed.service.requests.all().every((seen) => seen.inFlightAtStart === 0)).toBe(true);
	});
});
