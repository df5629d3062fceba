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

/** Puts a service behind a certificate that nobody vouches for, as a private host may. */
export async function behindOwnCertificate(service: ReferenceService): Promise<Gateway> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
	const { port } = new URL(service.baseUrl);
	const ca = readFileSync(service.caCertificatePath);
	const sockets: Socket[] = [];
	const server = createServer({ key, cert }, (socket) => {
		const behind = connect({ host: 'localhost', port: Number(port), ca });
		// A connection that ends on one side ends on the other side, too.
		socket.on('error', () => behind.destroy()).pipe(behind);
		behind.on('error', () => socket.destroy()).pipe(socket);
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
