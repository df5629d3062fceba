import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { generate } from 'selfsigned';
import { connect, createServer } from 'node:tls';
import type { ReferenceService } from '../../service';
import { listenAtNewPort } from '../../service/newPort';

export interface Gateway {
	baseUrl: string;
	close: () => Promise<void>;
}

/** Starts a TLS proxy with a self-signed certificate in front of a service, as on a private host. */
export async function behindOwnCertificate(service: ReferenceService): Promise<Gateway> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
	const { port } = new URL(service.baseUrl);
	const ca = readFileSync(service.caCertificatePath);
	const sockets: Socket[] = [];
	const server = createServer({ key, cert }, (socket) => {
		const upstream = connect({ host: 'localhost', port: Number(port), ca });
		// Close both connections when one of them fails.
		socket.on('error', () => upstream.destroy()).pipe(upstream);
		upstream.on('error', () => socket.destroy()).pipe(socket);
	});
	server.on('connection', (socket: Socket) => sockets.push(socket));
	const ownPort = await listenAtNewPort(server);
	return {
		baseUrl: `https://localhost:${ownPort}`,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
