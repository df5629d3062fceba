import type { INodeParameters } from 'n8n-workflow';
import { siteVisits } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, filesOption, withFiles } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields, subtables } = siteVisits;
const { photos, findings } = subtables;
const [photoRows, findingRows] = [`_subtable_${photos.id}`, `_subtable_${findings.id}`];

const create = { operation: 'create', sheet: sheet(siteVisits) };
const update = { operation: 'update', sheet: sheet(siteVisits), recordId: recordId(5) };

/** Returns the values in the rows of a visit, with the contents of files. */
function rowsOf(visit: number, subtableId: string = photos.id): unknown[][] {
	const { data } = testbed.service;
	const contentOrValue = (value: string) => data.files.get(value)?.content.toString() ?? value;
	const rows = [...data.record(siteVisits, visit).rows(subtableId).values()];
	return rows.map((row) => [...row.values()].flat().map(contentOrValue));
}

const partNames = () => testbed.writes.map(({ files }) => files.map(({ fieldName }) => fieldName));

async function run(parameters: INodeParameters, json = {}) {
	const files = { a: textFile('a.txt', 'A'), b: textFile('b.txt', 'B'), c: textFile('c.txt', 'C') };
	return await testbed.runById(parameters, [await itemWithFiles(json, files)]);
}

