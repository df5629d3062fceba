import type { INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { byItems, itemsOf } from './massOperation/massParameters';
import { textFile } from './record/filesOnItem';
import { asJson } from './record/recordValues';
import { recordId } from './recordTestbed';
import {
	trigger,
	fields,
	numbers,
	run,
	again,
	getMine,
	getAll,
	getAllTyped,
	byName,
	createByNames,
	createByIds,
	createWithNames,
	nameApart,
	synced,
	upsert,
	syncWithRows,
	byRemark,
	updateUnlessChanged,
	expectUnchanged,
	addedRows,
	changed,
	got,
	rowsOfOne,
	rowsDeleted,
	previewed,
	exported,
	signed,
	delivered,
} from './requestWork';

/** What is done, in the words of the README, and the requests that the service sees of it. */
type Job = [what: string, requests: number, run: () => Promise<unknown>];

const create = '_Record: Create_ for 3 items by field';
const ofMany = (ids: number[]) => ids.map((id) => ({ id }));
const fetched: INodeParameters = { verification: 'off', options: { fetchRecord: true } };

const jobs: Job[] = [
	[
		'_Record: Get_ for 40 items, of records that were changed together',
		1,
		() => got(changed(numbers(40, 70))),
	],
	[
		'_Record: Get_ for 40 items, of records that were changed long ago',
		3,
		() => {
			changed(numbers(100, 1_000));
			return got(numbers(40, 70));
		},
	],
	['_Record: Get Many_ that finds fewer records than its limit', 1, () => getMine(1)],
	['_Record: Get Many_ for 20 items, one record for each', 20, () => getMine(20)],
	['_Record: Get Many_ with _Return All_ of 999 records', 1, () => getAll(999)],
	['_Record: Get Many_ with _Return All_ of 1,000 records', 2, () => getAll(1_000)],
	['_Record: Get Many_ with _Return All_ of 2,500 records', 3, () => getAll(2_500)],
	['_Record: Get Many_ with _Typed Values_, as administrator', 2, getAllTyped],
	['_Record: Get Many_ with _Typed Values_, again within a minute', 1, again(getAllTyped)],
	[`${create} IDs`, 3, createByIds],
	[`${create} names, as administrator`, 4, () => createByNames('admin')],
	[`${create} names, as another user, first time`, 5, createByNames],
	[`${create} names, again within a minute`, 3, again(createByNames)],
	[`${create} names, again two minutes later`, 4, again(createByNames, 2)],
	[`${create} IDs, output by names, as administrator`, 4, createWithNames],
	[`${create} IDs, output by names, again within a minute`, 3, again(createWithNames)],
	[
		'_Record: Create_ for 3 items, output by names, two fields of one name, as administrator',
		6,
		() => createByNames('admin', byName),
	],
	[
		'_Record: Create or Update_ for 100 items, by one field, of which 50 are there',
		101,
		() => upsert(synced(50, 100)),
	],
	[
		'_Record: Create or Update_ with _Skip Unchanged_ for 100 items, none differs',
		1,
		async () => expectUnchanged(await upsert(synced(100, 100), { skipUnchanged: true })),
	],
	[
		'_Record: Update_ with _Skip Unchanged_ for 100 items changed together, none differs',
		1,
		async () => {
			const update = {
				...{ operation: 'update', recordId: recordId('={{ $json.id }}') },
				...asJson({ [fields.remark]: 'changed' }),
				options: { skipUnchanged: true },
			};
			expectUnchanged(await run(update, ofMany(changed(numbers(100)))));
		},
	],
	['_Subtable Row: Get Many_ for 20 items, rows of one record', 1, rowsOfOne],
	[
		'_Subtable Row: Delete_ for 23 items, one row of each of 23 records',
		24,
		() => rowsDeleted(changed(numbers(23, 70))),
	],
	[
		'Nightly sync of 1,000 records with 5,000 rows, 10 of which differ',
		17,
		() => syncWithRows(1_000, 10),
	],
	[
		'_Record: Create or Update_ with _Dry Run_ for 100 items',
		1,
		async () => void (await upsert(synced(50, 100), { dryRun: true })),
	],
	[
		'_Record: Update_ with _On Conflict_ for 100 items changed together',
		101,
		async () => await updateUnlessChanged(changed(numbers(100))),
	],
	[
		'_Record: Delete_ by match for 100 items',
		101,
		async () =>
			void (await run({ operation: 'delete', deleteBy: 'match', ...byRemark }, synced(100, 100))),
	],
	[
		'_Record: If Exists_ for 100 items',
		1,
		async () => void (await run({ operation: 'ifExists', ...byRemark }, synced(50, 100))),
	],
	['_Subtable Row: Add_ for 20 items, rows of one record', 1, () => addedRows()],
	[
		'_Subtable Row: Add_ for 20 items with a file each, rows of one record',
		21,
		() => addedRows({ data: textFile('photo.jpg') }),
	],
	['_Document: Export_ that the service gives a name', 1, () => exported(fields.remark, 'encoded')],
	[
		'_Document: Export_ without a name, but with a field for it',
		2,
		() => exported(fields.remark, 'none'),
	],
	[
		'_Mass Operation_: a preview of 40 input items that were changed together',
		1,
		() => {
			const ids = changed(numbers(40, 70)).reverse();
			return previewed(ids, byItems(), itemsOf(ids));
		},
	],
	['_Trigger_: 20 signed deliveries, for the key', 1, () => delivered(signed())],
	[
		'_Trigger_: 20 signed deliveries by names, for the key and the names, as administrator',
		2,
		() => {
			nameApart();
			return delivered(signed(), byName);
		},
	],
	[
		'_Trigger_ with _Fetch Record_: a delivery of 40 records changed together',
		1,
		() => delivered([JSON.stringify(changed(numbers(40, 70)))], fetched, 40),
	],
];

describe('the requests that the service sees', () => {
	it.each(jobs)('%s: %d', async (_, requests, work) => {
		await work();
		const seen = trigger.service.requests.all().map(({ method, path }) => `${method} ${path}`);
		expect(seen).toHaveLength(requests);
	});

	it("are those of the node's page", () => {
		const page = readFileSync(join(__dirname, '../../nodes/SheetRecords/README.md'), 'utf8');
		const [, section = ''] = page.split(/^## What things cost in requests$/m);
		const [table = ''] = section.split(/^#+ /m);
		const rows = table
			.split('\n')
			.filter((line) => line.startsWith('| '))
			.map((line) => line.split('|').map((cell) => cell.trim()))
			.slice(1);
		expect(rows.map(([, what, requests]) => [what, requests])).toEqual([
			[expect.stringMatching(/^-+$/), expect.stringMatching(/^-+$/)],
			...jobs.map(([what, requests]) => [what, String(requests)]),
		]);
	});
});
