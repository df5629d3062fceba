import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';

import type { TransferTask } from './transferTask';
import { generatedBytes } from '../service/data/byteSource';

/** What a plain client needs to know to send the same as the node. */
type Plain = Pick<TransferTask, 'baseUrl' | 'apiKey' | 'size' | 'recordPath' | 'fieldId'>;

const boundary = 'plain-client-boundary';

/** Fetches a file with a plain client and writes it to the disk, as the node does. */
export async function downloadPlainly(
	{ baseUrl, apiKey }: Plain,
	address: string,
): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'plain-client-'));
	const agent = new Agent();
	try {
		const begun = performance.now();
		const headers = { authorization: `Basic ${apiKey}` };
		const { body } = await request(`${baseUrl}${address}`, { headers, dispatcher: agent });
		await pipeline(body, createWriteStream(join(folder, 'file')));
		return performance.now() - begun;
	} finally {
		await agent.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Sends a file from the disk with a plain client, in a form as the node does. */
export async function uploadPlainly({
	baseUrl,
	apiKey,
	size,
	recordPath,
	fieldId,
}: Plain): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'plain-client-'));
	const agent = new Agent();
	try {
		const path = join(folder, 'file');
		await pipeline(generatedBytes(size).open(), createWriteStream(path));
		const head = [
			`--${boundary}`,
			`Content-Disposition: form-data; name="${fieldId}"; filename="large.bin"`,
			'Content-Type: application/octet-stream',
			'\r\n',
		].join('\r\n');
		const tail = `\r\n--${boundary}--\r\n`;
		const begun = performance.now();
		const { body } = await request(`${baseUrl}${recordPath}?api`, {
			method: 'POST',
			dispatcher: agent,
			headers: {
				authorization: `Basic ${apiKey}`,
				'content-type': `multipart/form-data; boundary=${boundary}`,
				'content-length': String(head.length + size + tail.length),
			},
			body: Readable.from(form(head, createReadStream(path), tail)),
		});
		const answer = await body.text();
		if (!answer.includes('SUCCESS')) throw new Error(answer);
		return performance.now() - begun;
	} finally {
		await agent.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function* form(head: string, file: Readable, tail: string): AsyncGenerator<Buffer> {
	yield Buffer.from(head);
	for await (const chunk of file) yield Buffer.from(chunk);
	yield Buffer.from(tail);
}
