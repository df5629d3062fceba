import { orders } from '../../service';
import type { Fault } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile } from './filesOnItem';
import { asJson, withFiles } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [fields.customerNumber]: 'C-0001' }),
};

const created = () => testbed.service.data.sheet(orders).records.size - 300;

describe('a file that the item does not have', () => {
	it('stops before anything is sent, with the number of the item and the names of its files', async () => {
		const result = await testbed.run({ ...create, ...withFiles([fields.contract, 'data']) }, [
			await itemWithFiles({}, { photo: textFile('photo.txt'), scan: textFile('scan.txt') }),
		]);
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'data'"),
			description: expect.stringMatching(/'photo'.*'scan'/),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	});

	it('stops an item without any files', async () => {
		const result = await testbed.run({ ...create, ...withFiles([fields.contract, 'data']) }, [{}]);
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'data'"),
			description: expect.stringContaining('no files'),
		});
		expect(testbed.service.requests.count).toBe(0);
	});

	it('as one of several stops them all', async () => {
		const result = await testbed.run({ ...create, ...withFiles([fields.contract, 'a, missing']) }, [
			await itemWithFiles({}, { a: textFile('a.txt') }),
		]);
		expect(result.error?.message).toContain("'missing'");
		expect(testbed.service.requests.count).toBe(0);
	});

	it.each(['', ' ', 'a,', ',a'])('is what %j names', async (names) => {
		const result = await testbed.run({ ...create, ...withFiles([fields.contract, names]) }, [
			await itemWithFiles({}, { a: textFile('a.txt') }),
		]);
		expect(result.status).toBe('error');
		expect(testbed.service.requests.count).toBe(0);
	});

	it('among the fields of the item is told with its path', async () => {
		const result = await testbed.run(
			{ ...create, ...withFiles([fields.contract, 'data']) },
			[await itemWithFiles({}, { photo: textFile('photo.txt') })],
			{ binaryMode: 'combined' },
		);
		expect(result.error?.description).toContain("'_files.photo'");
		expect(testbed.service.requests.count).toBe(0);
	});

	it('does not stop the other items on request', async () => {
		const items = [
			await itemWithFiles({ name: 'first' }, { data: textFile('a.txt') }),
			{ name: 'second' },
			await itemWithFiles({ name: 'third' }, { data: textFile('c.txt') }),
		];
		const result = await testbed.run(
			{ ...create, ...withFiles([fields.contract, 'data']) },
			items,
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toEqual([
			expect.objectContaining({
				json: expect.objectContaining({ name: 'second', error: expect.stringContaining("'data'") }),
				pairedItem: { item: 1 },
			}),
		]);
		expect(created()).toBe(2);
	});
});

describe('a field for files', () => {
	it('must be named', async () => {
		const result = await testbed.run({ ...create, ...withFiles(['', 'data']) }, [
			await itemWithFiles({}, { data: textFile('a.txt') }),
		]);
		expect(result.status).toBe('error');
		expect(testbed.service.requests.count).toBe(0);
	});

	it('that takes none is refused by the service', async () => {
		const result = await testbed.run({ ...create, ...withFiles([fields.remark, 'data']) }, [
			await itemWithFiles({}, { data: textFile('a.txt') }),
		]);
		expect(result.error?.message).toContain('takes no file');
		expect(created()).toBe(0);
	});
});

describe('a write with a file', () => {
	it.each<[string, Fault, number]>([
		['reset', { kind: 'reset' }, 0],
		['resetAfterWork', { kind: 'resetAfterWork' }, 1],
		['HTTP 500', { kind: 'status', status: 500 }, 0],
		['HTTP 503', { kind: 'status', status: 503 }, 0],
		['a web page', { kind: 'body', body: '<html></html>' }, 0],
	])('is sent once after %s, its outcome is unknown', async (_, fault, records) => {
		testbed.service.faults.inject({ ...fault, times: Infinity });
		const result = await testbed.run({ ...create, ...withFiles([fields.contract, 'data']) }, [
			await itemWithFiles({}, { data: textFile('a.txt') }),
		]);
		expect(result.status).toBe('error');
		expect(result.error?.description).toContain('It is not known whether the change was made');
		expect(testbed.writes).toHaveLength(1);
		expect(created()).toBe(records);
	});

	it('is sent again after code 204, and makes one record with one file', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":204,"msg":"Too frequent"}',
			headers: { 'retry-after': '0' },
			times: 2,
		});
		const result = await testbed.run({ ...create, ...withFiles([fields.contract, 'data']) }, [
			await itemWithFiles({}, { data: textFile('a.txt') }),
		]);
		expect(result.status).toBe('success');
		expect(testbed.writes).toHaveLength(3);
		expect(created()).toBe(1);
		const files = storedFiles(testbed.service, orders, 301, fields.contract);
		expect(files.map((file) => file?.content.toString())).toEqual(['Content of a.txt']);
	});
});
