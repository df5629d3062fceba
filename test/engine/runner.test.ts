import type { INode, INodeParameters } from 'n8n-workflow';

import {
	CredentialStore,
	loadOptionsOf,
	makeBinary,
	readBinary,
	runNode,
	runWorkflow,
	TypeLibrary,
	useBinaryMode,
	type RunNodeOptions,
} from './runner';
import { builtInNodes } from './runner/builtIn';
import { echoCredential } from './runner/echo/echoCredential';
import { echoNode } from './runner/echo/echoNode';
import { startEchoServer } from './runner/echo/echoServer';

const types = new TypeLibrary(
	{ ...builtInNodes, 'sample.echo': echoNode },
	{ echoApi: echoCredential },
);

const echo = (parameters: INodeParameters, more: Partial<RunNodeOptions> = {}) =>
	runNode({ node: 'sample.echo', types, parameters: { text: 'x', ...parameters }, ...more });

describe('items', () => {
	it('evaluates parameters for each item and keeps the link to the input', async () => {
		const result = await echo(
			{ text: '={{ $json.name }} {{ $itemIndex }} {{ $now.setZone("utc").toFormat("ZZ") }}' },
			{ items: [{ name: 'one' }, { name: 'two' }, { json: { name: 'three' } }] },
		);
		expect(result.status).toBe('success');
		expect(result.items).toEqual([
			{ json: { name: 'one', text: 'one 0 +00:00' }, pairedItem: { item: 0 } },
			{ json: { name: 'two', text: 'two 1 +00:00' }, pairedItem: { item: 1 } },
			{ json: { name: 'three', text: 'three 2 +00:00' }, pairedItem: { item: 2 } },
		]);
		expect(result.outputs('Start')).toHaveLength(3);
		expect(result.hints).toEqual([{ message: '3 echoed', location: 'outputPane' }]);
	});

	it('follows the time zone of the workflow', async () => {
		const [newYork, tokyo] = await Promise.all([
			echo({ text: '={{ $now.zoneName }}' }),
			echo({ text: '={{ $now.zoneName }}' }, { timezone: 'Asia/Tokyo' }),
		]);
		expect(newYork.items[0]?.json.text).toBe('America/New_York');
		expect(tokyo.items[0]?.json.text).toBe('Asia/Tokyo');
	});
});

describe('failures', () => {
	it('stores a thrown error and stops', async () => {
		const result = await echo({ action: 'fail' });
		expect(result.status).toBe('error');
		expect(result.items).toEqual([]);
		expect(result.error).toMatchObject({ message: 'Error: Refused: x', context: { itemIndex: 0 } });
		expect(result.recorded).toContain('Refused: x');
	});

	it('puts failing items on the error output, joined with their input', async () => {
		const result = await echo(
			{ action: '={{ $json.name === "bad" ? "fail" : "echo" }}' },
			{ items: [{ name: 'good' }, { name: 'bad' }], onError: 'continueErrorOutput' },
		);
		expect(result.status).toBe('success');
		expect(result.items.map(({ json }) => json)).toEqual([{ name: 'good', text: 'x' }]);
		expect(result.errorItems).toEqual([
			{ json: { name: 'bad', error: 'Error: Refused: x' }, pairedItem: { item: 1 } },
		]);
	});

	it('keeps failing items on the regular output on request', async () => {
		const result = await echo({ action: 'fail' }, { onError: 'continueRegularOutput' });
		expect(result.items.map(({ json }) => json)).toEqual([{ error: 'Error: Refused: x' }]);
	});

	it('tries again on request', async () => {
		const result = await echo(
			{ action: 'fail' },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		);
		const tries = result.printed.filter((line) => line.includes('Refused: x'));
		expect(result.status).toBe('error');
		expect(tries.length).toBeGreaterThanOrEqual(3);
	});

	it('refuses a workflow with issues as n8n does, before any node runs', async () => {
		const result = await echo({ text: '' });
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/'Echo' node has issues[^]*Text/);
		expect(result.runData).toEqual({});
	});

	it('reports a mistake of the test as such', async () => {
		await expect(echo({}, { node: 'sample.nothing' })).rejects.toThrow('No node type');
	});
});

describe('files', () => {
	afterEach(() => useBinaryMode('filesystem'));

	it.each(['filesystem', 'default'] as const)('go in and come out, mode %s', async (mode) => {
		await useBinaryMode(mode);
		const data = await makeBinary('hello', 'hello.txt', 'text/plain');
		expect(data.id === undefined).toBe(mode === 'default');

		const result = await echo(
			{ action: 'file', text: 'data' },
			{ items: [{ json: {}, binary: { data } }] },
		);
		const file = result.items[0]?.binary?.data;
		expect(file).toMatchObject({ fileName: 'shouted.txt', mimeType: 'text/plain', bytes: 5 });
		expect((await readBinary(file)).toString()).toBe('HELLO');
	});

	it('live in json in the combined mode of a workflow', async () => {
		const data = await makeBinary('hello', 'hello.txt', 'text/plain');
		const result = await echo(
			{ action: 'file', text: '_files.data' },
			{ items: [{ json: {}, binary: { data } }], binaryMode: 'combined' },
		);
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toHaveProperty('_files.data.fileName', 'shouted.txt');
	});
});

