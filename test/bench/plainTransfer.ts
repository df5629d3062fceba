import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';

import type { TransferTask } from './transferTask';
import { generatedBytes } from '../service/data/byteSource';

const boundary = 'plain-client-boundary';
const pageSize = 10_000;

/** Fetches a file with a plain client and writes it to the disk, as the node does. */
export async function downloadPlainly({
	baseUrl,
	apiKey,
	account,
	largeFile,
}: TransferTask): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'plain-client-'));
	const agent = new Agent();
	try {
		const address = `/sims/file.jsp?a=${account}&f=${encodeURIComponent(largeFile)}`;
		const headers = { authorization: `Basic ${apiKey}` };
		const { body } = await request(`${baseUrl}${address}`, { headers, dispatcher: agent });
		await pipeline(body, createWriteStream(join(folder, 'file')));
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
}: TransferTask): Promise<void> {
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
	} finally {
		await agent.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Reads all records in pages of ten thousand and keeps them. */
export async function listPlainly({
	baseUrl,
	apiKey,
	account,
	sheetPath,
	size,
}: TransferTask): Promise<void> {
	const agent = new Agent();
	const records: unknown[] = [];
	for (let offset = 0; offset < size; offset += pageSize) {
		const query = `api&naming=FNAME&subtables=0&limit=${pageSize}&offset=${offset}`;
		const { body } = await request(`${baseUrl}/${account}/${sheetPath}?${query}`, {
			headers: { authorization: `Basic ${apiKey}` },
			dispatcher: agent,
		});
		const page: unknown = await body.json();
		if (typeof page === 'object' && page !== null) records.push(...Object.values(page));
	}
	await agent.close();
	if (records.length !== size) throw new Error(`${records.length} records came, not ${size}`);
}

async function* form(head: string, file: Readable, tail: string): AsyncGenerator<Buffer> {
	yield Buffer.from(head);
	for await (const chunk of file) yield Buffer.from(chunk);
	yield Buffer.from(tail);
}
