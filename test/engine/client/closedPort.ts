import { createServer } from 'node:net';

/** A port on which nobody listens: one that was free a moment ago. */
export async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === 'string') throw new Error('There is no port.');
	return address.port;
}
