import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bytesOnDisk, type ByteSource } from './byteSource';

/** Uploads go to a folder of their own, never whole into memory. */
export class UploadFolder {
	private folder: string | undefined;

	private files = 0;

	/** Takes a file to its end. */
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
