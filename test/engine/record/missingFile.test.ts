import type { INodeParameters } from 'n8n-workflow';
import { siteVisits } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { rowAsJson } from '../subtableRow/rowTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, filesOption } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields, subtables } = siteVisits;
const { photos } = subtables;

const onVisits = { sheet: sheet(siteVisits) };
const skipping = (...file: [field: string, names: string]) => ({
	options: { ...filesOption(file), missingFile: 'skip' },
});
const reportAndPhoto = skipping('Report', 'data, photo');
const seven = { recordId: recordId(7) };
const ofSite = asJson('={{ ({ Site: $json.site }) }}');
const ofRecord = { ...onVisits, ...ofSite, ...skipping('Report', 'data') };
const ofRow = {
	...{ ...onVisits, ...seven, resource: 'subtableRow', subtableId: photos.id },
	...rowAsJson('={{ JSON.stringify({ Caption: $json.site }) }}'),
	...skipping('Photo', 'data'),
};

/** Returns an item with a file, and two items without. */
const items = async () => [
	{ site: 'first' },
	await itemWithFiles({ site: 'second' }, { data: textFile('a.txt') }),
	await itemWithFiles({ site: 'third' }, { other: textFile('b.txt') }),
];

const hint = /^Items without a file in a given input data field .*'Missing File'/;
const oneHint = [expect.stringMatching(hint)];
const namesSent = () => testbed.writes.map(({ files }) => files.map(({ fileName }) => fileName));

const firstRow = () => [...testbed.service.data.record(siteVisits, 7).rows(photos.id).keys()][0];

it.each([
	[1, 'Binary data of this item: data. Enter one of these names.'],
	[
		0,
		'This item has no binary data: the node before this one must output the file, e.g. HTTP Request. If n8n stores files in the JSON of items, enter a name such as _files.data.',
	],
])(
	'the error for an item without the named file lists the files of the item: item %d',
	async (index, advice) => {
		const item = (await items())[index] ?? {};
		const create = { operation: 'create', ...onVisits, ...ofSite };
		const { error } = await testbed.run({ ...create, options: filesOption(['Report', 'photo']) }, [
			item,
		]);
		expect(error?.message).toBe("The item has no file in the input data field 'photo'");
		expect(error?.description).toBe(advice);
	},
);

describe('an item without the named file, with the option to skip it', () => {
	it.each<[string, () => INodeParameters]>([
		['record: create', () => ({ operation: 'create', ...ofRecord })],
		['record: update', () => ({ operation: 'update', ...seven, ...ofRecord })],
		['record: upsert', () => ({ operation: 'upsert', matchFields: ['Site'], ...ofRecord })],
		['subtable row: add', () => ({ operation: 'add', ...ofRow })],
		['subtable row: update', () => ({ operation: 'update', rowId: String(firstRow()), ...ofRow })],
	])(
		'an item without the named file is written without it, and one hint says so: %s',
		async (_, parameters) => {
			const result = await testbed.runById(parameters(), await items());
			expect(result.links).toEqual([0, 1, 2].map((item) => ({ item })));
			expect(namesSent().flat()).toEqual(['a.txt']);
			const written = JSON.stringify(testbed.bodies);
			for (const site of ['first', 'second', 'third']) expect(written).toContain(site);
			expect(result.hintTexts).toEqual(oneHint);
		},
	);

	it('an item without one of its files keeps the other files', async () => {
		const files = skipping('Report', 'data, other');
		const result = await testbed.runById(
			{ operation: 'create', ...ofRecord, ...files },
			await items(),
		);
		expect(namesSent()).toEqual([[], ['a.txt'], ['b.txt']]);
		expect(result.hintTexts).toEqual(oneHint);
	});

	it.each([
		{ what: 'Record: Create', parameters: { operation: 'create', ...ofRecord, ...reportAndPhoto } },
		{
			what: 'File: Upload',
			parameters: {
				...{ ...onVisits, ...seven, resource: 'file', operation: 'upload', fieldId: 'Report' },
				...{ inputDataFieldName: 'data, photo', options: { missingFile: 'skip' } },
			},
		},
	])(
		'an item that has only one of two named files is written, and one hint says that a file is missing: $what',
		async ({ parameters }) => {
			const item = await itemWithFiles({ site: 'first' }, { data: textFile('a.txt') });
			const result = await testbed.runById(parameters, [item]);
			expect(namesSent()).toEqual([['a.txt']]);
			expect(result.hintTexts).toEqual(oneHint);
		},
	);

	it('an item whose name of the file is empty is written, and a hint says so', async () => {
		const parameters = {
			operation: 'create',
			...ofRecord,
			...skipping('Report', '={{ $json.file }}'),
		};
		const result = await testbed.runById(parameters, [{ site: 'first', file: '' }]);
		expect(result.json).toMatchObject([{ [fields.site]: 'first' }]);
		expect(result.hintTexts).toEqual(oneHint);
	});

	it('an item that has all named files is written without a hint on missing files', async () => {
		const item = await itemWithFiles({}, { data: textFile('a.txt'), photo: textFile('b.txt') });
		const result = await testbed.runById({ operation: 'create', ...ofRecord, ...reportAndPhoto }, [
			item,
		]);
		expect(namesSent()).toEqual([['a.txt', 'b.txt']]);
		expect(result.hintTexts).toEqual([]);
	});

	it('an item without the named file is an error if there is nothing else to write', async () => {
		const nothing = { operation: 'update', ...seven, ...ofRecord, ...asJson({}) };
		await testbed.expectRefused(nothing, [{ site: 'first' }], 'There is nothing to write');
	});

	it('an upload without the named file is skipped: nothing is sent, and nothing is emptied', async () => {
		const report = testbed.service.data.storeFile('old.txt', 'text/plain', Buffer.from('old'));
		testbed.service.data.record(siteVisits, 7).set(fields.report, [report]);
		const visit = { ...onVisits, recordId: recordId('={{ $json.visit }}') };
		const upload = { resource: 'file', operation: 'upload', fieldId: 'Report' };
		const replaceOptions = { uploadMode: 'replace', options: { missingFile: 'skip' } };
		const result = await testbed.runById({ ...visit, ...upload, ...replaceOptions }, [
			await itemWithFiles({ visit: 6 }, { data: textFile('a.txt') }),
			{ visit: 7 },
		]);
		expect(result.records).toEqual(['6 #0', '7 #1']);
		expect(result.json[0]).toMatchObject({ _fileNames: ['a.txt'], _action: null });
		expect(result.json[1]).toEqual({ _recordId: 7, _fileNames: [], _action: 'skipped' });
		expect(testbed.writes.map(({ path }) => path)).toEqual(['/acme/service/visits/8/6']);
		expect(testbed.service.data.record(siteVisits, 7).value(fields.report)).toEqual([report]);
		expect(result.hintTexts).toEqual(oneHint);
	});
});
