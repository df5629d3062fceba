import { Readable } from 'node:stream';
import { orders } from '../../service';
import { asJson, filesOption } from '../record/recordValues';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { BinaryDataService, Container } from '../runner/core';
import { itemWithFiles, storedFiles, textFile, upload } from './fileTestbed';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;

afterEach(() => jest.restoreAllMocks());

const store = () => Container.get(BinaryDataService);
const contents = () =>
	storedFiles(testbed.service, orders, 50, fields.contract).map((file) => file?.content.toString());
const item = async () => await itemWithFiles({}, { data: textFile('a.pdf', 'the content') });

/** Returns a stream of n8n's storage that yields a text and then fails. */
async function broken(text: string): Promise<Readable> {
	return Readable.from(
		(async function* () {
			yield Buffer.from(text);
			throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
		})(),
	);
}

const lost = async () => {
	throw Object.assign(new Error("ENOENT: no such file or directory, open '/x'"), {
		code: 'ENOENT',
	});
};

const unreadable = "n8n could not read the file 'a.pdf' from its own storage. Nothing was sent";
const gone =
	"n8n's storage has no file for 'data' of this item any more. Run the node that made it again";

const ways = [
	['an upload', upload(50, { uploadMode: 'replace' })],
	[
		'an update',
		{
			...onOrder('update', 50),
			...asJson({ [fields.reference]: 'x' }),
			options: { ...filesOption(['Contract', 'data']), filesMode: 'replace' },
		},
	],
] as const;

describe.each(ways)("a file that n8n's storage cannot give, in %s", (_, parameters) => {
	it.each([
		['breaks off', async () => await broken('the'), unreadable],
		[
			'is shorter than stored',
			async () => Readable.from([Buffer.from('the')]),
			'3 of the 11 bytes',
		],
		['is longer than stored', async () => Readable.from([Buffer.alloc(12)]), '12 of the 11 bytes'],
		[
			'cannot be opened',
			async () => await broken('').then((stream) => stream.destroy(new Error('S3'))),
			unreadable,
		],
		['is lost', lost, gone],
	] as const)(
		'names the storage, and nothing is sent or emptied: the file %s',
		async (_what, open, message) => {
			const before = contents();
			const input = await item();
			jest.spyOn(store(), 'getAsStream').mockImplementation(open);
			const { error } = await testbed.runById(parameters, [input]);
			expect(error?.message).toContain(message);
			expect(error?.name).toBe('NodeOperationError');
			expect(testbed.writes).toEqual([]);
			expect(contents()).toEqual(before);
		},
	);

	it.each(['Access denied', 'Access denied.'])(
		'the reason of the storage is followed by one period and the advice: %s',
		async (reason) => {
			const input = await item();
			jest.spyOn(store(), 'getAsStream').mockRejectedValue(new Error(reason));
			const { error } = await testbed.runById(parameters, [input]);
			expect(error?.description).toContain("The reason: Access denied. Check n8n's storage");
		},
	);

	it('a file without an entry in the storage is named by its input field', async () => {
		const input = await item();
		jest.spyOn(store(), 'getMetadata').mockImplementation(lost);
		expect(await testbed.errorOf(parameters, [input])).toBe(gone);
		expect(testbed.writes).toEqual([]);
	});
});

it.each([
	['breaks off', async () => await broken('the'), "n8n could not read the file 'a.pdf'"],
	[
		'ends early',
		async () => Readable.from([Buffer.from('the')]),
		"'a.pdf' changed while it was sent",
	],
	[
		'is longer',
		async () => Readable.from([Buffer.from('the content and more')]),
		"'a.pdf' changed while it was sent",
	],
])('a file that %s during the upload ends the request at once', async (_, open, message) => {
	const input = await item();
	const original = store().getAsStream.bind(store());
	let opened = 0;
	jest
		.spyOn(store(), 'getAsStream')
		.mockImplementation(async (...values) =>
			++opened === 1 ? await original(...values) : await open(),
		);
	const { error } = await testbed.runById(upload(50), [input]);
	expect(error?.message).toContain(message);
	expect(`${error?.message} ${error?.description}`).not.toContain('It is unknown');
	expect(contents()).not.toContain('the content');
});

it('an item whose file is lost does not stop the others', async () => {
	const inputs = [await item(), await item()];
	const original = store().getMetadata.bind(store());
	let asked = 0;
	jest
		.spyOn(store(), 'getMetadata')
		.mockImplementation(async (id) => (++asked === 1 ? await lost() : await original(id)));
	const result = await testbed.runAllById(upload(50), inputs);
	testbed.expectErrors(result, [gone]);
	expect(result.items).toMatchObject([{ pairedItem: { item: 1 } }]);
});
