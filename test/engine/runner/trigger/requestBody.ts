import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Default maximum size of a request body in n8n, in bytes. */
const usualBodyLimit = 16 * 1024 * 1024;

/** Body of a request after n8n has parsed it for a node. */
export interface RequestBody {
	rawBody?: Buffer;
	body?: unknown;
}

/** Error of a request that n8n answers without calling the node. */
export class RefusedByServer extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** Parses a body by its content type, like n8n for a node of version 1. Forms with files are not supported. */
export async function readRequestBody(
	request: IncomingMessage,
	limit = usualBodyLimit,
): Promise<RequestBody> {
	const type = mediaType(request);
	const bytes = await received(request, limit);
	if (type.startsWith('multipart/')) return { body: { data: {}, files: {} } };
	const rawBody = await decompressed(bytes, request.headers['content-encoding']);
	const text = rawBody.toString('utf8');
	if (type === 'application/json') return { rawBody, body: parsedJson(text) };
	if (type === 'application/x-www-form-urlencoded') {
		return { rawBody, body: Object.fromEntries(new URLSearchParams(text)) };
	}
	if (type === 'text/plain') return { rawBody, body: text };
	return { rawBody };
}

function mediaType(request: IncomingMessage): string {
	return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

async function received(request: IncomingMessage, limit: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request) {
		const bytes = Buffer.from(chunk);
		length += bytes.length;
		if (length <= limit) chunks.push(bytes);
	}
	if (length > limit) throw new RefusedByServer(500, 'request entity too large');
	return Buffer.concat(chunks);
}

async function decompressed(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
	if (encoding === 'gzip') return await promisify(gunzip)(bytes);
	return bytes;
}

function parsedJson(text: string): unknown {
	if (text === '') return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		throw new RefusedByServer(422, 'Failed to parse request body');
	}
}
