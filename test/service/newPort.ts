import type { Server } from 'node:net';

const earlierPorts = new Set<number>();

/**
 * Returns whether no server of this process has used the port. A client caches data by address, so a reused port would give
 * it the data of another server.
 */
export function isNewPort(port: number): boolean {
	const isNew = !earlierPorts.has(port);
	earlierPorts.add(port);
	return isNew;
}

export function portOf(server: Server): number {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	return address.port;
}

/** Starts the server at a free port that no server of this process has used. Returns the port. */
export async function listenAtNewPort(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	const port = portOf(server);
	if (isNewPort(port)) return port;
	await new Promise((resolve) => server.close(resolve));
	return await listenAtNewPort(server);
}
