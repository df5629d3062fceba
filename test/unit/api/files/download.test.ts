import { createServer, get, IncomingMessage, type Server } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import {
	downloadFile,
	downloadStoredFile,
	type ArrivingFile,
} from '../../../../nodes/api/files/download';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { FakeService, inOrder } from '../http/fakeService';

/** Returns a client whose requests are answered with these bodies in order. */
async function clientOf(bodies: unknown[], signal?: AbortSignal) {
	const service = new FakeService(inOrder(bodies.map((raw) => ({ raw }))));
	return { client: await service.connect({ signal }), requests: () => service.requests.length };
}

const streamOf = (...pieces: Uint8Array[]) => Readable.from(pieces, { objectMode: false });
const file = {
	path: '/file',
	query: '',
	expected: { extension: 'pdf', isGenerated: true },
};
const contentOf = async ({ stream }: ArrivingFile) => await buffer(stream);
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2000, 'x')]);

describe('a file', () => {
	it('a file arrives complete, however it is split into chunks', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ minLength: 1, maxLength: 700 }), { maxLength: 8 }),
				async (pieces) => {
					const { client } = await clientOf([
						streamOf(Buffer.from('%P'), Buffer.from('DF'), ...pieces),
					]);
					const content = await downloadFile(client, file, contentOf);
					expect(content.equals(Buffer.concat([Buffer.from('%PDF'), ...pieces]))).toBe(true);
				},
			),
		);
	});

	it.each([
		{ seconds: 100, outcome: 'complete' },
		{ seconds: 130, outcome: 'connectionLost' },
	])('a file of which a part arrives every $seconds seconds is $outcome', async (row) => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
		async function* slowly() {
			for (let part = 0; part < 5; part++) {
				yield pdf;
				await new Promise((resolve) => setTimeout(resolve, row.seconds * 1000));
			}
		}
		const bodies = Array.from({ length: 5 }, () => Readable.from(slowly(), { objectMode: false }));
		const { client } = await clientOf(bodies);
		const outcome = downloadFile(client, file, contentOf).then(
			({ length }) => (length === 5 * pdf.length ? 'complete' : length),
			({ kind }) => kind,
		);
		await jest.advanceTimersByTimeAsync(3_600_000);
		jest.useRealTimers();
		expect(await outcome).toBe(row.outcome);
	});

	it.each([201, 202, 203, 204, 205, 206])(
		'content with HTTP status %d is not stored as the file, because it may be another content or a part',
		async (status) => {
			const service = new FakeService(() => ({ status, raw: streamOf(pdf) }));
			const store = jest.fn(contentOf);
			const downloading = downloadFile(await service.connect(), file, store);
			await expect(downloading).rejects.toMatchObject({ details: { kind: 'notFound', status } });
			expect(store).not.toHaveBeenCalled();
		},
	);

	it.each([
		{ title: 'cannot be stored', store: async () => await Promise.reject(new TypeError('full')) },
		{ title: 'is stored before its end', store: async () => await Promise.resolve() },
	])('the connection of a file that $title is closed', async ({ store }) => {
		const body = new PassThrough();
		body.write(pdf);
		const { client } = await clientOf([body]);
		await downloadFile(client, file, store).catch(() => {});
		expect(body.destroyed).toBe(true);
	});

	it('a long error in Chinese in place of a file is quoted, although chunks end within a character', async () => {
		const error = '找不到檔案。'.repeat(100);
		const body = new PassThrough();
		body.write(Buffer.from(error).subarray(0, 520));
		setTimeout(() => body.end(Buffer.from(error).subarray(520)), 20);
		const { client } = await clientOf([body]);
		const expected = { extension: 'pdf', isGenerated: false };
		await expect(downloadFile(client, { ...file, expected }, contentOf)).rejects.toMatchObject({
			details: {
				message: 'The service sent something else instead of the file',
				description: `It says '${error.slice(0, 200)}…'.`,
			},
		});
	});

	it.each([
		[
			'<title>Moved</title><p>Log in <!-- a > b <i> -->first</p><SCRIPT>if (a<b) c()</script>',
			'Moved Log in first',
		],
		[`${'<script'.repeat(120_000)}`, ''],
		[`${'<title'.repeat(140_000)}`, ''],
		[`<p>Log in</p>${'<'.repeat(800_000)}`, 'Log in'],
	])(
		'a web page in place of a file is quoted as a reader sees it, also a hostile one: %.40s',
		async (page, quote) => {
			const { client } = await clientOf([streamOf(Buffer.from(`<html>${page}`))]);
			const error = await downloadFile(client, file, contentOf).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(ServiceError);
			expect(Object(error).details.serviceMessage ?? '').toMatch(new RegExp(`^${quote}(?:$| ?<)`));
		},
	);

	it('a file stream that fails before it is read does not end the process', async () => {
		const bodies = [new PassThrough(), streamOf(pdf)];
		bodies.forEach((body) => body instanceof PassThrough && body.write(pdf));
		const { client } = await clientOf(bodies);
		let attempts = 0;
		const content = await downloadFile(client, file, async (arriving) => {
			if (attempts++ === 0) {
				bodies[0]?.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
				await new Promise((resolve) => setImmediate(resolve));
			}
			return await contentOf(arriving);
		});
		expect(content.equals(pdf)).toBe(true);
		expect(attempts).toBe(2);
	});
});

