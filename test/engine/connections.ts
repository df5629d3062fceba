import tls from 'node:tls';

/** TLS session of each server that a connection was made to, by its address. */
const sessions = new Map<string, Buffer>();

let usualContext: tls.SecureContext | undefined;

const { connect } = tls;

/**
 * n8n makes an agent for each request, which knows of none before it. So each connection takes up the session of the
 * one before with the same server, whose certificate has been verified then, as those of one agent do. And none waits
 * until what it sent has been acknowledged, which takes 40 ms.
 */
function connectAgain(options: tls.ConnectionOptions, listener?: () => void): tls.TLSSocket {
	// Who does not verify, or has a certificate or an authority of its own, begins anew.
	const { host, port, rejectUnauthorized, ca, cert } = options;
	if (rejectUnauthorized === false || ca || cert) return connect(options, listener);
	const address = `${host}:${port}`;
	const secureContext = (usualContext ??= tls.createSecureContext());
	const session = sessions.get(address);
	const socket = connect({ secureContext, ...(session && { session }), ...options }, listener);
	return socket.setNoDelay().on('session', (latest) => sessions.set(address, latest));
}

Reflect.set(tls, 'connect', connectAgain);
