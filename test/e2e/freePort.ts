import { createServer } from 'node:net';

/** A port of this machine that nobody listens at: the wanted one, if it is free. */
export async function freePort(wanted = 0): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error) => {
			if (wanted === 0) reject(error);
			else resolve(freePort());
		});
		server.listen(wanted, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => {
				if (address === null || typeof address === 'string') reject(new Error('No free port'));
				else resolve(address.port);
			});
		});
	});
}