describe('cancelling', () => {
	it('stops a waiting node at once', async () => {
		const stop = new AbortController();
		// The node says so before it waits, longer than this test may take.
		const onMessage = () => setImmediate(() => stop.abort());
		const result = await echo({ action: 'wait' }, { signal: stop.signal, onMessage });
		expect(stop.signal.aborted).toBe(true);
		expect(result.status).toBe('canceled');
	}, 10_000);

	it('runs nothing when the signal was aborted before', async () => {
		const result = await echo({}, { signal: AbortSignal.abort() });
		expect(result.status).toBe('canceled');
		expect(result.items).toEqual([]);
	});
});

describe('the record', () => {
	it('holds what was stored, logged, printed and shown', async () => {
		const stored = await echo({}, { items: [{ name: 'kept' }] });
		expect(stored.recorded).toContain('"name":"kept"');
		const result = await echo({ action: 'print' });
		expect(result.recorded).toContain('logged x');
		expect(result.recorded).toContain('shown x');
	});

	it('of one run does not hold what another printed later', async () => {
		const first = await echo({ action: 'print', text: 'first' });
		await echo({ action: 'print', text: 'second' });
		expect(first.recorded).not.toContain('logged second');
	});
});

describe('credentials', () => {
	let server: Awaited<ReturnType<typeof startEchoServer>>;

	beforeAll(async () => {
		server = await startEchoServer();
	});

	afterAll(() => server.close());

	const request = (credentialStore: CredentialStore) =>
		echo({ action: 'request', text: `${server.url}/page` }, { credentialStore });

	it('log in once, store the session and use it in the next run', async () => {
		const store = new CredentialStore();
		store.add('echoApi', { url: server.url, user: 'ann' });
		const before = server.logins();
		const answer = { path: '/page', user: { name: 'ann' } };
		expect((await request(store)).items[0]?.json).toEqual(answer);
		expect((await request(store)).items[0]?.json).toEqual(answer);
		expect(server.logins() - before).toBe(1);
		expect(store.updates).toMatchObject([{ type: 'echoApi', changed: ['token'] }]);
	});

	it('log in again when the session expired', async () => {
		const store = new CredentialStore();
		store.add('echoApi', { url: server.url, user: 'ann' });
		await request(store);
		server.expireSessions();
		expect((await request(store)).status).toBe('success');
		expect(store.updates).toHaveLength(2);
	});

	it('have defaults and expressions, which a renewed session leaves alone', async () => {
		const store = new CredentialStore();
		const { id } = store.add('echoApi', { url: `={{ "${server.url}" }}` });
		expect((await request(store)).items[0]?.json).toHaveProperty('user.name', 'guest');
		expect(store.read(id, 'echoApi').url).toBe(`={{ "${server.url}" }}`);
	});

	it('that are missing are the node’s error', async () => {
		const result = await request(new CredentialStore());
		expect(result.error?.message).toContain('does not require credentials');
	});

	it('serve the lists of the editor', async () => {
		const list = await loadOptionsOf({
			node: 'sample.echo',
			types,
			parameters: { place: { __rl: true, mode: 'url', value: 'https://example.com/a/b7' } },
			credentials: { echoApi: { url: server.url, token: 'secret' } },
			method: { kind: 'listSearch', name: 'places' },
			filter: 'fil',
			paginationToken: '2',
		});
		expect(list).toEqual({ results: [{ name: 'asked', value: 'b7 fil 2 true' }] });
	});
});

describe('a workflow', () => {
	const node = (name: string, type: string, typeVersion: number, parameters: INodeParameters) => ({
		id: name,
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0] satisfies INode['position'],
		parameters,
	});
	const link = (to: string) => ({ main: [[{ node: to, type: 'main' as const, index: 0 }]] });

	it('runs the built-in nodes, and expressions that look back', async () => {
		const result = await runWorkflow(
			{
				nodes: [
					node('Note', 'stickyNote', 1, { content: 'Hello' }),
					node('Go', 'manualTrigger', 1, {}),
					node('Data', 'set', 3.4, {
						mode: 'raw',
						jsonOutput: '={{ { orders: [{ id: 1 }, { id: 2 }] } }}',
					}),
					node('Each', 'splitOut', 1, { fieldToSplitOut: 'orders' }),
					node('Fields', 'set', 3.4, {
						includeOtherFields: true,
						assignments: {
							assignments: [
								{ id: 'a', name: 'next', value: '={{ $json.id + 1 }}', type: 'number' },
								{ id: 'b', name: 'all', value: '={{ $("Data").item.json.orders }}', type: 'array' },
							],
						},
					}),
					node('End', 'noOp', 1, {}),
				],
				connections: {
					Go: link('Data'),
					Data: link('Each'),
					Each: link('Fields'),
					Fields: link('End'),
				},
			},
			{ types },
		);
		const all = [{ id: 1 }, { id: 2 }];
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json }) => json)).toEqual([
			{ id: 1, next: 2, all },
			{ id: 2, next: 3, all },
		]);
	});
});
