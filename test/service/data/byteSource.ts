import { createReadStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

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
