import { amount } from '../../amount';
import { orders } from '../../service';
import { timeLimit } from '../../timeLimit';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { readBinary, type InputItem } from '../runner';
import { nastyTexts } from './corpus';
import { changesSince, stateOf } from './state';

// One test uploads hundreds of files in long runs.
jest.setTimeout(timeLimit(amount(15, 120)));

const testbed = useRecordTestbed({ demoRecords: 1_000 });
const { contract } = orders.fields;
/** File names of the uploads. The service does not accept longer part headers. */
const names = nastyTexts.filter((name) => name.length <= 2_000);
const upload = {
	resource: 'file',
	...onOrder('upload'),
	fieldId: contract,
	options: { doWorkflow: false },
};

/**
 * Returns the name in the request: characters that a part header cannot contain become `_`, and quotes are encoded as in
 * browsers.
 */
const sent = (name: string) => name.replace(/[\\\p{Cc}\p{Surrogate}]/gu, '_');
const arriving = (name: string) => sent(name).replaceAll('"', '%22');

describe('the name of a file that is uploaded', () => {
	it('the name of an uploaded file arrives, and adds no header', async () => {
		const before = stateOf(testbed.service);
		const items: InputItem[] = [];
		for (const [index, name] of names.entries()) {
			items.push(await itemWithFiles({ id: index + 1 }, { data: textFile(name, String(index)) }));
		}
		const result = await testbed.runById(upload, items);
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json }) => json._fileNames)).toEqual(
			names.map((name) => [sent(name)]),
		);
		const stored = names.map((_, index) => {
			return storedFiles(testbed.service, orders, index + 1, contract).at(-1);
		});
		expect(stored.map((file) => [file?.name, file?.mimeType])).toEqual(
			names.map((name) => [arriving(name), 'text/plain']),
		);
		expect(stored.map((file) => file?.content.toString())).toEqual(names.map((_, i) => String(i)));
		const { requests } = testbed.service;
		expect(requests.all().flatMap(({ body }) => body)).toEqual([]);
		expect(testbed.writes.map(({ files }) => files.length)).toEqual(names.map(() => 1));
		const changed = [...changesSince(before, stateOf(testbed.service)).keys()];
		const expected = names.map((_, index) => `sales/orders/1/${index + 1} ${contract}`);
		expect(changed.sort()).toEqual(['files', ...expected].sort());
	});

	it('the name and type of an uploaded file add no header', async () => {
		const types = [
			'a/b\r\nX-Injected: 1',
			'a/b\r\n\r\nbody',
			'a/b\u0000',
			'a/b\n',
			'a/b; c="\r\n"',
		];
		const items = await Promise.all(
			types.map(async (type, index) => {
				const item = await itemWithFiles({ id: index + 1 }, { data: textFile('a.txt', 'x') });
				const data = { ...item.binary?.data, data: '', mimeType: type };
				return { ...item, binary: { data } };
			}),
		);
		const result = await testbed.runById(upload, items);
		expect(result.error).toBeUndefined();
		for (const index of types.keys()) {
			const file = storedFiles(testbed.service, orders, index + 1, contract).at(-1);
			expect([file?.name, file?.content.toString()]).toEqual(['a.txt', 'x']);
			expect(file?.mimeType).toMatch(/^a\/b/);
		}
	});
});

it('the name in a downloaded file value becomes a valid file name without a path', async () => {
	const values = names
		.filter((name) => !/\p{Surrogate}/u.test(name) && encodeURIComponent(name).length < 10_000)
		.map((name, index) => {
			return testbed.service.data.storeFile(name, 'text/plain', Buffer.from(`File ${index}`));
		});
	const result = await testbed.run(
		{ resource: 'file', operation: 'download', fileValue: '={{ $json.value }}' },
		values.map((value) => ({ value })),
	);
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(values.length);
	for (const [index, { binary, pairedItem }] of result.items.entries()) {
		const { fileName = '', directory } = binary?.data ?? {};
		expect(fileName).not.toMatch(/^\.*$|[/\\\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
		expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
		expect(directory).toBeUndefined();
		expect(pairedItem).toEqual({ item: index });
		expect((await readBinary(binary?.data)).toString()).toBe(`File ${index}`);
	}
	expect(new Set(testbed.reads.map(({ path }) => path))).toEqual(new Set(['/sims/file.jsp']));
});
