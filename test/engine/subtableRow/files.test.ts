import { randomBytes } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import { siteVisits } from '../../service';
import type { Fault } from '../../service';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { autoMapped, withFiles } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { readBinary } from '../runner';
import { rowAsJson } from './rowTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { photos } = siteVisits.subtables;
const { caption, photo } = photos.fields;

/** The parameters of an operation on the photos of the visit that each item names in `visit`. */
function onPhotos(operation: string, more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'subtableRow',
		operation,
		sheet: sheet(siteVisits),
		recordId: recordId('={{ $json.visit }}'),
		subtableId: photos.id,
		...rowAsJson('={{ JSON.stringify($json.row ?? {}) }}'),
		...withFiles([photo, 'data']),
		...more,
	};
}

const rowsOf = (visit: number) => [
	...testbed.service.data.record(siteVisits, visit).rows(photos.id),
];

const rowIdsOf = (visit: number) => rowsOf(visit).map(([id]) => id);

/** Captions, and what the photos hold, of all rows of a visit. */
const photosOf = (visit: number) =>
	rowsOf(visit).map(([, row]) => [
		row.get(caption) ?? '',
		...[row.get(photo) ?? []]
			.flat()
			.map((value) => testbed.service.data.files.get(value)?.content.toString()),
	]);

const partsOf = ({ files }: { files: Array<{ fieldName: string; fileName: string }> }) =>
	files.map(({ fieldName, fileName }) => [fieldName, fileName]);

describe('a new row with a file', () => {
	it('makes the whole round: added, read, downloaded, the same bytes', async () => {
		const content = randomBytes(300_000);
		const added = await testbed.run(onPhotos('add', withFiles(['Photo', 'data'])), [
			await itemWithFiles(
				{ visit: 1, row: { Caption: 'Door' } },
				{ data: { name: 'IMG 1.jpg', type: 'image/jpeg', content } },
			),
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
		expect(testbed.writes.map(partsOf)).toEqual([[[`${photo}_-1`, 'IMG 1.jpg']]]);

		const read = await testbed.run(onPhotos('getAll', { returnAll: true }), [{ visit: 1 }]);
		const row = read.items.find(({ json }) => json._rowId === newest?.[0])?.json;
		expect(row?.Photo).toBe(value);
		const download = { resource: 'file', operation: 'download', fileValue: '={{ $json.Photo }}' };
		const [file] = (await testbed.run(download, [row ?? {}])).items;
		expect((await readBinary(file?.binary?.data)).equals(content)).toBe(true);
	});

	it('needs nothing else, and may have several', async () => {
		const before = rowIdsOf(2);
		const result = await testbed.run(onPhotos('add', withFiles([photo, 'a, b'])), [
			await itemWithFiles({ visit: 2 }, { a: textFile('a.txt'), b: textFile('b.txt') }),
		]);
		expect(testbed.writes.map(partsOf)).toEqual([
			[
				[`${photo}_-1`, 'a.txt'],
				[`${photo}_-1`, 'b.txt'],
			],
		]);
		expect(photosOf(2).slice(before.length)).toEqual([
			['', 'Content of a.txt', 'Content of b.txt'],
		]);
		expect(result.items[0]?.json._rowId).toBe(rowIdsOf(2).at(-1));
	});

	it('maps itself, without what files say among the values', async () => {
		const result = await testbed.run(onPhotos('add', autoMapped()), [
			await itemWithFiles(
				{ visit: 1, Caption: 'Door', Photo: 'k1@old.jpg' },
				{ data: textFile('a.txt') },
			),
		]);
		expect(result.error?.message).toContain("'visit' is not a field of subtable 2800001");
		const mapped = await testbed.run(
			onPhotos('add', { ...autoMapped(), recordId: recordId(1) }),
			[
				await itemWithFiles(
					{ _rowId: 5, Caption: 'Door', Photo: 'k1@old.jpg' },
					{ data: textFile('a.txt') },
				),
			],
			{ credentials: testbed.credentials('admin') },
		);
		expect(mapped.status).toBe('success');
		expect(photosOf(1).at(-1)).toEqual(['Door', 'Content of a.txt']);
	});

	it('goes alone, in the order of the items, and each item gets its own row', async () => {
		const before = rowIdsOf(3);
		const plain = (text: string) => ({ json: { visit: 3, row: { [caption]: text } } });
		const withPhoto = async (row: object, content: string) =>
			await itemWithFiles({ visit: 3, row: { ...row } }, { data: textFile('image.jpg', content) });
		const files = { ...withFiles([photo, "={{ $binary.data ? 'data' : '' }}"]) };
		const items = [
			plain('one'),
			plain('two'),
			// The name of a file is often the same, and nothing else tells these rows apart.
			await withPhoto({}, 'three'),
			await withPhoto({}, 'four'),
			plain('five'),
			await withPhoto({ [caption]: 'six' }, 'six'),
		];
		const parameters = onPhotos('add', { ...files, options: { missingFile: 'skip' } });
		const result = await testbed.run(parameters, items);
		expect(result.error).toBeUndefined();
		const added = rowIdsOf(3).slice(before.length);
		expect(photosOf(3).slice(before.length)).toEqual([
			['one'],
			['two'],
			['', 'three'],
			['', 'four'],
			['five'],
			['six', 'six'],
		]);
		expect(result.items.map(({ json, pairedItem }) => [json._rowId, pairedItem])).toEqual(
			added.map((id, item) => [id, { item }]),
		);
		expect(result.items.map(({ json }) => json[photo] !== '')).toEqual([
			false,
			false,
			true,
			true,
			false,
			true,
		]);
		expect(testbed.writes).toHaveLength(5);
		// What rows are there is asked for once, and learnt from the answers afterwards.
		expect(testbed.reads.filter(({ path }) => path.endsWith('/3'))).toHaveLength(0);
	});

	it('has its id though an older row holds a file of the same name', async () => {
		const add = async () =>
			await testbed.run(onPhotos('add'), [
				await itemWithFiles({ visit: 4 }, { data: textFile('image.jpg') }),
			]);
		await add();
		const { items } = await add();
		expect(items[0]?.json._rowId).toBe(rowIdsOf(4).at(-1));
	});

	it('has no id when somebody adds such a row at the same time', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: `{"1":{"_subtable_${photos.id}":{}}}`,
			when: ({ method }) => method === 'GET',
		});
		const { items } = await testbed.run(onPhotos('add'), [
			await itemWithFiles({ visit: 1 }, { data: textFile('image.jpg') }),
		]);
		expect(items.map(({ json }) => json)).toEqual([{ _recordId: 1 }]);
	});

	it.each<[string, Fault, number]>([
		['resetAfterWork', { kind: 'resetAfterWork' }, 1],
		['reset', { kind: 'reset' }, 0],
		['HTTP 503', { kind: 'status', status: 503 }, 0],
	])('is sent once when nobody knows whether it arrived: %s', async (_, fault, rows) => {
		const isPost = ({ method }: { method: string }) => method === 'POST';
		testbed.service.faults.inject({ ...fault, times: 1, when: isPost });
		const before = rowsOf(1).length;
		const items = [
			await itemWithFiles({ visit: 1, row: { [caption]: 'x' } }, { data: textFile('a.txt') }),
			await itemWithFiles({ visit: 1, row: { [caption]: 'y' } }, { data: textFile('b.txt') }),
		];
		const result = await testbed.run(onPhotos('add'), items, { onError: 'continueErrorOutput' });
		expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringContaining('not known whether the change was made'), { item: 0 }],
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(testbed.writes).toHaveLength(2);
		expect(rowsOf(1)).toHaveLength(before + rows + 1);
	});

	it('that the service passes over is an error', async () => {
		testbed.service.switches.unknownBodyField = 'ignored';
		const { error } = await testbed.run(onPhotos('add', withFiles(['3899999', 'data'])), [
			await itemWithFiles({ visit: 1 }, { data: textFile('a.txt') }),
		]);
		expect(error?.message).toContain('passed over what was to be added to the subtable 2800001');
	});

	it.each([
		['Caption', 'takes no file'],
		['Foto', "'Foto' is not a field of subtable 2800001"],
		['Report', 'The sheet itself has a field of this name, outside of the subtable'],
	])('is an error for the field %s, and nothing is written', async (field, message) => {
		const before = rowsOf(1);
		const { error } = await testbed.run(onPhotos('add', withFiles([field, 'data'])), [
			await itemWithFiles({ visit: 1 }, { data: textFile('a.txt') }),
		]);
		expect(error?.message).toContain(message);
		expect(rowsOf(1)).toEqual(before);
	});
});

