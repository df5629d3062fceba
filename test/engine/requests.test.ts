import type { INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { orders, siteVisits } from '../service';
import { exportOrder } from './document/documentTestbed';
import { byItems, itemsOf, mass } from './massOperation/massParameters';
import { itemWithFiles, textFile, type TestFile } from './record/filesOnItem';
import { asJson, withFiles } from './record/recordValues';
import { linksOf, recordId, recordsOf, sheet } from './recordTestbed';
import type { InputItem } from './runner';
import { onLines, rowAsJson, rowIdsOf } from './subtableRow/rowTestbed';
import { passMinutes, useFreshTriggerTestbed } from './trigger/triggerTestbed';

/** A service for each test, since what is learnt of its fields and its key is kept for a while. */
const trigger = useFreshTriggerTestbed();
const { fields } = orders;
const onOrders = { sheet: sheet(orders) };

/** What is done, in the words of the README, and the requests that the service sees of it. */
type Job = [what: string, requests: number, run: () => Promise<unknown>];

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);
const record = (id: number) => trigger.service.data.record(orders, id);

async function run(
	parameters: INodeParameters,
	items?: InputItem[],
	identity: 'admin' | 'member' = 'member',
) {
	const credentials = trigger.credentials(identity);
	const result = await trigger.testbed.run({ ...onOrders, ...parameters }, items, { credentials });
	expect(result.error).toBeUndefined();
	return result.items;
}

/** The same once more, so many minutes later; what comes before is not counted. */
function again(work: () => Promise<unknown>, minutes = 0) {
	return async () => {
		await work();
		passMinutes(minutes);
		trigger.service.requests.clear();
		await work();
	};
}

/** One record for each of so many items. */
async function getMine(count: number): Promise<void> {
	for (const id of numbers(count)) record(id).set(fields.remark, `mine ${id}`);
	const conditions = [{ field: fields.remark, operator: 'eq', value: '=mine {{ $json.id }}' }];
	const items = numbers(count).map((id) => ({ id }));
	const found = await run({ operation: 'getAll', filters: { conditions } }, items);
	expect(found).toHaveLength(count);
}

async function getAll(count: number): Promise<void> {
	const { records } = trigger.service.data.sheet(orders);
	const others = [...records.keys()].slice(count);
	for (const id of others) records.delete(id);
	expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(count);
}

async function getAllTyped(): Promise<void> {
	const parameters = { operation: 'getAll', options: { typedValues: true } };
	const [first] = await run(parameters, [{}], 'admin');
	expect(first?.json.Total).toEqual(expect.any(Number));
}

const byName: INodeParameters = { options: { fieldKeys: 'name' } };

async function createByNames(identity?: 'admin', more: INodeParameters = {}): Promise<void> {
	const json = asJson({ 'Customer Number': 'C-0001', Remark: 'new' });
	await run({ operation: 'create', ...json, ...more }, [{}, {}, {}], identity);
}

async function createByIds(identity?: 'admin', more: INodeParameters = {}): Promise<void> {
	const json = asJson({ [fields.customerNumber]: 'C-0001', [fields.remark]: 'new' });
	await run({ operation: 'create', ...json, ...more }, [{}, {}, {}], identity);
}

/** On a sheet whose fields all have names of their own. */
async function createWithNames(): Promise<void> {
	nameApart();
	await createByIds('admin', byName);
}

function nameApart(): void {
	for (const field of trigger.service.data.sheet(orders).fields) {
		if (field.id === fields.secondNote || field.id === fields.unnamed)
			field.name = `Field ${field.id}`;
	}
}

/** Items with a remark to match on: what the first records hold, and then new ones. */
function synced(there: number, count: number): InputItem[] {
	return numbers(count).map((id) => {
		const values = {
			[fields.remark]: `KEY-${id}`,
			[fields.note]: `note ${id}`,
			[fields.customerNumber]: 'C-0001',
		};
		if (id > there) return values;
		for (const [fieldId, value] of Object.entries(values)) record(id).set(fieldId, value);
		return values;
	});
}

async function upsert(items: InputItem[], options: INodeParameters = {}) {
	const json = asJson('={{ $json }}');
	return await run({ operation: 'upsert', ...json, matchFields: [fields.remark], options }, items);
}

