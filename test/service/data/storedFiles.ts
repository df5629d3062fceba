import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Bytes that can be read several times without being kept in memory. */
export interface ByteSource {
	readonly size: number;
	/** Opens the first `length` bytes. Default: all bytes. */
	open(length?: number): Readable;
	/** Returns a copy of all bytes. Only for small sources. */
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

/** Returns bytes that are generated while they are read. They use neither disk nor memory. */
export function generatedBytes(size: number): ByteSource {
	return { size, open: (length = size) => Readable.from(generate(length)) };
}

const blockLength = 65_536;

/** Every block differs from the previous one, so that tests notice a lost or a repeated block. */
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
		/** Value of the file field: `<prefix>@<file name>`. */
		readonly value: string,
		readonly name: string,
		readonly mimeType: string,
		readonly source: ByteSource,
	) {}

	get size(): number {
		return this.source.size;
	}

	/** Copy of the whole content. Only for small files. */
	get content(): Buffer {
		const content = this.source.whole?.();
		if (content === undefined) throw new Error(`The content of ${this.value} is only streamed`);
		return content;
	}
}

/** Stores uploads in a temporary folder instead of memory. */
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
