import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { amount } from '../../amount';
import { orders } from '../../service';
import { until } from '../../until';
import { failureModes, useCancellable } from '../cancellable';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { binaryPath } from '../runner';
import { BinaryDataService, Container } from '../runner/core';
import { download, itemWithFiles, storedFiles, textFile, upload } from './fileTestbed';

const testbed = useRecordTestbed();
const megabyte = 1024 * 1024;
const large = amount(16, 100) * megabyte;
const medium = 8 * megabyte;

const cancellable = useCancellable(testbed);

async function hashOf(stream: NodeJS.ReadableStream): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(stream, hash);
	return hash.digest('hex');
}

const fileOf = (value: string) => {
	const file = testbed.service.data.files.get(value);
	if (!file) throw new Error(`The service keeps no file ${value}`);
	return file;
};

describe(`file of ${large / megabyte} MB`, () => {
	it('a large file is downloaded and uploaded completely, with its length known in advance', async () => {
		const value = testbed.service.data.generateFile('large.bin', large);
		const expected = await hashOf(fileOf(value).source.open());
		const down = await testbed.run(download(value));
		const binary = down.items[0]?.binary?.data;
		expect(await hashOf(createReadStream(binaryPath(binary)))).toBe(expected);

		const up = await testbed.runById(upload(5), [{ json: {}, binary: binary && { data: binary } }]);
		expect(up.error).toBeUndefined();
		const [stored] = storedFiles(testbed.service, orders, 5, orders.fields.contract);
		expect(stored).toMatchObject({ name: 'large.bin', size: large });
		expect(stored && (await hashOf(stored.source.open()))).toBe(expected);
		expect(Number(testbed.writes[0]?.headers['content-length'])).toBeGreaterThan(large);
	});
});

it('a full disk is reported as such, and the file is requested once', async () => {
	const value = testbed.service.data.generateFile('medium.bin', medium);
	// Every write to this file fails because the disk is full.
	const store = jest
		.spyOn(Container.get(BinaryDataService), 'store')
		.mockImplementation(async (_location, content) => {
			await writeFile('/dev/full', content);
			throw new Error('There was room');
		});
	const result = await testbed.runAll(download(value), [{}]);
	store.mockRestore();
	expect(result.items).toEqual([]);
	expect(result.errorItems).toMatchObject([
		{
			json: { error: expect.stringMatching(/disk of n8n's host is full.*ENOSPC/) },
			pairedItem: { item: 0 },
		},
	]);
	expect(testbed.service.requests.count).toBe(1);
});

/** Expects that the canceled run sends no further requests, and that another run starts at once. */
async function expectNothingLeft(sent: number) {
	const read = onOrder('get', 1);
	expect((await testbed.run(read)).status).toBe('success');
	const later = testbed.service.requests.all().slice(sent);
	expect(later.map(({ method, path }) => `${method} ${path}`)).toEqual([
		'GET /acme/sales/orders/1/1',
	]);
}

describe.each(failureModes.slice(0, 2))('cancelling, on failure: %s', (_, overrides) => {
	it.each([
		['in the middle', medium],
		['within the first bytes', 20],
	])('cancelling ends a download %s at once', async (_where, size) => {
		const value = testbed.service.data.generateFile('medium.bin', size);
		testbed.inject({ kind: 'stall' });
		const cancel = cancellable(download(value), [{ json: {} }, { json: {} }], overrides);
		await until(() => testbed.service.requests.all()[0]?.status === 200);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		expect([...result.items, ...result.errorItems].filter(({ binary }) => binary)).toEqual([]);
		await expectNothingLeft(1);
	});

	it('cancelling ends an upload in the middle at once', async () => {
		const content = Buffer.alloc(medium, 7);
		const type = 'application/octet-stream';
		const item = await itemWithFiles({}, { data: { name: 'a.bin', type, content } });
		testbed.inject({ kind: 'deaf' });
		const opened = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
		const cancel = cancellable(upload(5), [item, item], overrides);
		await until(() => testbed.service.requests.count === 1);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		expect(storedFiles(testbed.service, orders, 5, orders.fields.contract)).toEqual([]);
		const streams = await Promise.all(opened.mock.results.map(({ value }) => value));
		opened.mockRestore();
		// The file is read to its end before it is sent.
		expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
		await expectNothingLeft(1);
	});

	it('cancelling between emptying and uploading is not reported as a separate error', async () => {
		const item = await itemWithFiles({}, { data: textFile('a.txt') });
		testbed.inject({ kind: 'hang', when: ({ files }) => files.length > 0 });
		const cancel = cancellable(upload(50, { uploadMode: 'replace' }), [item], overrides);
		// The list of fields may be loaded first, because its cache expires.
		await until(() => testbed.writes.length === 2);
		const sent = testbed.service.requests.count;
		expect((await cancel()).status).toBe('canceled');
		await expectNothingLeft(sent);
	});
});
