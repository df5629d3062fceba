import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readRequestBody, RefusedByServer } from './requestBody';

/** Request as n8n passes it to a node. */
export interface WebhookRequest extends IncomingMessage {
	body?: unknown;
	params: Record<string, string>;
	query: Record<string, string>;
	readRawBody(): Promise<void>;
}

/** Response as n8n passes it to a node. */
export interface WebhookResponse extends ServerResponse {
	status(code: number): this;
	json(value: unknown): this;
}

type Take = (request: WebhookRequest, response: WebhookResponse) => Promise<void>;

/** Part of n8n's HTTP server that webhooks need: it parses bodies, and answers requests that no node handles. */
export class WebhookServer {
	private constructor(private readonly server: Server) {}

	/** Listens on this machine, on a free port by default. */
	static async start(
		take: Take,
		{ port = 0, bodyLimit }: { port?: number; bodyLimit?: number } = {},
	): Promise<WebhookServer> {
		const server = createServer((request, response) => {
			void answer(request, answering(response), take, bodyLimit);
		});
		// Keep idle connections open, because the client may be about to use them again.
		server.keepAliveTimeout = 0;
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		return new WebhookServer(server);
	}

	get baseUrl(): string {
		const address: AddressInfo | string | null = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('The server has no port');
		return `http://127.0.0.1:${address.port}/`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

async function answer(
	request: IncomingMessage,
	response: WebhookResponse,
	take: Take,
	bodyLimit?: number,
): Promise<void> {
	try {
		const body = await readRequestBody(request, bodyLimit);
		const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
		const overrides = { params: {}, query: Object.fromEntries(query), readRawBody };
		await take(Object.assign(request, body, overrides), response);
	} catch (error) {
		const status = error instanceof RefusedByServer ? error.status : 500;
		response.status(status).json({ code: 0, message: String(error) });
	}
}

/** Throws, because a body that was not stored cannot be read again. */
async function readRawBody(): Promise<void> {
	throw new Error('stream is not readable');
}

function answering(response: ServerResponse): WebhookResponse {
	return Object.assign(response, {
		status(this: WebhookResponse, code: number) {
			this.statusCode = code;
			return this;
		},
		json(this: WebhookResponse, value: unknown) {
			this.setHeader('content-type', 'application/json; charset=utf-8');
			this.end(JSON.stringify(value));
			return this;
		},
	});
}