describe('files for the rows of a record', () => {
	it('files are uploaded to new rows, by name and by ID, several to one field, and the output has them', async () => {
		const rows = { [photoRows]: [{ Caption: 'Door' }, { Caption: 'Wall' }] };
		const { photo } = photos.fields;
		// The last row has only a file.
		const last = ['Evidence_-3', 'c'] as const;
		const files = withFiles(['Report', 'a'], ['Photo_-2', 'b, c'], [`${photo}_-1`, 'a'], [...last]);
		const result = await run({ ...create, ...asJson({ Site: 'Bridge', ...rows }), ...files });
		expect(result.error).toBeUndefined();
		expect(rowsOf(13).map(String)).toEqual(['Door,A', 'Wall,B,C']);
		expect(rowsOf(13, findings.id)).toEqual([['C']]);
		const names = [`${photo}_-2`, `${photo}_-2`, `${photo}_-3`, `${findings.fields.evidence}_-1`];
		expect(partNames()).toEqual([[fields.report, ...names]]);
		const [door] = [...testbed.service.data.record(siteVisits, 13).rows(photos.id)];
		expect(result.json[0]?.[photoRows]).toMatchObject([
			{ _rowId: door?.[0], [photo]: String(door?.[1].get(photo)) },
			{ [photo]: ['', expect.stringMatching(/@b\.txt$/), expect.stringMatching(/@c\.txt$/)] },
		]);
	});

	it('a new row that has only a file is added, and _warning names one that has nothing', async () => {
		const rows = { Site: 'Bridge', [photoRows]: [{ Caption: '' }, { Caption: '' }] };
		const { json } = await run({ ...create, ...asJson(rows), ...withFiles(['Photo_-1', 'a']) });
		expect(rowsOf(13)).toEqual([['A']]);
		expect(json[0]?._warning).toBe(
			`Check what was saved: 'a new row of ${photoRows}' (not added, because it has no value).`,
		);
	});

	it.each([create, update])(
		'a new row that has only a file is not named as left out: $operation',
		async (parameters) => {
			const rows = { Site: 'Bridge', [photoRows]: [{ Caption: '' }] };
			const result = await run({ ...parameters, ...asJson(rows), ...withFiles(['Photo_-1', 'a']) });
			expect(rowsOf(Number(result.ids[0])).at(-1)).toEqual(['A']);
			expect(result.json[0]).not.toHaveProperty('_warning');
			expect(result.hints).toEqual([]);
		},
	);

	it('files are uploaded to existing and new rows, together with other changes', async () => {
		const [first, second] = testbed.service.data.record(siteVisits, 5).rows(photos.id).keys();
		const files = filesOption(['=Photo_{{ $json.line }}', 'a'], ['Photo_-1', 'b']);
		const options = { ...files, ignoreFields: 'line' };
		const rows = { [photoRows]: [{ _rowId: second, Caption: 'Attic' }] };
		const json = { 'Visited On': '2026/01/02', line: first, ...rows };
		const result = await run({ ...update, ...autoMapped(), options }, json);
		expect(result.error).toBeUndefined();
		expect(rowsOf(5)).toEqual([['Front', 'A'], ['Attic'], ['B']]);
		expect(testbed.service.data.record(siteVisits, 5).text(fields.visitedOn)).toBe('2026/01/02');
	});

	it.each([
		['alone', {}],
		['with another field', { Site: 'Bridge' }],
	])('files of several rows are replaced in each of them, in one update: %s', async (_, values) => {
		const [first, second] = testbed.service.data.record(siteVisits, 5).rows(photos.id).keys();
		const files = (name: string) =>
			filesOption([`Photo_${first}`, name], [`Photo_${second}`, name]);
		await run({ ...update, ...asJson(values), options: files('a') });
		expect(rowsOf(5).map(String)).toEqual(['Front,A', expect.stringMatching(/,A$/)]);
		const options = { ...files('b'), filesMode: 'replace' };
		const result = await run({ ...update, ...asJson(values), options });
		expect(result.error).toBeUndefined();
		expect(rowsOf(5).map(String)).toEqual(['Front,B', expect.stringMatching(/,B$/)]);
	});

	it('a new row is added once, beside a file that replaces those of the record', async () => {
		await run({ ...update, ...asJson({}), ...withFiles(['Report', 'a']) });
		const options = { ...filesOption(['Report', 'b']), filesMode: 'replace' };
		await run({ ...update, ...asJson({ [findingRows]: [{ Finding: 'Crack' }] }), options });
		expect(rowsOf(5, findings.id)).toEqual([['Crack 5'], ['Crack']]);
		expect(testbed.writes).toHaveLength(3);
	});

	it('a file for a row of another subtable is rejected, because all new rows of an item are numbered together', async () => {
		const rows = { [findingRows]: [{ Finding: 'Crack' }], [photoRows]: [{ Caption: 'Door' }] };
		const files = withFiles([`${photos.fields.photo}_-1`, 'a']);
		const result = await run({ ...update, ...asJson(rows), ...files });
		expect(result.error?.message).toContain('-1 belongs to another subtable');
		expect(testbed.writes).toEqual([]);
	});

	it.each([
		['Foto_-1', "'Foto' in 'Files' is not a field"],
		['Report_-1', 'is a field of the record itself'],
		['Photo', "'Photo' in 'Files' is not a field of the sheet"],
	])('a file for the field %s is rejected before anything is written', async (field, message) => {
		const result = await run({ ...update, ...asJson({}), ...withFiles([field, 'a']) });
		expect(result.error?.message).toContain(message);
		expect(testbed.writes).toEqual([]);
	});
});

it.each([
	['Rows Mode Replace', { [photoRows]: [{ Caption: 'New' }] }, { rowsMode: 'replace' }],
	['_DELSUB', { [`_DELSUB_${photos.id}`]: [9, 10] }, {}],
])('a file for a row that %s deletes is rejected, and nothing is written', async (_, row, mode) => {
	expect([...testbed.service.data.record(siteVisits, 4).rows(photos.id).keys()]).toEqual([10, 11]);
	const options = { ...mode, filesMode: 'replace', ...filesOption(['Photo_10', 'a']) };
	const parameters = { ...update, recordId: recordId(4), ...asJson(row) };
	for (const dryRun of [true, false]) {
		const { error } = await run({ ...parameters, options: { ...options, dryRun } });
		expect(error?.message).toBe(
			"The file 'a.txt' is for row 10, which this item deletes, so nothing was written",
		);
	}
	expect(testbed.writes).toEqual([]);
});
