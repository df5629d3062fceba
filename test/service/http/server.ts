import formBody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import type { Certificates } from '../certificates';
import { readFormText } from './body';
import type { RequestHandler } from './requestHandler';

const largestBody = 512 * 1024 * 1024;

/** Creates a server with one handler for all addresses. The handler parses addresses and queries itself. */
export async function createServer({ key, certificate }: Certificates, handler: RequestHandler) {
	const server = fastify({
		https: { key, cert: certificate },
		bodyLimit: largestBody,
		forceCloseConnections: true,
		logger: false,
	});
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
		done(null, body),
	);
	await server.register(formBody, { bodyLimit: largestBody, parser: parseForm });
	await server.register(multipart, {
		limits: { fileSize: largestBody, fieldSize: largestBody, fields: 10_000, parts: 20_000 },
	});
	server.addHook('onRequest', async (request, reply) => handler.begin(request, reply));
	server.all('/*', async (request, reply) => await handler.handle(request, reply));
	server.setErrorHandler(async (error, request, reply) => {
		const message = error instanceof Error ? error.message : 'Bad Request';
		return await handler.refuse(request, reply, message);
	});
	return server;
}

/** The plugin's type requires an object, but the plugin accepts any result of the parser. */
function parseForm(text: string): { [key: number]: [string, string] } {
	return readFormText(text);
}
