import type { INodeParameters } from 'n8n-workflow';
import { siteVisits } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './fileTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { photos } = siteVisits.subtables;
const { caption, photo } = photos.fields;

function upload(fieldId: string, overrides: INodeParameters = {}): INodeParameters {
	return {
		resource: 'file',
		operation: 'upload',
		sheet: sheet(siteVisits),
		recordId: recordId(5),
		fieldId,
		...overrides,
	};
}

const rows = () => testbed.service.data.record(siteVisits, 5).rows(photos.id);
const [firstRowOf, secondRowOf] = [0, 1].map((place) => () => [...rows().keys()][place] ?? 0);

const contentsOf = (rowId = 0) =>
	[rows().get(rowId)?.get(photo) ?? []]
		.flat()
		.map((value) => testbed.service.data.files.get(value)?.content.toString());

async function run(parameters: INodeParameters, names = ['data']) {
	const files = Object.fromEntries(names.map((name) => [name, textFile(`${name}.txt`, name)]));
	return await testbed.runById(parameters, [await itemWithFiles({}, files)]);
}

describe('an upload to a row', () => {
	it('an upload to a row keeps the files of its field', async () => {
		const rowId = firstRowOf?.();
		await run(upload(`Photo_${rowId}`), ['data']);
		const result = await run(upload(`${photo}_${rowId}`, { inputDataFieldName: 'a,b' }), [
			'a',
			'b',
		]);
		expect(contentsOf(rowId)).toEqual(['data', 'a', 'b']);
		expect(
			rows()
				.get(rowId ?? 0)
				?.get(caption),
		).toBe('Front');
		expect(testbed.writes.at(-1)?.files.map(({ fieldName }) => fieldName)).toEqual([
			`${photo}_${rowId}`,
			`${photo}_${rowId}`,
		]);
		expect(result.json[0]).toMatchObject({
			_recordId: 5,
			_fileNames: ['a.txt', 'b.txt'],
			[`_subtable_${photos.id}`]: [{ _rowId: rowId }, { _rowId: secondRowOf?.() }],
		});
	});

	it.each(['Photo', photo, `Photo (${photo})`])(
		'an upload to %s without a row is refused',
		async (field) => {
			const { error } = await run(upload(field));
			expect(error?.message).toContain(`The subtable ${photos.id} has this field`);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('an upload to a negative row ID creates a row, without emptying its field', async () => {
		for (const uploadMode of ['add', 'replace']) await run(upload('Photo_-1', { uploadMode }));
		expect([...rows().keys()].slice(2).map(contentsOf)).toEqual([['data'], ['data']]);
		expect(testbed.writes).toHaveLength(2);
	});

	it('an upload to a row replaces only the files of its field, as a member and as an administrator', async () => {
		const [first, second] = rows().keys();
		for (const rowId of [first, second]) await run(upload(`Photo_${rowId}`));
		testbed.service.requests.forget();
		const result = await run(upload(`Photo_${first}`, { uploadMode: 'replace' }), ['data']);
		expect(result.error).toBeUndefined();
		expect([contentsOf(first), contentsOf(second)]).toEqual([['data'], ['data']]);
		expect(testbed.bodies).toEqual([
			{ [`_subtable_${photos.id}`]: { [String(first)]: { [photo]: '' } } },
			[],
		]);
		const item = await itemWithFiles({}, { data: textFile('new.txt', 'new') });
		await testbed.runById(
			upload(`Photo_${first}`, { uploadMode: 'replace' }),
			[item],
			testbed.as('admin'),
		);
		expect(contentsOf(first)).toEqual(['new']);
	});

	it('row 0 gets files, keeps or replaces them, and returns them like other rows', async () => {
		rows().set(0, new Map());
		await run(upload('Photo_0'), ['data']);
		expect(contentsOf(0)).toEqual(['data']);
		await run(upload(`${photo}_0`, { uploadMode: 'replace', inputDataFieldName: 'b' }), ['b']);
		expect(contentsOf(0)).toEqual(['b']);
		const download = { ...upload('Photo_0'), operation: 'download', downloadBy: 'field' };
		const { items } = await testbed.run(download);
		expect(items[0]?.json).toEqual({ fileNames: ['b.txt'] });
		expect(testbed.writes.every(({ rawUrl }) => rawUrl.includes('/5?'))).toBe(true);
	});

	it('an upload to a row does not empty a field without files', async () => {
		for (const identity of ['admin', 'member'] as const) {
			const item = await itemWithFiles({}, { data: textFile('a.txt') });
			const { error } = await testbed.runById(
				upload(`Caption_${firstRowOf?.()}`, { uploadMode: 'replace' }),
				[item],
				testbed.as(identity),
			);
			expect(error?.message).toContain(
				`The field 'Caption' of row ${firstRowOf?.()} may contain values that are not files`,
			);
		}
		expect(testbed.writes).toEqual([]);
	});
});
