import { jsonStringify, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { sessionIn } from '../../nodes/api/http/session';
import { orders, type Fault, type SeenRequest } from '../service';
import { isWrite, requestFor } from './faults/operation';
import { download } from './file/fileTestbed';
import { pressTest } from './identity/pressTest';
import { lockTen } from './massOperation/massParameters';
import { createCustomer, readOrder } from './operations';
import { PollingTestbed } from './polling/pollingTestbed';
import { asJson } from './record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from './recordTestbed';
import { CredentialStore, loadOptionsOf } from './runner';
import { secretsFoundIn } from './secrets';
import { TriggerTestbed } from './trigger/triggerTestbed';

/**
 * Each secret by itself: the words of the service have no other secret, and no name of a parameter or header by which a secret is
 * recognized.
 */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { remark } = orders.fields;
const isRedacted = expect.stringContaining('is redacted');

type Body = (words: string) => string;

interface Secret {
	name: string;
	authentication: 'apiKey' | 'session';
	place?: string;
	/** Returns the secret when the request arrives; undefined if the request gets its usual answer. */
	of: (request: SeenRequest) => string | undefined;
}

function sessionOf({ query, headers }: SeenRequest): string | undefined {
	const [cookie = ''] = [headers.cookie ?? ''].flat();
	return query.find(([name]) => name === 'sid')?.[1] ?? cookie.split('=')[1];
}

/** The session that the credential has at the beginning. */
let firstSession: unknown;

/** Ends the first session when it arrives, so that the node logs in again. Returns a later session. */
function renewedSessionOf(request: SeenRequest): string | undefined {
	const session = sessionOf(request);
	if (session !== firstSession) return session;
	testbed.service.expireSessions();
	return undefined;
}

const secrets: Secret[] = [
	{ name: 'the key', authentication: 'apiKey', of: () => testbed.service.identities.member.apiKey },
	{
		name: 'the password',
		authentication: 'session',
		of: () => testbed.service.identities.member.password,
	},
	{ name: 'the session', authentication: 'session', of: sessionOf },
	{
		name: 'the session in the cookie',
		authentication: 'session',
		place: 'cookie',
		of: sessionOf,
	},
];
const laterSessions: Secret[] = [
	{ name: 'the renewed session', authentication: 'session', of: renewedSessionOf },
	{
		name: 'the session before the renewed one',
		authentication: 'session',
		of: (request) => renewedSessionOf(request) && String(firstSession),
	},
];

afterEach(() => {
	jest.restoreAllMocks();
});

/** Answers the matching requests with a secret by itself in the words of the service. */
function sayAlone(
	{ of }: Secret,
	bodyOf: Body,
	{ when = () => true, ...fault }: Partial<Fault> = {},
): void {
	const saying: Fault = {
		kind: 'body',
		times: Infinity,
		...fault,
		when: (request) => {
			if (request.path === '/AUTH' || !when(request)) return false;
			const secret = of(request);
			if (secret === undefined) return false;
			saying.body = bodyOf(`It says ${secret} here`);
			return true;
		},
	};
	testbed.inject(saying);
}

const credentialsOf = ({ place }: Secret) => ({
	...testbed.credentials('member'),
	...testbed.sessionCredentials('member', { sessionIn: place ?? 'query' }),
});

/** Returns a store with the credentials, and with a session. */
async function openedStore(secret: Secret): Promise<CredentialStore> {
	const store = new CredentialStore();
	const { sheetRecordsApi, sheetRecordsSessionApi } = credentialsOf(secret);
	store.add('sheetRecordsApi', sheetRecordsApi);
	const { id } = store.add('sheetRecordsSessionApi', sheetRecordsSessionApi);
	if (secret.authentication === 'session') {
		await testbed.run({ authentication: 'session', ...readOrder() }, [{}], {
			credentialStore: store,
		});
		firstSession = sessionIn(store.read(id, 'sheetRecordsSessionApi'));
	}
	return store;
}

/** Runs the action node. `testbed.run` searches everything that n8n stores, shows or logs for secrets. */
async function run(
	secret: Secret,
	parameters: INodeParameters,
	body: Body,
	fault?: Partial<Fault>,
) {
	const credentialStore = await openedStore(secret);
	sayAlone(secret, body, fault);
	const { authentication } = secret;
	return await testbed.runById({ authentication, ...parameters }, [{}], { credentialStore });
}

const errorWith = (code: number) => (msg: string) => JSON.stringify({ status: 'ERROR', code, msg });
const successWith =
	(members: IDataObject, ...keys: string[]) =>
	(words: string) =>
		JSON.stringify({
			status: 'SUCCESS',
			...members,
			...Object.fromEntries(keys.map((key) => [key, words])),
		});

interface Saying {
	place: string;
	parameters: INodeParameters;
	body: Body;
	fault: Partial<Fault>;
}

function saying(
	place: string,
	parameters: INodeParameters,
	body: Body,
	fault: Partial<Fault> = {},
): Saying {
	return { place, parameters, body, fault };
}

const writing = { when: isWrite };
const button: INodeParameters = {
	...{ resource: 'actionButton', ...onOrder('run', 1) },
	buttonId: { __rl: true, mode: 'id', value: orders.buttons.cancel },
};
const waitForTask = { resource: 'task', operation: 'wait', taskId: 't1' };
const taskOf = (members: IDataObject) => JSON.stringify({ id: 't1', ...members });
const comment = { 61: '', 65: 'x', 66: 'x', 67: '', 73: '' };

const commentOn = { resource: 'comment', ...onOrder('add', 1), comment: 'x' };
const denied = (words: string, members = {}) =>
	successWith(members, 'msg')(`Record not found: ${words}`);
const denial = { fault: writing };

/** Errors: each place of an error in which the words of the service stand. */
const failing: Saying[] = [
	saying('the error of a read', readOrder(), errorWith(201)),
	saying('the error of a write', createCustomer(), errorWith(202), writing),
	saying('an error without a code', createCustomer(), (msg) => JSON.stringify({ msg }), writing),
	saying('a state of its own', createCustomer(), (status) => JSON.stringify({ status }), writing),
	saying('the title of a page', readOrder(), (words) => `<html><title>${words}</title></html>`),
	saying('a text in place of records', readOrder(), (words) => words),
	saying('other JSON in place of records', readOrder(), (words) => JSON.stringify([words])),
	saying('the error of a file', download('abc@a.pdf'), errorWith(202)),
	saying('a text in place of a file', download('abc@a.pdf'), (words) => words),
	saying(
		'a document',
		{ resource: 'document', ...onOrder('export', 1), format: 'pdf' },
		errorWith(202),
	),
	saying('a failed task', waitForTask, (message) => taskOf({ status: 'FAILED', message })),
	saying('a mass operation without a task', lockTen, (msg) => JSON.stringify({ msg }), writing),
	...[
		saying('a deletion', onOrder('delete', 1), denied),
		saying('an update', { ...onOrder('update', 1), ...asJson({ [remark]: 'x' }) }, denied),
		saying('a lock', { resource: 'lock', ...onOrder('lock', 1) }, denied),
		saying('a comment', commentOn, (words) => denied(words, comment)),
	].map((success) => ({ ...success, ...denial, place: `a success that denies ${success.place}` })),
];

/** Successes: each operation whose output has the words of the service. */
const succeeding: Saying[] = [
	saying('a creation', createCustomer(), successWith({ svcId: 5 }, 'msg'), writing),
	saying('a creation, warning', createCustomer(), successWith({ svcId: 5 }, 'warning'), writing),
	saying(
		'another member of a creation',
		createCustomer(),
		successWith({ svcId: 5 }, 'rv'),
		writing,
	),
	saying('a deletion', onOrder('delete', 1), successWith({}, 'msg'), writing),
	saying('a lock', { resource: 'lock', ...onOrder('lock', 1) }, successWith({}, 'msg'), writing),
	saying('a button', button, successWith({}, 'msg'), writing),
	saying('a button, warning', button, successWith({}, 'warning'), writing),
	saying('a button that warns', button, successWith({ status: 'WARN' }, 'msg'), writing),
	saying(
		'an import',
		{ resource: 'sheet', ...onOrders('importFromUrl') },
		successWith({}, 'msg'),
		writing,
	),
	saying('a comment', commentOn, successWith(comment, 'msg'), writing),
	saying(
		'the start of a mass operation',
		{ ...lockTen, waitForCompletion: false },
		successWith({ taskId: 't1' }, 'msg'),
		writing,
	),
	saying('the name of a task', waitForTask, (taskName) => taskOf({ status: 'DONE', taskName })),
	saying('the message of a task', waitForTask, (message) => taskOf({ status: 'DONE', message })),
	saying('the state of a task', { ...waitForTask, operation: 'get' }, (status) =>
		taskOf({ status }),
	),
];

describe.each([...secrets, ...laterSessions])('$name alone is redacted', (secret) => {
	it.each(failing)('in $place', async ({ parameters, body, fault }) => {
		const { error } = await run(secret, parameters, body, fault);
		expect(`${error?.message} ${String(error?.description)}`).toEqual(isRedacted);
	});

	it.each(succeeding)('in the words beside $place', async ({ parameters, body, fault }) => {
		const { error, items } = await run(secret, parameters, body, fault);
		expect(error).toBeUndefined();
		expect(jsonStringify(items)).toEqual(isRedacted);
	});

	it('in the reason of a wait', async () => {
		const fault = { times: 2, headers: { 'retry-after': '60' } };
		const { hintTexts, error } = await run(secret, readOrder(), errorWith(204), fault);
		expect(error).toBeUndefined();
		expect(hintTexts).toEqual([isRedacted]);
	});
});

describe.each(secrets)('$name alone is redacted', (secret) => {
	it.each(['searchRecords', 'searchActionButtons'])(
		'in the error of a pick list: %s',
		async (name) => {
			sayAlone(secret, errorWith(201));
			const { authentication } = secret;
			const asking = loadOptionsOf({
				node: 'sheetRecords',
				parameters: { authentication, resource: 'record', ...onOrder('get', 1) },
				credentials: credentialsOf(secret),
				method: { kind: 'listSearch', name },
			});
			const shown = await asking.then(jsonStringify, (error: Error) =>
				[String(error), error.stack, jsonStringify(error)].join(' '),
			);
			expect(secretsFoundIn(shown, testbed.service)).toEqual([]);
			expect(shown).toEqual(isRedacted);
		},
	);

	it('in the message of the connection test', async () => {
		sayAlone(secret, errorWith(201));
		const { authentication, place = 'query' } = secret;
		const type = authentication === 'apiKey' ? 'sheetRecordsApi' : 'sheetRecordsSessionApi';
		expect(await pressTest(testbed, type, { sessionIn: place })).toMatchObject({
			status: 'Error',
			message: isRedacted,
		});
	});
});

describe.each(secrets)('$name alone is redacted by the triggers', (secret) => {
	const options = () => ({ credentials: credentialsOf(secret) });
	const { authentication } = secret;

	it('in a warning of the polling trigger, and in the log', async () => {
		const polling = new PollingTestbed(testbed);
		polling.begin();
		const asksForIds = ({ query }: SeenRequest) => query.some(([name]) => name === 'listing');
		const events = ['UPDATE', 'DELETE'];
		const poller = await polling.activate(
			{ authentication, events, options: { deletionCheckEvery: 1 } },
			options(),
		);
		await poller.poll();
		sayAlone(secret, errorWith(202), { when: asksForIds });
		polling.passMinutes(1);
		polling.people.edit(orders, 5, { [remark]: 'changed' });
		expect(await poller.poll()).toMatchObject([{ recordId: 5, _warning: isRedacted }]);
		expect(poller.printed.join()).toEqual(isRedacted);
		polling.end();
	});

	it('in the error of a poll', async () => {
		const polling = new PollingTestbed(testbed);
		polling.begin();
		const poller = await polling.activate({ authentication }, options());
		await poller.poll();
		sayAlone(secret, errorWith(202));
		await expect(poller.poll()).rejects.toThrow('is redacted');
		polling.end();
	});

	it('in the reason why the webhook trigger could not fetch a record', async () => {
		const trigger = new TriggerTestbed(testbed);
		const listener = await trigger.listen(
			{ authentication, verification: 'off', options: { fetchRecord: true } },
			options(),
		);
		sayAlone(secret, errorWith(201));
		await listener.post('[5]');
		expect(await listener.items()).toMatchObject([{ recordId: 5, unreadable: isRedacted }]);
		await trigger.end();
	});

	it('in the error of a registration', async () => {
		const trigger = new TriggerTestbed(testbed);
		sayAlone(secret, errorWith(201), { when: requestFor('/sims/') });
		const activation = trigger.listen({ authentication, registration: 'automatic' }, options());
		await expect(activation).rejects.toThrow('is redacted');
		await trigger.end();
	});
});