/** Orders with five lines each, as the items of a nightly sync say them, but for one line of each of so many orders. */
async function syncWithRows(count: number, differing: number): Promise<void> {
	const { id: lines, fields: line } = orders.subtables.lines;
	const items = numbers(count).map((id) => {
		const rows = numbers(5).map((row) => ({ Article: `Article ${row}`, Quantity: String(row) }));
		const stored = rows.map(({ Article, Quantity }, index) => {
			const isOther = index === 0 && id % (count / differing) === 0;
			const values: Array<[string, string]> = [
				[line.article, Article],
				[line.quantity, isOther ? '99' : Quantity],
			];
			return [id * 10 + index, new Map(values)] as const;
		});
		record(id).set(fields.reference, `KEY-${id}`).subtables.set(lines, new Map(stored));
		return { [fields.reference]: `KEY-${id}`, [`_subtable_${lines}`]: rows };
	});
	const json = asJson('={{ $json }}');
	const options = { skipUnchanged: true, rowsMode: 'replace', rowMatchFields: 'Article' };
	const upsert = { operation: 'upsert', ...json, matchFields: [fields.reference], options };
	const actions = (await run(upsert, items, 'admin')).map(({ json: { _action } }) => _action);
	expect(actions.filter((action) => action === 'updated')).toHaveLength(differing);
	expect(actions.filter((action) => action === 'unchanged')).toHaveLength(count - differing);
}

const byRemark = { matchFields: [fields.remark] };

async function updateUnlessChanged(ids: number[]): Promise<void> {
	const at = new Date(record(ids.at(-1) ?? 0).updated.at).toISOString();
	const items = ids.map((id) => ({ id, _update_date: at, _timeZone: 0 }));
	const update = { operation: 'update', recordId: recordId('={{ $json.id }}') };
	const options = { onConflict: 'error' };
	await run({ ...update, ...asJson({ [fields.remark]: 'new' }), options }, items);
}

function expectUnchanged(items: Awaited<ReturnType<typeof run>>): void {
	expect(new Set(items.map(({ json }) => json._action))).toEqual(new Set(['unchanged']));
}

async function addedRows(files: Record<string, TestFile> = {}): Promise<void> {
	const { photos } = siteVisits.subtables;
	const items = await Promise.all(
		numbers(20).map(async (at) => await itemWithFiles({ at }, files)),
	);
	const added = await run(
		{
			...{ resource: 'subtableRow', operation: 'add', sheet: sheet(siteVisits) },
			...{ recordId: recordId(1), subtableId: photos.id },
			...rowAsJson({ [photos.fields.caption]: 'Wall' }),
			...(files.data ? withFiles([photos.fields.photo, 'data']) : {}),
		},
		items,
	);
	expect(new Set(added.map(({ json }) => json._rowId)).size).toBe(20);
}

/** Somebody has changed the records together, in this order. */
function changed(ids: number[]): number[] {
	trigger.service.people.massChange(orders, ids, () => ({ [fields.remark]: 'changed' }));
	return ids;
}

/** Each item has the record that it asks for. */
async function got(ids: number[]) {
	const found = await run(
		{ operation: 'get', recordId: recordId('={{ $json.id }}') },
		ids.map((id) => ({ id })),
	);
	expect(recordsOf({ items: found })).toEqual(ids.map((id, item) => [id, { item }]));
}

async function rowsOfOne() {
	const [first] = rowIdsOf(trigger.service, 7);
	const found = await run(
		onLines('getAll'),
		numbers(20).map(() => ({ order: 7 })),
	);
	const firstRows = found.filter(({ json }) => json._rowId === first);
	expect(linksOf(firstRows)).toEqual(numbers(20, 0).map((item) => ({ item })));
}

async function rowsDeleted(ids: number[]) {
	const { lines } = orders.subtables;
	const items = ids.map((order) => {
		const line = 1_000_000 + order;
		record(order)
			.rows(lines.id)
			.set(line, new Map([[lines.fields.article, 'Chair']]));
		return { order, line };
	});
	const deleted = await run(onLines('delete', { rowId: '={{ $json.line }}' }), items);
	expect(recordsOf({ items: deleted })).toEqual(ids.map((id, item) => [id, { item }]));
}

async function previewed(ids: number[], selection: INodeParameters, items?: InputItem[]) {
	const shown = await run(mass('lock', { ...selection, options: { preview: true } }), items);
	expect(shown.map(({ json }) => json._recordId)).toEqual(ids);
}

async function exported(fileNameFieldId: string, fileNameForm: 'encoded' | 'none') {
	trigger.service.switches.fileNameForm = fileNameForm;
	await run(exportOrder(5, { fileNameFieldId }));
}

const signed = () => numbers(20).map((id) => trigger.body([id]));

async function delivered(bodies: string[], parameters: INodeParameters = {}, items = 20) {
	const credentials = trigger.credentials('admin');
	const listener = await trigger.listen(parameters, { credentials });
	for (const body of bodies) await listener.post(body);
	expect(await listener.items()).toHaveLength(items);
}

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
