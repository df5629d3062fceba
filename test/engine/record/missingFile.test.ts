import type { INodeParameters } from 'n8n-workflow';

import { siteVisits } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { asJson, withFiles } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields, subtables } = siteVisits;
const { photos } = subtables;

const onVisits = { sheet: sheet(siteVisits), options: { missingFile: 'skip' } };
const ofRecord = {
	...onVisits,
	...asJson('={{ JSON.stringify({ Site: $json.site }) }}'),
	...withFiles(['Report', 'data']),
};
const ofRow = {
	...onVisits,
	resource: 'subtableRow',
	recordId: recordId(7),
	subtableId: photos.id,
	inputMode: 'json',
	rowJson: '={{ JSON.stringify({ Caption: $json.site }) }}',
	...withFiles(['Photo', 'data']),
};

/** An item with its file, and two that have none. */
const items = async () => [
	{ site: 'first' },
	await itemWithFiles({ site: 'second' }, { data: textFile('a.txt') }),
	await itemWithFiles({ site: 'third' }, { other: textFile('b.txt') }),
];

const hintOf = (count: string) =>
	expect.stringMatching(new RegExp(`^${count} no file in an input data field .*'Missing File'`));

const firstRow = () => [...testbed.service.data.record(siteVisits, 7).rows(photos.id).keys()][0];

describe('an item without the file that is named, to be skipped', () => {
	it.each<[string, () => INodeParameters]>([
		['record: create', () => ({ operation: 'create', ...ofRecord })],
		['record: update', () => ({ operation: 'update', recordId: recordId(7), ...ofRecord })],
		['record: upsert', () => ({ operation: 'upsert', matchFields: ['Site'], ...ofRecord })],
		['subtable row: add', () => ({ operation: 'add', ...ofRow })],
		['subtable row: update', () => ({ operation: 'update', rowId: String(firstRow()), ...ofRow })],
	])('is written without it, and a hint counts such items once: %s', async (_, parameters) => {
		const result = await testbed.run(parameters(), await items());
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(testbed.writes.flatMap(({ files }) => files.map(({ fileName }) => fileName))).toEqual([
			'a.txt',
		]);
		const written = JSON.stringify(testbed.writes.map(({ body }) => body));
		for (const site of ['first', 'second', 'third']) expect(written).toContain(site);
		expect(result.hints.map(({ message }) => message)).toEqual([hintOf('2 items have')]);
	});

	it('keeps its other files', async () => {
		const parameters = {
			operation: 'create',
			...ofRecord,
			...withFiles(['Report', 'data, other']),
		};
		const result = await testbed.run(parameters, await items());
		expect(testbed.writes.map(({ files }) => files.map(({ fileName }) => fileName))).toEqual([
			[],
			['a.txt'],
			['b.txt'],
		]);
		expect(result.hints.map(({ message }) => message)).toEqual([hintOf('3 items have')]);
	});

	it('is an error all the same when nothing else is to be written', async () => {
		const nothing = { recordId: recordId(7), ...ofRecord, ...asJson({}) };
		const result = await testbed.run({ operation: 'update', ...nothing }, [{ site: 'first' }]);
		expect(result.error?.message).toContain('There is nothing to write');
		expect(testbed.writes).toEqual([]);
	});

	it('comes out of an upload as skipped, with nothing sent and nothing emptied', async () => {
		const report = testbed.service.data.storeFile('old.txt', 'text/plain', Buffer.from('old'));
		testbed.service.data.record(siteVisits, 7).set(fields.report, [report]);
		const upload = {
			...onVisits,
			resource: 'file',
			operation: 'upload',
			recordId: recordId('={{ $json.visit }}'),
			fieldId: 'Report',
			uploadMode: 'replace',
		};
		const result = await testbed.run(upload, [
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
		expect(testbed.writes.map(({ path }) => path)).toEqual(
			['6', '6'].map((id) => `/acme/service/visits/8/${id}`),
		);
		expect(testbed.service.data.record(siteVisits, 7).value(fields.report)).toEqual([report]);
		expect(result.hints.map(({ message }) => message)).toEqual([hintOf('1 item has')]);
	});

	it('is told once though a second try of the run looks at it again', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"INVALID","code":202,"msg":"No"}',
			when: ({ method }) => method === 'POST',
		});
		const result = await testbed.run({ operation: 'create', ...ofRecord }, await items(), {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(result.status).toBe('success');
		expect(result.hints.map(({ message }) => message)).toEqual([hintOf('2 items have')]);
	});
});

it('an item without its file stops the write unless it is to be skipped', async () => {
	for (const options of [{}, { missingFile: 'error' }]) {
		const result = await testbed.run({ operation: 'create', ...ofRecord, options }, await items());
		expect(result.error?.message).toContain("no file in the input data field 'data'");
	}
	const row = await testbed.run({ operation: 'add', ...ofRow, options: {} }, await items());
	expect(row.error?.message).toContain("no file in the input data field 'data'");
	expect(testbed.writes).toEqual([]);
});
