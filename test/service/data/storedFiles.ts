import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Bytes that can be read again and again without being held. */
export interface ByteSource {
	readonly size: number;
	/** Their first `length`, or all of them. */
	open(length?: number): Readable;
	/** All of them at once, as a copy: of what is small. */
	whole?(): Buffer;
}

export function bytesInMemory(content: Buffer): ByteSource {
	return {
		size: content.length,
		open: (length = content.length) => Readable.from([content.subarray(0, length)]),
		whole: () => Buffer.from(content),
	};
}

export function bytesOnDisk(path: string, size: number): ByteSource {
	return {
		size,
		open: (length = size) =>
			length === 0 ? Readable.from([]) : createReadStream(path, { end: length - 1 }),
		whole: () => readFileSync(path),
	};
}

/** Bytes that are made while they are read: as many as wanted, without a disk. */
export function generatedBytes(size: number): ByteSource {
	return { size, open: (length = size) => Readable.from(generate(length)) };
}

const blockLength = 65_536;

/** No block is like the one before it, so that a lost or repeated one is found. */
function* generate(length: number): Generator<Buffer> {
	const pattern = Buffer.from(
		Array.from({ length: blockLength }, (_, index) => (index * 31) % 251),
	);
	for (let offset = 0; offset < length; offset += blockLength) {
		const block = Buffer.from(pattern.subarray(0, Math.min(blockLength, length - offset)));
		if (block.length >= 4) block.writeUInt32BE(offset / blockLength, 0);
		yield block;
	}
}

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

/** Uploads go to a folder of their own, never whole into memory. */
export class UploadFolder {
	private folder: string | undefined;

	private files = 0;

	async keep(content: Readable): Promise<ByteSource> {
		this.folder ??= mkdtempSync(join(tmpdir(), 'reference-service-'));
		this.files += 1;
		const path = join(this.folder, String(this.files));
		const target = createWriteStream(path);
		await pipeline(content, target);
		return bytesOnDisk(path, target.bytesWritten);
	}

	clear(): void {
		if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
		this.folder = undefined;
	}
}
