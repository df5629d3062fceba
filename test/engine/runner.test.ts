import type { INodeParameters } from 'n8n-workflow';

import {
	CredentialStore,
	makeBinary,
	readBinary,
	runNode,
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
});
