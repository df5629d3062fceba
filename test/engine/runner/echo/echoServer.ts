import { createServer, type IncomingMessage } from 'node:http';

/** A server with sessions: `POST /login` answers `{ token }`, anything else who the token is for. */
export async function startEchoServer() {
	const sessions = new Map<string, string>();
	let logins = 0;
	const server = createServer((request, response) => {
		const answer = (status: number, body: object) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		if (request.url === '/login') {
			void readUser(request).then((user) => {
				const token = `token-${++logins}`;
				sessions.set(token, user);
				answer(200, { token });
			});
			return;
		}
		const user = sessions.get(String(request.headers['x-token']));
		if (user === undefined) answer(401, { message: 'Who are you?' });
		else answer(200, { user: { name: user }, path: request.url });
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		url: `http://127.0.0.1:${port}`,
		logins: () => logins,
		expireSessions: () => sessions.clear(),
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

async function readUser(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	const { user }: { user: string } = JSON.parse(text);
	return user;
}
