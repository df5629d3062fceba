import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bytesInMemory, type ByteSource } from '../data/storedFiles';
import type { Fault } from '../faults';
import type { Answer } from './answer';

/** Returns the effect of a fault that replaces the work, or undefined if the fault strikes only after the work. */
export function strikeBeforeWork(fault: Fault): Answer | 'hang' | 'cut' | undefined {
	if (fault.kind === 'hang') return 'hang';
	if (fault.kind === 'reset') return 'cut';
	return fault.afterWork ? undefined : answerInstead(fault);
}

function answerInstead(fault: Fault): Answer | undefined {
	const { headers = {}, body = '' } = fault;
	switch (fault.kind) {
		case 'status':
			return { status: fault.status ?? 500, headers, body };
		case 'body':
			return { status: fault.status ?? 200, headers: { ...guessType(body), ...headers }, body };
		case 'redirect': {
			const location = fault.location ?? '/';
			return { status: fault.status ?? 302, headers: { location, ...headers }, body };
		}
		default:
			return undefined;
	}
}

export function strikeAfterWork(
	fault: Fault,
	answer: Answer,
): Answer | 'cut' | 'cutInside' | 'stallInside' {
	const { kind } = fault;
	if (kind === 'truncate') return 'cutInside';
	if (kind === 'stall') return 'stallInside';
	if (kind === 'truncateSilently') return { ...answer, body: firstHalf(sourceOf(answer.body)) };
	return answerInstead(fault) ?? 'cut';
}

/** Announces the whole body and sends half of it. Then cuts the connection, or sends nothing more. */
export function sendHalf(
	answer: Answer,
	request: FastifyRequest,
	reply: FastifyReply,
	then: 'cut' | 'stall',
): FastifyReply {
	reply.hijack();
	const source = sourceOf(answer.body);
	reply.raw.writeHead(answer.status, { ...answer.headers, 'content-length': source.size });
	reply.raw.flushHeaders();
	void pipeline(firstHalf(source).open(), reply.raw, { end: false })
		.catch(() => undefined)
		.then(() => {
			if (then === 'cut') reply.raw.write('', () => request.raw.socket.destroy());
		});
	return reply;
}

function sourceOf(body: Answer['body']): ByteSource {
	return typeof body === 'string' || Buffer.isBuffer(body)
		? bytesInMemory(Buffer.from(body))
		: body;
}

function firstHalf(source: ByteSource): ByteSource {
	const half = Math.floor(source.size / 2);
	return { size: half, open: (length = half) => source.open(length) };
}

/** Returns the content type that a real server would send with the body. */
function guessType(body: string | Buffer): Record<string, string> {
	const isPage = body.toString().trimStart().startsWith('<');
	return { 'content-type': isPage ? 'text/html;charset=UTF-8' : 'application/json;charset=UTF-8' };
}
