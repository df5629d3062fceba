import { readFileSync } from 'node:fs';
import type { ByteSource } from './byteSource';

/** A file that the service keeps. */
export class StoredFile {
	constructor(
		/** `<prefix>@<file name>`: what the file field holds. */
		readonly value: string,
		readonly name: string,
		readonly mimeType: string,
		readonly source: ByteSource,
		private readonly place: Buffer | string | undefined,
	) {}

	get size(): number {
		return this.source.size;
	}

	/** All of it at once, as a copy: for small files. */
	get content(): Buffer {
		if (this.place === undefined) throw new Error(`The content of ${this.value} is only streamed`);
		return typeof this.place === 'string' ? readFileSync(this.place) : Buffer.from(this.place);
	}
}
