import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { generate } from 'selfsigned';
import { listenAtNewPort } from '../../service/newPort';

export interface UnknownServer {
	baseUrl: string;
	connections: () => number;
	requests: () => number;
	close: () => Promise<void>;
}

/** Validity period of a certificate. It ends in a year unless `notAfterDate` is set. */
export interface Validity {
	notBeforeDate?: Date;
	notAfterDate?: Date;
}

/** Starts a server with a self-signed certificate that answers every request with `{}`. */
export async function startUnknownServer(
	hostName = 'localhost',
	validity: Validity = {},
): Promise<UnknownServer> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: hostName }], {
		...validity,
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostName }] }],
	});
	let requests = 0;
	const server = createServer({ key, cert }, (_request, response) => {
		requests += 1;
		response.end('{}');
	});
	const sockets: Socket[] = [];
	server.on('connection', (socket: Socket) => sockets.push(socket));
	const port = await listenAtNewPort(server);
	return {
		baseUrl: `https://localhost:${port}`,
		connections: () => sockets.length,
		requests: () => requests,
		close: async () => {
			// Close connections whose TLS handshake failed, too, because the server does not track them.
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
