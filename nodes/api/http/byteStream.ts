import type { IExecuteFunctions } from 'n8n-workflow';
import type { HttpAnswer } from './answer';

/** A stream of Node.js, whose type a community package may not import. */
export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** Whether a body is a stream that is still to be read. */
export function isByteStream(body: unknown): body is ByteStream {
	return typeof body === 'object' && body !== null && 'pipe' in body && 'unshift' in body;
}

/** Lets go of a body that nobody will read. */
export function discard({ body }: HttpAnswer): void {
	if (isByteStream(body)) body.destroy();
}
