import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../faults';
import type { Answer } from './answer';

/** What a fault does instead of the work; nothing when it strikes only afterwards. */
export function strikeBeforeWork(fault: Fault): Answer | 'hang' | 'cut' | undefined {
	const { headers = {}, body = '' } = fault;
	switch (fault.kind) {
		case 'hang':
			return 'hang';
		case 'reset':
			return 'cut';
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

/** What a fault makes of the answer once the work is done. */
export function strikeAfterWork({ kind }: Fault, answer: Answer): Answer | 'cut' | 'cutInside' {
	if (kind === 'truncate') return 'cutInside';
	if (kind === 'truncateSilently') return { ...answer, body: firstHalf(answer.body) };
	return 'cut';
}

/** Announces the whole body, sends half of it and cuts the connection. */
export function sendCut(
	answer: Answer,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	reply.hijack();
	const length = Buffer.byteLength(answer.body);
	reply.raw.writeHead(answer.status, { ...answer.headers, 'content-length': length });
	reply.raw.write(firstHalf(answer.body), () => request.raw.socket.destroy());
	return reply;
}

function firstHalf(body: string | Buffer): Buffer {
	const bytes = Buffer.from(body);
	return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** The type that a real server would say for such a body. */
function guessType(body: string): Record<string, string> {
	const isPage = body.trimStart().startsWith('<');
	return { 'content-type': isPage ? 'text/html;charset=UTF-8' : 'application/json;charset=UTF-8' };
}
