import type { ByteSource } from './byteSource';

export class StoredFile {
	constructor(
		/** `<prefix>@<file name>`: what the file field holds. */
		readonly value: string,
		readonly name: string,
		readonly mimeType: string,
		readonly source: ByteSource,
	) {}

	get size(): number {
		return this.source.size;
	}

	/** All of it at once, as a copy: for small files. */
	get content(): Buffer {
		const content = this.source.whole?.();
		if (content === undefined) throw new Error(`The content of ${this.value} is only streamed`);
		return content;
	}
}
