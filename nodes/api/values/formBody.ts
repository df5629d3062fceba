import { requireWholeCharacters } from './query';

/** A file as a part of a form: its bytes come from `stream`, `size` of them. */
export interface FilePart {
	name: string;
	type: string;
	size: number;
	stream(): AsyncIterable<Uint8Array>;
	/** Lets go of what `stream` holds open: one that is not read to its end does not do so itself. */
	close?(): void;
}

export type FormPart = readonly [name: string, value: string | FilePart];

/** A multipart body that n8n's HTTP helper takes for FormData by its looks, and streams: a real one would need each file whole in memory. */
export class FormBody {
	private readonly parts: readonly FormPart[];

	/** Throws InputError when a text cannot be written in UTF-8. */
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

	/** Lets go of files that a request has not read to their end. It may be sent again afterwards. */
	close(): void {
		for (const [, value] of this.parts) {
			if (typeof value !== 'string') value.close?.();
		}
	}

	[Symbol.iterator](): IterableIterator<FormPart> {
		return this.entries();
	}
}

/** Returns a text as bytes where it has line breaks: the HTTP helper turns those of a text into CR LF, as a browser does. */
function verbatim(value: string | FilePart): string | FilePart {
	if (typeof value !== 'string') return value;
	if (!/[\r\n]/.test(requireWholeCharacters(value))) return value;
	const bytes = new TextEncoder().encode(value);
	const stream = async function* () {
		yield bytes;
	};
	return { name: '', type: 'text/plain;charset=UTF-8', size: bytes.length, stream };
}