describe('an answer of older versions of n8n', () => {
	let server: Server;
	beforeAll(async () => {
		server = createServer((_, response) => response.end(pdf));
		await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	});
	afterAll(() => server.close());

	it('the answer of an older n8n is not passed to the store, because n8n would keep its address', async () => {
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : undefined;
		const message = await new Promise<IncomingMessage>((resolve) =>
			get({ host: 'localhost', port, path: '/file?APIKey=secret' }, resolve),
		);
		const { client } = await clientOf([message]);
		const content = await downloadFile(client, file, async (arriving) => {
			expect(arriving.stream).not.toBeInstanceOf(IncomingMessage);
			return await contentOf(arriving);
		});
		expect(content.equals(pdf)).toBe(true);
	});
});

describe('a stalled body', () => {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	});
	afterEach(() => jest.useRealTimers());

	const stalled = (start = '') => {
		const body = new PassThrough();
		if (start !== '') body.write(start);
		return body;
	};

	it.each([
		['before its first byte', ''],
		['within its first bytes', '%PDF'],
		['later', `%PDF${'x'.repeat(1000)}`],
	])('a download with a stalled body is repeated after two minutes: %s', async (_, start) => {
		const bodies = Array.from({ length: 5 }, () => stalled(start));
		const { client, requests } = await clientOf(bodies);
		const failed = expect(downloadFile(client, file, contentOf)).rejects.toMatchObject({
			details: { kind: 'connectionLost', description: expect.stringContaining('Tried 5 times') },
		});
		await jest.advanceTimersByTimeAsync(119_000);
		expect(requests()).toBe(1);
		await jest.advanceTimersByTimeAsync(2_000);
		expect(requests()).toBe(2);
		await jest.advanceTimersByTimeAsync(600_000);
		await failed;
		expect(bodies.every(({ destroyed }) => destroyed)).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	it.each([
		['before its first byte', ''],
		['later', `%PDF${'x'.repeat(1000)}`],
	])(
		'a download with a stalled body ends when the execution is cancelled: %s',
		async (_, start) => {
			const cancel = new AbortController();
			const body = stalled(start);
			const { client, requests } = await clientOf([body], cancel.signal);
			const failed = expect(downloadFile(client, file, contentOf)).rejects.toThrow('cancelled');
			await jest.advanceTimersByTimeAsync(0);
			cancel.abort(new Error('cancelled'));
			await jest.advanceTimersByTimeAsync(0);
			await failed;
			expect(body.destroyed).toBe(true);
			expect(requests()).toBe(1);
			await jest.advanceTimersByTimeAsync(5_000);
			expect(jest.getTimerCount()).toBe(0);
		},
	);
});

describe('a stored file', () => {
	const loginForm =
		'<html><head><title>Log in</title></head><body><input type="password"></body></html>';
	const asPage = { 'content-type': 'text/html' };
	const answerWith = (html: string, headers: Record<string, string>) => ({
		raw: streamOf(Buffer.from(html)),
		headers,
	});

	it.each([
		{ what: 'is the file', isRedirected: false },
		{ what: 'is not the file if the request was redirected to it', isRedirected: true },
	])('a login page with a fitting name $what', async ({ isRedirected }) => {
		const service = new FakeService(({ url }) => {
			const isFirst = url.pathname === '/sims/file.jsp';
			if (isFirst && isRedirected) return { status: 302, headers: { location: '/login.html' } };
			if (isFirst || url.pathname === '/login.html') return answerWith(loginForm, asPage);
			return { body: { status: 'ERROR', code: 106, msg: 'No rights' } };
		});
		const download = downloadStoredFile(await service.connect(), 'abc@login.html', contentOf);
		if (isRedirected) await expect(download).rejects.toBeInstanceOf(ServiceError);
		else expect(String(await download)).toBe(loginForm);
	});
});
