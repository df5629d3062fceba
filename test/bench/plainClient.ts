import { createPublicKey, verify } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';
import { generatedBytes } from '../service/data/storedFiles';
import { form, formHeaders, uploadTarget } from './form';
import { replay, warmUpOf } from './replay';
import type { Prepared, ScriptedRequest, Task } from './task';

const megabyte = 1024 * 1024;

/** Prepares a plain undici client that keeps its connections open: the lower limit for the time. */
export async function prepareClient(task: Task): Promise<Prepared> {
	if (task.work === 'verify') return await prepareReceiver(task);
	const agent = new Agent();
	await run({ ...warmUpOf(task), amount: megabyte }, agent, await fileOf(task, megabyte));
	const file = await fileOf(task, task.amount);
	return { run: async () => await run(task, agent, file) };
}

async function run(task: Task, agent: Agent, file: string): Promise<number> {
	if (task.work === 'download') return await download(task, agent, file);
	if (task.work === 'upload') return await upload(task, agent, file);
	const results = await replay(task, async (request) => await send(task, agent, request));
	return results.length;
}

async function send(
	{ baseUrl, apiKey }: Task,
	dispatcher: Agent,
	{ method, address, body }: ScriptedRequest,
): Promise<string> {
	const answer = await request(`${baseUrl}${address}`, {
		method: method === 'POST' ? 'POST' : 'GET',
		body,
		dispatcher,
		headers: {
			authorization: `Basic ${apiKey}`,
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		},
	});
	return await answer.body.text();
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Returns the path of a file to upload, or of the target of a download. */
async function fileOf({ work }: Task, size: number): Promise<string> {
	const path = join(folder, `${size}.bin`);
	if (work === 'upload') await pipeline(generatedBytes(size).open(), createWriteStream(path));
	return path;
}

async function download(
	{ baseUrl, account, apiKey, largeFile }: Task,
	dispatcher: Agent,
	file: string,
): Promise<number> {
	const url = `${baseUrl}/sims/file.jsp?a=${account}&f=${encodeURIComponent(largeFile)}`;
	const { body } = await request(url, {
		headers: { authorization: `Basic ${apiKey}` },
		dispatcher,
	});
	const target = createWriteStream(file);
	await pipeline(body, target);
	return target.bytesWritten;
}

async function upload(
	{ baseUrl, account, apiKey, sheetPath, amount }: Task,
	dispatcher: Agent,
	file: string,
): Promise<number> {
	const url = `${baseUrl}/${account}/${sheetPath}/${uploadTarget.recordId}?api`;
	const { body } = await request(url, {
		method: 'POST',
		dispatcher,
		headers: { authorization: `Basic ${apiKey}`, ...formHeaders(amount) },
		body: Readable.from(form(createReadStream(file))),
	});
	const answer = await body.text();
	if (!answer.includes('SUCCESS')) throw new Error(answer);
	return amount;
}

/** Prepares a server that parses deliveries and verifies their signatures in the one format that the service uses. */
async function prepareReceiver({ publicKey }: Task): Promise<Prepared> {
	const key = createPublicKey(publicKey);
	let acceptedCount = 0;
	const server = createServer((incoming, response) => {
		void textOf(incoming).then((text) => {
			const { data, signature } = JSON.parse(text);
			const signed = Buffer.from(canonicalText(data));
			const isValid = verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64'));
			if (isValid) acceptedCount += 1;
			response.writeHead(isValid ? 200 : 401).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return { url: `http://127.0.0.1:${address.port}/`, run: async () => acceptedCount };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString('utf8');
}

function canonicalText(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = Object.entries(value)
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`);
	return `{${members.join(',')}}`;
}