describe('a row that gets a file', () => {
	const update = (more: INodeParameters = {}) =>
		onPhotos('update', { rowId: '={{ $json.line }}', ...more });

	it('keeps those that it has, and its values', async () => {
		const [first, second] = rowIdsOf(5);
		const items = [
			await itemWithFiles({ visit: 5, line: first }, { data: textFile('a.txt') }),
			await itemWithFiles(
				{ visit: 5, line: second, row: { Caption: 'Attic' } },
				{ data: textFile('b.txt') },
			),
			await itemWithFiles({ visit: 5, line: first }, { data: textFile('c.txt') }),
		];
		const result = await testbed.run(update(), items);
		expect(result.error).toBeUndefined();
		expect(photosOf(5)).toEqual([
			['Front', 'Content of a.txt', 'Content of c.txt'],
			['Attic', 'Content of b.txt'],
		]);
		expect(testbed.writes.map(partsOf)).toEqual([
			[[`${photo}_${first}`, 'a.txt']],
			[[`${photo}_${second}`, 'b.txt']],
			[[`${photo}_${first}`, 'c.txt']],
		]);
		expect(
			result.items.map(({ json, pairedItem }) => [
				json._rowId,
				[json[photo]].flat().length,
				pairedItem,
			]),
		).toEqual([
			[first, 1, { item: 0 }],
			[second, 1, { item: 1 }],
			// The service puts an empty element in front of several.
			[first, 3, { item: 2 }],
		]);
	});

	it('must be there', async () => {
		const item = await itemWithFiles({ visit: 5, line: 77_777 }, { data: textFile('a.txt') });
		const refused = await testbed.run(update(), [item]);
		expect(refused.error?.message).toContain('no row 77777');
		testbed.service.faults.inject({
			kind: 'body',
			body: `{"status":"SUCCESS","svcId":5,"data":{"_subtable_${photos.id}":{}}}`,
			when: ({ method }) => method === 'POST',
		});
		const passedOver = await testbed.run(update(), [item]);
		expect(passedOver.error?.message).toContain('There is no row 77777 in the subtable');
	});
});
