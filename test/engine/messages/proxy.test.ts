import { createServer, type Server } from 'node:http';
import { useSkippingClock } from '../clock';
import { closedPort } from '../client/closedPort';
import { apiType, pressTest } from '../identity/pressTest';
import { readOrder } from '../operations';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { activatePolling } from '../runner';
import { orders } from '../../service';

/** A proxy between n8n and the service, set as on n8n's host: by environment variables. */
const testbed = useRecordTestbed({ demoRecords: 30 });
useSkippingClock();

const variables = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
const before = variables.map((name) => [name, process.env[name]] as const);
let proxy: Server | undefined;

function setProxy(port: number): void {
	for (const name of variables) Reflect.deleteProperty(process.env, name);
	process.env.HTTPS_PROXY = `http://127.0.0.1:${port}`;
}

afterEach(() => {
	proxy?.close();
	proxy = undefined;
	for (const [name, value] of before) {
		if (value === undefined) Reflect.deleteProperty(process.env, name);
		else process.env[name] = value;
	}
});

/** Starts a proxy that answers each request with a status, or closes the connection without one. */
async function startProxy(status?: number): Promise<void> {
	const server = createServer().on('connect', (_, socket) => {
		if (status === undefined) socket.destroy();
		else socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
	});
	proxy = server;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
	setProxy(address.port);
}

/** Returns the texts of a failing read, poll and connection test. */
async function textsOfAll(): Promise<string[]> {
	const { error } = await testbed.run(readOrder());
	const poller = await activatePolling({
		parameters: { sheet: sheet(orders) },
		credentials: testbed.credentials(),
	});
	const polled: unknown = await poller.poll().catch((thrown: unknown) => thrown);
	poller.close();
	const { message } = await pressTest(testbed, apiType);
	const textOf = ({ message: first, description }: Record<string, unknown>) =>
		`${String(first)} · ${String(description)}`;
	return [textOf(Object(error)), textOf(Object(polled)), message];
}

it.each<[what: string, start: () => Promise<void>, owner: RegExp, step: RegExp]>([
	[
		'does not run',
		async () => setProxy(closedPort),
		/^The service cannot be reached over the network/,
		/HTTPS_PROXY/,
	],
	[
		'closes the connection',
		async () => await startProxy(),
		/^The service cannot be reached over the network/,
		/HTTPS_PROXY/,
	],
	[
		'asks for a login',
		async () => await startProxy(407),
		/^A proxy between n8n's network and the service/,
		/proxy settings/,
	],
	[
		'does not reach the service',
		async () => await startProxy(502),
		/^A gateway or proxy got no proper answer/,
		/ask whoever runs/,
	],
])('a read, a poll and a connection test name the proxy that %s', async (_, start, owner, step) => {
	await start();
	for (const text of await textsOfAll()) {
		expect(text).toMatch(owner);
		expect(text).toMatch(step);
	}
	expect(testbed.service.requests.all()).toEqual([]);
});
