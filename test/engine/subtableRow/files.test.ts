import { randomBytes } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { siteVisits } from '../../service';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { autoMapped, filesOption, withFiles } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { readBinary } from '../runner';
import { rowAsJson } from './rowTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { photos } = siteVisits.subtables;
const { caption, photo } = photos.fields;

/** Returns the parameters of an operation on the photos of the visit in each item's `visit`. */
function onPhotos(operation: string, overrides: INodeParameters = {}): INodeParameters {
	return {
		resource: 'subtableRow',
		operation,
		sheet: sheet(siteVisits),
		recordId: recordId('={{ $json.visit }}'),
		subtableId: photos.id,
		...rowAsJson('={{ JSON.stringify($json.row ?? {}) }}'),
		...withFiles([photo, 'data']),
		...overrides,
	};
}

const rowsOf = (visit: number) => [
	...testbed.service.data.record(siteVisits, visit).rows(photos.id),
];

const rowIdsOf = (visit: number) => rowsOf(visit).map(([id]) => id);

/** Returns the captions and the contents of the photos in all rows of a visit. */
const photosOf = (visit: number) =>
	rowsOf(visit).map(([, row]) => [
		row.get(caption) ?? '',
		...[row.get(photo) ?? []]
			.flat()
			.map((value) => testbed.service.data.files.get(value)?.content.toString()),
	]);

/** Returns the file parts of each write. */
const partsSent = () =>
	testbed.writes.map(({ files }) => files.map(({ fieldName, fileName }) => [fieldName, fileName]));

/** Returns an item for a visit, with a file. */
const itemWith = async (json: IDataObject, name = 'a.txt') =>
	await itemWithFiles(json, { data: textFile(name) });

describe('a new row with a file', () => {
	it('is added, read and downloaded with the same bytes', async () => {
		const content = randomBytes(300_000);
		const image = { name: 'IMG 1.jpg', type: 'image/jpeg', content };
		const added = await testbed.runById(onPhotos('add', withFiles(['Photo', 'data'])), [
			await itemWithFiles({ visit: 1, row: { Caption: 'Door' } }, { data: image }),
		]);
		const [newest] = rowsOf(1).slice(-1);
		const value = String(newest?.[1].get(photo));
		expect(value).toMatch(/@IMG 1\.jpg$/);
		expect(added.items).toEqual([
			{
				json: expect.objectContaining({ _recordId: 1, _rowId: newest?.[0], [photo]: value }),
				pairedItem: { item: 0 },
			},
		]);
		expect(testbed.writes).toMatchObject([
			{ rawUrl: '/acme/service/visits/8/1?api', body: [[`${caption}_-1`, 'Door']] },
		]);
		expect(partsSent()).toEqual([[[`${photo}_-1`, 'IMG 1.jpg']]]);

		const read = await testbed.run(onPhotos('getAll', { returnAll: true }), [{ visit: 1 }]);
		const row = read.items.find(({ json }) => json._rowId === newest?.[0])?.json;
		expect(row?.Photo).toBe(value);
		const download = { resource: 'file', operation: 'download', fileValue: '={{ $json.Photo }}' };
		const [file] = (await testbed.run(download, [row ?? {}])).items;
		expect((await readBinary(file?.binary?.data)).equals(content)).toBe(true);
	});

	it('is mapped automatically, without the file information that a read adds', async () => {
		const values = { Caption: 'Door', Photo: 'k1@old.jpg' };
		const refused = await testbed.runById(onPhotos('add', autoMapped()), [
			await itemWith({ visit: 1, ...values }),
		]);
		expect(refused.error?.message).toContain("'visit' is not a field of subtable 2800001");
		const parameters = onPhotos('add', { ...autoMapped(), recordId: recordId(1) });
		const items = [await itemWith({ _rowId: 5, ...values })];
		await testbed.runById(parameters, items, testbed.as('admin'));
		expect(photosOf(1).at(-1)).toEqual(['Door', 'Content of a.txt']);
	});

	it('is written in a separate request, in the order of the items, and each item gets its row ID', async () => {
		const before = rowIdsOf(3);
		const withPhoto = async (row: IDataObject, content: string) =>
			await itemWithFiles({ visit: 3, row }, { data: textFile('image.jpg', content) });
		const plain = (text: string) => ({ json: { visit: 3, row: { [caption]: text } } });
		const items = [
			...[plain('one'), plain('two')],
			// File names are often the same, and these rows have no other values that distinguish them.
			...[await withPhoto({}, 'three'), await withPhoto({}, 'four')],
			...[plain('five'), await withPhoto({ [caption]: 'six' }, 'six')],
		];
		const files = filesOption([photo, "={{ $binary.data ? 'data' : '' }}"]);
		const parameters = onPhotos('add', { options: { ...files, missingFile: 'skip' } });
		const result = await testbed.runById(parameters, items);
		const added = rowIdsOf(3).slice(before.length);
		expect(photosOf(3).slice(before.length)).toEqual([
			...[['one'], ['two'], ['', 'three'], ['', 'four'], ['five'], ['six', 'six']],
		]);
		expect(
			result.items.map(({ json, pairedItem }) => [json._rowId, json[photo] !== '', pairedItem]),
		).toEqual(added.map((id, item) => [id, [2, 3, 5].includes(item), { item }]));
		expect(testbed.writes).toHaveLength(5);
		// The rows are read once. After that, the answers contain them.
		expect(testbed.reads.filter(({ path }) => path.endsWith('/3'))).toHaveLength(1);
	});

	it('has no ID if another user adds an equal row at the same time', async () => {
		const body = `{"1":{"_subtable_${photos.id}":{}}}`;
		testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'GET' });
		const { items } = await testbed.runById(onPhotos('add'), [await itemWith({ visit: 1 })]);
		expect(items.map(({ json }) => json)).toEqual([{ _recordId: 1 }]);
	});

	it('is an error if the service skips it', async () => {
		testbed.service.switches.unknownBodyField = 'ignored';
		const parameters = onPhotos('add', withFiles(['3899999', 'data']));
		const { error } = await testbed.runById(parameters, [await itemWith({ visit: 1 })]);
		expect(error?.message).toContain('did not add rows or files to the subtable 2800001');
	});
});

const update = onPhotos('update', { rowId: '={{ $json.line }}' });

it('a row that gets a file keeps its existing files and its values', async () => {
	const [first, second] = rowIdsOf(5);
	const result = await testbed.runById(update, [
		await itemWith({ visit: 5, line: first }, 'a.txt'),
		await itemWith({ visit: 5, line: second, row: { Caption: 'Attic' } }, 'b.txt'),
		await itemWith({ visit: 5, line: first }, 'c.txt'),
	]);
	expect(photosOf(5)).toEqual([
		['Front', 'Content of a.txt', 'Content of c.txt'],
		['Attic', 'Content of b.txt'],
	]);
	expect(partsSent()).toEqual([
		[[`${photo}_${first}`, 'a.txt']],
		[[`${photo}_${second}`, 'b.txt']],
		[[`${photo}_${first}`, 'c.txt']],
	]);
	const fileCounts = result.items.map(({ json, pairedItem }) => [
		...[json._rowId, [json[photo]].flat().length, pairedItem],
	]);
	expect(fileCounts).toEqual([
		[first, 1, { item: 0 }],
		[second, 1, { item: 1 }],
		// The service adds an empty element before several files.
		[first, 3, { item: 2 }],
	]);
});
