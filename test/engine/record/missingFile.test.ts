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
const skipping = (file: [field: string, names: string], missingFile = 'skip') => ({
	options: { ...filesOption(file), missingFile },
});
const seven = { recordId: recordId(7) };
const ofRecord = {
	...onVisits,
	...asJson('={{ ({ Site: $json.site }) }}'),
	...skipping(['Report', 'data']),
};
const ofRow = {
	...{ ...onVisits, ...seven, resource: 'subtableRow', subtableId: photos.id },
	...rowAsJson('={{ JSON.stringify({ Caption: $json.site }) }}'),
	...skipping(['Photo', 'data']),
};

/** An item with its file, and two that have none. */
const items = async () => [
	{ site: 'first' },
	await itemWithFiles({ site: 'second' }, { data: textFile('a.txt') }),
	await itemWithFiles({ site: 'third' }, { other: textFile('b.txt') }),
];

const oneHint = [
	expect.stringMatching(/^Items that have no file in an input data field .*'Missing File'/),
];
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) =>
	hints.map(({ message }) => message);
const namesSent = () => testbed.writes.map(({ files }) => files.map(({ fileName }) => fileName));

const firstRow = () => [...testbed.service.data.record(siteVisits, 7).rows(photos.id).keys()][0];

describe('an item without the file that is named, to be skipped', () => {
	it.each<[string, () => INodeParameters]>([
		['record: create', () => ({ operation: 'create', ...ofRecord })],
		['record: update', () => ({ operation: 'update', ...seven, ...ofRecord })],
		['record: upsert', () => ({ operation: 'upsert', matchFields: ['Site'], ...ofRecord })],
		['subtable row: add', () => ({ operation: 'add', ...ofRow })],
		['subtable row: update', () => ({ operation: 'update', rowId: String(firstRow()), ...ofRow })],
	])('is written without it, and one hint says so: %s', async (_, parameters) => {
		const result = await testbed.run(parameters(), await items());
		expect(result.links).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(namesSent().flat()).toEqual(['a.txt']);
		const written = JSON.stringify(testbed.bodies);
		for (const site of ['first', 'second', 'third']) expect(written).toContain(site);
		expect(hintsOf(result)).toEqual(oneHint);
	});

	it('keeps its other files', async () => {
		const files = skipping(['Report', 'data, other']);
		const result = await testbed.run({ operation: 'create', ...ofRecord, ...files }, await items());
		expect(namesSent()).toEqual([[], ['a.txt'], ['b.txt']]);
		expect(hintsOf(result)).toEqual(oneHint);
	});

	it('is an error all the same when nothing else is to be written', async () => {
		const nothing = { operation: 'update', ...seven, ...ofRecord, ...asJson({}) };
		await testbed.expectRefused(nothing, [{ site: 'first' }], 'There is nothing to write');
	});

	it('comes out of an upload as skipped, with nothing sent and nothing emptied', async () => {
		const report = testbed.service.data.storeFile('old.txt', 'text/plain', Buffer.from('old'));
		testbed.service.data.record(siteVisits, 7).set(fields.report, [report]);
		const visit = { ...onVisits, recordId: recordId('={{ $json.visit }}') };
		const upload = {
			resource: 'file',
			operation: 'upload',
			fieldId: 'Report',
			uploadMode: 'replace',
		};
		const options = { missingFile: 'skip' };
		const result = await testbed.run({ ...visit, ...upload, options }, [
			await itemWithFiles({ visit: 6 }, { data: textFile('a.txt') }),
			{ visit: 7 },
		]);
		expect(result.items).toEqual([
			{
				json: expect.objectContaining({ _recordId: 6, _fileNames: ['a.txt'] }),
				pairedItem: { item: 0 },
			},
			{ json: { _recordId: 7, _fileNames: [], _action: 'skipped' }, pairedItem: { item: 1 } },
		]);
		expect(testbed.writes.map(({ path }) => path)).toEqual(['/acme/service/visits/8/6']);
		expect(testbed.service.data.record(siteVisits, 7).value(fields.report)).toEqual([report]);
		expect(hintsOf(result)).toEqual(oneHint);
	});
});
