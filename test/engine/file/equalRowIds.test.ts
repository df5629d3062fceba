import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { siteVisits } from '../../service';
import { asJson, withFiles } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './fileTestbed';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { subtables } = siteVisits;
const { photos, findings } = subtables;
const [photoRows, findingRows] = [`_subtable_${photos.id}`, `_subtable_${findings.id}`];
const { photo } = photos.fields;
const { evidence } = findings.fields;
const update = { operation: 'update', sheet: sheet(siteVisits), recordId: recordId(13) };

async function run(parameters: INodeParameters, json: IDataObject = {}) {
	const files = Object.fromEntries(
		['a', 'b', 'new'].map((name) => [name, textFile(`${name}.txt`, name)]),
	);
	return await testbed.runById({ sheet: sheet(siteVisits), ...parameters }, [
		await itemWithFiles(json, files),
	]);
}

/** Returns the values by row ID, with the contents of files. */
function rowsOf(visit: number, subtableId: string): Record<string, string[]> {
	const { data } = testbed.service;
	const contentOrValue = (value: string) => data.files.get(value)?.content.toString() ?? value;
	const rows = [...data.record(siteVisits, visit).rows(subtableId)];
	return Object.fromEntries(
		rows.map(([id, row]) => [id, [...row.values()].flat().map(contentOrValue)]),
	);
}

/** Prepares a visit whose two subtables both have a row 1 with a file. The photos also have a row 2. */
beforeEach(async () => {
	testbed.service.switches.rowNumbers = 'bySubtable';
	const rows = {
		[photoRows]: [
			{ _rowId: -1, Caption: 'Front' },
			{ _rowId: -2, Caption: 'Roof' },
		],
		[findingRows]: [{ _rowId: -3, Finding: 'Crack' }],
	};
	const files = withFiles(['Photo_-1', 'a'], ['Evidence_-3', 'b']);
	const made = await run({ operation: 'create', ...asJson({ Site: 'Bridge', ...rows }), ...files });
	expect(made.error).toBeUndefined();
	expect(rowsOf(13, photos.id)).toEqual({ 1: ['Front', 'a'], 2: ['Roof'] });
	expect(rowsOf(13, findings.id)).toEqual({ 1: ['Crack', 'b'] });
	testbed.service.requests.clear();
});

const noRow = (rowId: unknown, subtableId: string) =>
	`There is no row ${String(rowId)} in the subtable ${subtableId} of record 13`;

describe('rows of two subtables that have the same ID', () => {
	it('rows of two subtables with the same ID are distinguished when files are replaced', async () => {
		const upload = { resource: 'file', operation: 'upload', recordId: recordId(13) };
		const target = { fieldId: 'Evidence_1', inputDataFieldName: 'new', uploadMode: 'replace' };
		const result = await run({ ...upload, ...target });
		expect(result.error).toBeUndefined();
		expect(rowsOf(13, photos.id)).toEqual({ 1: ['Front', 'a'], 2: ['Roof'] });
		expect(rowsOf(13, findings.id)).toEqual({ 1: ['Crack', 'new'] });
		expect(testbed.writes[0]?.body).toEqual({ [findingRows]: { 1: { [evidence]: '' } } });
	});

	it.each(['add', 'replace'])(
		'a missing row is not confused with a row of another subtable with the same ID: %s',
		async (uploadMode) => {
			testbed.service.switches.unknownRows = 'passedOver';
			const target = { recordId: recordId(13), fieldId: 'Evidence_2', uploadMode };
			const upload = { resource: 'file', operation: 'upload', inputDataFieldName: 'new' };
			const result = await run({ ...upload, ...target });
			expect(result.error?.message).toBe(noRow(2, findings.id));
			expect(rowsOf(13, photos.id)).toEqual({ 1: ['Front', 'a'], 2: ['Roof'] });
			expect(rowsOf(13, findings.id)).toEqual({ 1: ['Crack', 'b'] });
		},
	);

	it('rows of two subtables with the same ID stay separate when they are copied with their files', async () => {
		const rows = {
			[photoRows]: [{ _rowId: 1, Caption: 'Front' }],
			[findingRows]: [{ _rowId: 1, Finding: 'Crack' }],
		};
		const values = asJson({ Site: 'Copy', ...rows });
		const files = withFiles([`${evidence}_1`, 'new'], ['Photo_1', 'a']);
		const result = await run({ operation: 'create', ...values, ...files });
		expect(result.error).toBeUndefined();
		expect(rowsOf(14, photos.id)).toEqual({ 1: ['Front', 'a'] });
		expect(rowsOf(14, findings.id)).toEqual({ 1: ['Crack', 'new'] });
		const names = testbed.writes.flatMap((write) => write.files.map(({ fieldName }) => fieldName));
		expect(names).toEqual([`${evidence}_-1`, `${photo}_-2`]);
		await run({ operation: 'create', ...values });
		expect(testbed.writes[1]?.body).toMatchObject({
			[photoRows]: { '-2': { [photos.fields.caption]: 'Front' } },
			[findingRows]: { '-1': { [findings.fields.finding]: 'Crack' } },
		});
	});
});

describe('values for a row that the service skips', () => {
	const upsert = { operation: 'upsert', matchFields: ['Site'] };
	beforeEach(() => {
		testbed.service.switches.unknownRows = 'passedOver';
	});

	it.each([
		[update, true],
		[upsert, false],
	])(
		'a file for a row that the service skips is an error, although the other values are written: %j, with the record: %s',
		async (operation, withRecord) => {
			testbed.service.switches.answerCarriesData = withRecord;
			for (const field of ['Photo_999', 'Evidence_2']) {
				const values = asJson({ Site: 'Bridge', 'Visited On': '2026/01/02' });
				const result = await run({ ...operation, ...values, ...withFiles([field, 'new']) });
				const [name, rowId] = field.split('_');
				const subtable = name === 'Photo' ? photos : findings;
				expect(result.error).toMatchObject({
					message: noRow(rowId, subtable.id),
					description: expect.stringContaining('Whatever else was to be written is saved.'),
					context: { itemIndex: 0 },
				});
			}
			const record = testbed.service.data.record(siteVisits, 13);
			expect(record.text(siteVisits.fields.visitedOn)).toBe('2026/01/02');
			expect(testbed.writes).toHaveLength(2);
		},
	);

	it.each([true, false])(
		'a value for a row that the service skips is an error that contains the record: %s',
		async (withRecord) => {
			testbed.service.switches.answerCarriesData = withRecord;
			const message = noRow(999, photos.id);
			const rows = { [photoRows]: [{ _rowId: 999, Caption: 'Lost' }] };
			const alone = await run({ ...update, ...asJson(rows) });
			expect(alone.error).toMatchObject({ message });
			rows[photoRows]?.push({ _rowId: 1, Caption: 'Kept' });
			for (const operation of [update, upsert]) {
				const result = await run({ ...operation, ...asJson({ Site: 'Bridge', ...rows }) });
				const description = expect.stringContaining('Whatever else was to be written is saved.');
				expect(result.error).toMatchObject({ message, description });
			}
			expect(rowsOf(13, photos.id)).toMatchObject({ 1: ['Kept', 'a'], 2: ['Roof'] });
		},
	);
});
