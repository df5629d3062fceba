import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A server with a certificate that nobody vouches for. */
export interface UnknownServer {
	baseUrl: string;
	/** How many connections were tried. */
	connections: () => number;
	/** How many requests came through. */
	requests: () => number;
	close: () => Promise<void>;
}

/** Starts a server that answers everything with `{}`, behind a certificate that it has made for itself. */
export async function startUnknownServer(hostName = 'localhost'): Promise<UnknownServer> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: hostName }], {
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostName }] }],
	});
	let connections = 0;
	let requests = 0;
	const server = createServer({ key, cert }, (_request, response) => {
		requests += 1;
		response.end('{}');
	});
	server.on('connection', () => (connections += 1));
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	const { port } = addressOf(server.address());
	return {
		baseUrl: `https://localhost:${port}`,
		connections: () => connections,
		requests: () => requests,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	return address;
}
