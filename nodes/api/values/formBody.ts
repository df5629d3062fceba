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

	/** Throws InputError if a text value cannot be encoded in UTF-8. Names are not checked. */
	constructor(parts: readonly FormPart[]) {
		this.parts = parts.map(([name, value]) => [name, verbatim(value)]);
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
