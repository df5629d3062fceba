import type { Server } from 'node:net';

const earlierPorts = new Set<number>();

/** Whether no server of this process has had this port: what a client keeps of one, by its address, must not be taken for what another one said. */
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

/** Lets a server listen at a port of this machine that no server of this process has had; returns the port. */
export async function listenAtNewPort(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	const port = portOf(server);
	if (isNewPort(port)) return port;
	await new Promise((resolve) => server.close(resolve));
	return await listenAtNewPort(server);
}
