import { InputError } from './inputError';
import { requireWholeCharacters } from './query';

/** A file as a part of a form. `stream` is called again each time the form is sent, and yields exactly `size` bytes. */
export interface FilePart {
	name: string;
	type: string;
	size: number;
	stream(): AsyncIterable<Uint8Array>;
	/** Releases the resources of `stream`. Set if the stream releases them itself only when it is read to its end. */
	close?(): void;
}

export type FormPart = readonly [name: string, value: string | FilePart];

/**
 * A multipart body that looks like FormData to n8n's HTTP helper, and streams files. A real FormData would need each file in
 * memory.
 */
export class FormBody {
	private readonly parts: readonly FormPart[];
	/** Controller of the current request. Each request has its own, because ending a request breaks off its streams. */
	private reading = new AbortController();

	/** Throws InputError if a text value cannot be encoded in UTF-8. Names are not checked. */
	constructor(parts: readonly FormPart[]) {
		this.parts = parts.map(([name, value]) => {
			const part = verbatim(value);
			return [name, typeof part === 'string' ? part : this.watched(part)];
		});
	}

	/** Aborted with the error when a file cannot be read for the current request, which would wait for the missing bytes. */
	get signal(): AbortSignal {
		return this.reading.signal;
	}

	/** Returns a file that aborts `signal` if its stream fails or does not yield exactly `size` bytes. */
	private watched(file: FilePart): FilePart {
		const stream = () => this.watchedStream(file, this.reading);
		return { ...file, stream };
	}

	private async *watchedStream(
		file: FilePart,
		reading: AbortController,
	): AsyncGenerator<Uint8Array> {
		const stop = (error: unknown): never => {
			reading.abort(error);
			throw error;
		};
		let left = file.size;
		try {
			for await (const chunk of file.stream()) {
				left -= chunk.length;
				yield chunk;
			}
			if (left !== 0) throw changedFile(file);
		} catch (error) {
			stop(error);
		}
	}

	get [Symbol.toStringTag](): string {
		return 'FormData';
	}

	append(): never {
		throw new TypeError('A form body is complete when it is made');
	}

	entries(): IterableIterator<FormPart> {
		return this.parts.values();
	}

	/** Releases files that a request has not read to their end. The client calls it after each request, also before a retry. */
	close(): void {
		this.reading = new AbortController();
		for (const [, value] of this.parts) {
			if (typeof value !== 'string') value.close?.();
		}
	}

	[Symbol.iterator](): IterableIterator<FormPart> {
		return this.entries();
	}
}

/** Converts a text that has line breaks to bytes, because the HTTP helper would convert the line breaks of a text to CR LF. */
function verbatim(value: string | FilePart): string | FilePart {
	if (typeof value !== 'string') return value;
	if (!/[\r\n]/.test(requireWholeCharacters(value))) return value;
	const bytes = new TextEncoder().encode(value);
	const stream = async function* () {
		yield bytes;
	};
	return { name: '', type: 'text/plain;charset=UTF-8', size: bytes.length, stream };
}

/** Returns the error for a file whose stream does not yield exactly `size` bytes. */
function changedFile({ name }: FilePart): InputError {
	const message = `The file '${name}' changed while it was sent`;
	return new InputError(message, 'Run the node that made the file again.');
}
