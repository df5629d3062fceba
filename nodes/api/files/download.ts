import { valueOrRefusal, type HttpAnswer } from '../http/answer';
import { headLength, isAnswerInstead, mimeTypeOf, type ExpectedFile } from './fileContent';
import { dispositionName } from '../values/fileName';
import { ServiceError } from '../http/serviceError';
import { isReadable, shortened } from '../values/text';
import { isByteStream, type ByteStream } from '../http/byteStream';
import { waitUnlessCancelled } from '../http/cancellation';
import type { Client, ServiceRequest } from '../http/client';

/** A file on its way. */
export interface ArrivingFile {
	stream: ByteStream;
	mimeType: string;
	/** The name in the answer's header, as it stands there. */
	name?: string;
}

export interface FileRequest extends ServiceRequest {
	expected: ExpectedFile;
}

/** A body that stands still for so long will not come any more. */
const idleMilliseconds = 120_000;
/** Of an answer in place of a file, no more than this is read. */
const mostAnswerBytes = 1_000_000;
/** Of what it says, so many characters are told. */
const longestWords = 200;

/**
 * Fetches a file and hands it on as a stream: it is never held whole.
 *
 * @param store takes the stream to its end; it may be called again for another attempt
 * @throws ServiceError, also when an answer came in place of the file, or the file is cut short
 */
export async function downloadFile<T>(
	client: Client,
	{ expected, ...request }: FileRequest,
	store: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
	return await client.read({ ...request, encoding: 'stream' }, async (answer) => {
		const stream = streamOf(answer);
		const watch = new Watch(stream, client.signal);
		try {
			const first = await watch.orIdle(firstBytes(stream));
			if (!isSuccess(answer) || isAnswerInstead(first, answer.headers, expected)) {
				throw await watch.orIdle(refusalIn(answer, stream));
			}
			const name = dispositionName(answer.headers['content-disposition']);
			const mimeType = mimeTypeOf(first, answer.headers, expected.extension);
			return await watch.orIdle(store({ stream: stream.map(watch.chunkArrived), mimeType, name }));
		} finally {
			watch.end();
			stream.destroy();
		}
	});
}

function streamOf(answer: HttpAnswer): ByteStream {
	if (isByteStream(answer.body)) return answer.body;
	throw new ServiceError({
		kind: 'refused',
		message: 'The service sent an empty answer instead of the file',
		status: answer.status,
	});
}

/** No other status sends a file; 204, say, means that there is none. */
function isSuccess({ status }: HttpAnswer): boolean {
	return status === 200;
}

/** The beginning of a stream, which stays in it: `headLength` bytes, or as many as there are. */
async function firstBytes(stream: ByteStream): Promise<Uint8Array> {
	return await new Promise((resolve, reject) => {
		const settle = (act: () => void) => {
			stream
				.off('readable', onReadable)
				.off('end', onEnd)
				.off('error', onError)
				.off('close', onClose);
			act();
		};
		const onReadable = () => {
			// Yields nothing until there are so many bytes, or the last ones have come.
			const chunk: unknown = stream.read(headLength);
			if (!(chunk instanceof Uint8Array)) return;
			stream.unshift(chunk);
			settle(() => resolve(chunk));
		};
		const onEnd = () => settle(() => resolve(new Uint8Array()));
		const onError = (error: Error) => settle(() => reject(error));
		const onClose = () => settle(() => reject(stream.errored ?? brokenOff()));
		stream.on('readable', onReadable).on('end', onEnd).on('error', onError).on('close', onClose);
	});
}

async function refusalIn(answer: HttpAnswer, stream: ByteStream): Promise<ServiceError> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of stream) {
		if (!(chunk instanceof Uint8Array) || length > mostAnswerBytes) break;
		chunks.push(chunk);
		length += chunk.length;
	}
	const text = Buffer.concat(chunks).toString('utf8');
	const judged = valueOrRefusal({ ...answer, text });
	// A missing file may well be told by a page: nobody takes it for a record that is gone.
	if (judged instanceof ServiceError && judged.kind === 'webPage' && answer.status === 404) {
		const message = 'The service has no such file, or it answered with a web page instead';
		return judged.with({ kind: 'notFound', message });
	}
	if (judged instanceof ServiceError && judged.kind !== 'malformed') return judged;
	const words = isReadable(text) ? shortened(text.trim(), longestWords) : '';
	return new ServiceError({
		kind: 'notFound',
		message:
			length === 0
				? 'The service sent an empty answer instead of the file'
				: 'The service sent something else instead of the file',
		description: words === '' ? 'The file may not exist any more.' : `It said: ${words}`,
		status: answer.status,
		quoted: [words],
	});
}

/**
 * Ends a stream when nothing comes for long, or the execution is cancelled.
 *
 * n8n may wrap the body in a stream that tells its readers of its end only with the next chunk, which does
 * not come: so nobody waits for them.
 */
class Watch {
	private readonly finished = new AbortController();
	private readonly idle: Promise<never>;
	private latest = performance.now();

	constructor(
		private readonly stream: ByteStream,
		signal: AbortSignal | undefined,
	) {
		// A failure between two listeners would end the whole process; the next one to read hears of it.
		stream.on('error', () => {});
		const { signal: finished } = this.finished;
		signal?.addEventListener('abort', () => stream.destroy(brokenOff()), { signal: finished });
		this.idle = this.whenIdle();
	}

	/** What the promise yields, unless nothing comes for too long: then it throws. */
	async orIdle<T>(promise: Promise<T>): Promise<T> {
		return await Promise.race([promise, this.idle]);
	}

	/** All chunks pass through this, so that it is known when one came. */
	readonly chunkArrived = (chunk: unknown) => {
		this.latest = performance.now();
		return chunk;
	};

	end(): void {
		this.finished.abort();
	}

	private async whenIdle(): Promise<never> {
		for (;;) {
			const left = this.latest + idleMilliseconds - performance.now();
			if (left <= 0) break;
			await waitUnlessCancelled(left, this.finished.signal);
		}
		this.stream.destroy(brokenOff());
		throw brokenOff();
	}
}

function brokenOff(): ServiceError {
	return new ServiceError({
		kind: 'connectionLost',
		message: 'The connection to the service broke off before the file was complete',
		description: 'Try again later.',
	});
}
