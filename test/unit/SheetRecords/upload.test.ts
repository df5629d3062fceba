import { PassThrough, type Readable } from 'node:stream';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { filePart } from '../../../nodes/SheetRecords/filePart';
import { ItemContext } from '../../../nodes/SheetRecords/itemContext';
import { Run } from '../../../nodes/SheetRecords/run';
import { FormBody } from '../../../nodes/api/values/formBody';
import { FakeService, type FakeAnswer } from '../api/http/fakeService';

/** A part of a file that n8n keeps on disk, and the streams that were opened on it. */
async function storedPart() {
	const opened: Readable[] = [];
	const binary: IBinaryData = { id: 'filesystem:1', data: '', mimeType: 'text/plain' };
	const helpers = {
		assertBinaryData: () => binary,
		getBinaryMetadata: async () => ({ fileSize: 10 }),
		getBinaryStream: async () => {
			const stream = new PassThrough();
			stream.write('begin');
			opened.push(stream);
			return stream;
		},
	};
	// n8n's contexts have some hundred members; a file part uses these.
	const context = { helpers, getNode: () => ({}) } as unknown as IExecuteFunctions;
	return { part: await filePart(new ItemContext(new Run(context), 0), 'data'), opened };
}

/** Reads the first bytes of each file, as a request does that breaks off. */
async function readABit(body: unknown): Promise<void> {
	if (!(body instanceof FormBody)) throw new Error('No form came');
	for (const [, value] of body) {
		if (typeof value !== 'string') await value.stream()[Symbol.asyncIterator]().next();
	}
}

describe('a file that is not read to its end', () => {
	/** Writes the part to a service that reads the first bytes of it, and yields the files that were closed. */
	async function closedBy(answer: () => FakeAnswer | Promise<FakeAnswer>, signal?: AbortSignal) {
		const { part, opened } = await storedPart();
		const service = new FakeService(async ({ body }) => {
			await readABit(body);
			return await answer();
		});
		const client = await service.connect({ signal });
		const body = new FormBody([['1', part]]);
		const written = client.write({ method: 'POST', path: '/a', query: 'api', body });
		const isWritten = await written.then(
			() => true,
			() => false,
		);
		return { isWritten, closed: opened.map(({ destroyed }) => destroyed) };
	}

	it('is closed when the connection breaks, the service refuses, or the execution is cancelled', async () => {
		const stop = new AbortController();
		const ways: Array<() => FakeAnswer | Promise<FakeAnswer>> = [
			() => {
				throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
			},
			() => ({ status: 413, body: 'Too large' }),
			async () => {
				stop.abort();
				return await new Promise<never>(() => {});
			},
		];
		for (const answer of ways) {
			expect(await closedBy(answer, stop.signal)).toEqual({ isWritten: false, closed: [true] });
		}
	});
});
