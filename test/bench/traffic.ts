import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const sockets = new Set<Socket>();

/** All bytes that went through the connections of this process's servers, headers included. */
export function bytesServed(): number {
	let bytes = 0;
	for (const { bytesRead, bytesWritten } of sockets) bytes += bytesRead + bytesWritten;
	return bytes;
}

subscribe('http.server.request.start', (message) => {
	if (typeof message === 'object' && message !== null && 'socket' in message) {
		// Node says that it is one; the channel's type does not.
		sockets.add(message.socket as Socket);
	}
});
