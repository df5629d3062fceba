import { PassThrough, type Readable } from 'node:stream';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { filePart } from '../../../nodes/SheetRecords/filePart';
import { ItemParameters } from '../../../nodes/SheetRecords/itemParameters';
import { FormBody } from '../../../nodes/wire/formBody';
import { FakeService } from './fakeService';

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
	const context = { helpers } as unknown as IExecuteFunctions;
	return { part: await filePart(new ItemParameters(context, 0), 'data'), opened };
}

/** Reads the first bytes of each file, as a request does that breaks off. */
async function readABit(body: unknown): Promise<void> {
	if (!(body instanceof FormBody)) throw new Error('No form came');
	for (const [, value] of body) {
		if (typeof value !== 'string') await value.stream()[Symbol.asyncIterator]().next();
	}
}

describe('a file that is not read to its end', () => {
	it.each([
		['the connection breaks', { code: 'ECONNRESET' }],
		['the service refuses', undefined],
	])('is closed when %s', async (_, failure) => {
		const { part, opened } = await storedPart();
		const service = new FakeService(async ({ body }) => {
			await readABit(body);
			if (failure) throw Object.assign(new Error('broken'), failure);
			return { status: 413, body: 'Too large' };
		});
		const client = await service.connect();
		const body = new FormBody([['1', part]]);
		const written = client.write({ method: 'POST', path: '/a', query: 'api', body });
		await expect(written).rejects.toThrow();
		expect(opened).toHaveLength(1);
		expect(opened[0]?.destroyed).toBe(true);
	});

	it('is closed when the execution is cancelled', async () => {
		const { part, opened } = await storedPart();
		const stop = new AbortController();
		const service = new FakeService(async ({ body }) => {
			await readABit(body);
			stop.abort();
			return await new Promise<never>(() => {});
		});
		const client = await service.connect({ signal: stop.signal });
		const body = new FormBody([['1', part]]);
		const written = client.write({ method: 'POST', path: '/a', query: 'api', body });
		await expect(written).rejects.toThrow();
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
	});

	it('is opened anew for another attempt', async () => {
		const { part, opened } = await storedPart();
		let attempts = 0;
		const service = new FakeService(async ({ body }) => {
			await readABit(body);
			attempts += 1;
			return attempts === 1
				? { status: 429, headers: { 'retry-after': '0' }, body: '' }
				: { body: { status: 'SUCCESS' } };
		});
		const client = await service.connect();
		const body = new FormBody([['1', part]]);
		await client.write({ method: 'POST', path: '/a', query: 'api', body });
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	});
});
