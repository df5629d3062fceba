import type { INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orders, siteVisits } from '../service';
import { exportOrder } from './document/documentTestbed';
import { operations } from './faults/matrix';
import { upload } from './file/fileTestbed';
import { byItems, itemsOf, mass } from './massOperation/massParameters';
import { itemWithFiles, textFile, type TestFile } from './record/filesOnItem';
import { asJson, withFiles } from './record/recordValues';
import { offeredOperations, operationsToDo } from './operations';
import { numbers, recordId, sheet } from './recordTestbed';
import type { InputItem } from './runner';
import { onLines, rowAsJson, rowIdsOf } from './subtableRow/rowTestbed';
import { passMinutes, useFreshTriggerTestbed } from './trigger/triggerTestbed';

/** Starts a new service for each test, because the nodes cache its fields and its key. */
const trigger = useFreshTriggerTestbed(2_500);
const { fields } = orders;
const record = (id: number) => trigger.service.data.record(orders, id);

async function run(
	parameters: INodeParameters,
	items?: InputItem[],
	identity: 'admin' | 'member' = 'member',
) {
	const credentials = trigger.credentials(identity);
	const operationParameters = { sheet: sheet(orders), ...parameters };
	const result = await trigger.testbed.runById(operationParameters, items, { credentials });
	expect(result.error).toBeUndefined();
	return result;
}

/** Returns a function that repeats the work some minutes later. Only the requests of the second run are counted. */
function again(work: () => Promise<unknown>, minutes = 0) {
	return async () => {
		await work();
		passMinutes(minutes);
		trigger.service.requests.clear();
		await work();
	};
}

const ofMany = (ids: number[]) => ids.map((id) => ({ id }));
const ofItem = { recordId: recordId('={{ $json.id }}') };

/** Changes the records as another user at the same time, in this order. Returns the IDs. */
function changed(ids: number[]): number[] {
	trigger.service.people.massChange(orders, ids, () => ({ [fields.remark]: 'changed' }));
	return ids;
}

/** Expects that each item has the record with its ID. */
async function got(ids: number[]) {
	const found = await run({ operation: 'get', ...ofItem }, ofMany(ids));
	expect(found.records).toEqual(ids.map((id, item) => `${id} #${item}`));
}

/** Looks up the records of the items by match. `count` records have the values of `items` items. */
async function lookedUp(count: number, items: number) {
	const ids = numbers(items).map((item) => ((item - 1) % count) + 1);
	for (const id of numbers(count)) record(id).set(fields.remark, `KEY-${id}`);
	const inputItems = ids.map((id) => ({ [fields.remark]: `KEY-${id}` }));
	const parameters = { operation: 'get', getBy: 'match', matchFields: [fields.remark] };
	const found = await run({ ...parameters, options: { fieldKeys: 'id' } }, inputItems);
	expect(found.records).toEqual(ids.map((id, item) => `${id} #${item}`));
}

/** Reads one record per item with a filter. */
async function getMine(count: number) {
	for (const id of numbers(count)) record(id).set(fields.remark, `mine ${id}`);
	const conditions = [{ field: fields.remark, operator: 'eq', value: '=mine {{ $json.id }}' }];
	const mine = { operation: 'getAll', filters: { conditions } };
	expect((await run(mine, ofMany(numbers(count)))).items).toHaveLength(count);
}

/** Finds the records that have one of many values, each of 8 characters. */
async function getOneOf(count: number) {
	const { records } = trigger.service.data.sheet(orders);
	const keyOf = (id: number) => `KEY-${String(id).padStart(4, '0')}`;
	for (const id of [...records.keys()].slice(0, count)) record(id).set(fields.remark, keyOf(id));
	const value = [...records.keys()].slice(0, count).map(keyOf).join('\n');
	const filters = { conditions: [{ field: fields.remark, operator: 'in', value }] };
	const listed = await run({ operation: 'getAll', returnAll: true, filters });
	expect(listed.items).toHaveLength(count);
}

/** Duplicates orders with their rows, one for each item. */
async function duplicated(count: number, options: INodeParameters = {}, files = 0) {
	for (const id of numbers(count).slice(0, files)) {
		const stored = trigger.service.data.storeFile('a.pdf', 'application/pdf', Buffer.from('%PDF-'));
		record(id).set(fields.contract, stored);
	}
	const copies = { operation: 'duplicate', ...ofItem, options };
	const { json } = await run(copies, ofMany(numbers(count)), 'admin');
	expect(json.map(({ _copiedFrom }) => _copiedFrom)).toEqual(numbers(count));
}

async function getAll(count: number) {
	const { records } = trigger.service.data.sheet(orders);
	for (const id of [...records.keys()].slice(count)) records.delete(id);
	expect((await run({ operation: 'getAll', returnAll: true })).items).toHaveLength(count);
}

async function getAllTyped() {
	const parameters = { operation: 'getAll', options: { typedValues: true } };
	const { json } = await run(parameters, [{}], 'admin');
	expect(json[0]?.Total).toEqual(expect.any(Number));
}

const byName: INodeParameters = { options: { fieldKeys: 'name' } };

async function create(keys: 'ids' | 'names', identity?: 'admin', overrides: INodeParameters = {}) {
	const values =
		keys === 'ids'
			? { [fields.customerNumber]: 'C-0001', [fields.remark]: 'new' }
			: { 'Customer Number': 'C-0001', Remark: 'new' };
	await run({ operation: 'create', ...asJson(values), ...overrides }, [{}, {}, {}], identity);
}

/** Creates records by names, on a sheet whose field names are all different. */
async function createWithNames() {
	nameApart();
	await create('ids', 'admin', byName);
}

function nameApart(): void {
	for (const field of trigger.service.data.sheet(orders).fields) {
		if (field.id === fields.secondNote || field.id === fields.unnamed)
			field.name = `Field ${field.id}`;
	}
}

const byRemark = { matchFields: [fields.remark] };

/** Returns items with a remark to match on. The first `there` items match records. */
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
	return await run({ operation: 'upsert', ...asJson('={{ $json }}'), ...byRemark, options }, items);
}

/** Syncs items with a note. One of `every` records has a different note. */
async function syncDiffering(count: number, every: number) {
	const items = synced(count, count);
	for (const id of numbers(count / every)) record(id * every).set(fields.note, 'another');
	const { actions } = await upsert(items, { skipUnchanged: true });
	expect(actions.filter((action) => action === 'updated')).toHaveLength(count / every);
}

/** Syncs orders with five lines each, as in a nightly sync. In some of the orders, one line differs. */
async function syncWithRows(count: number, differing: number) {
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
	const options = { skipUnchanged: true, rowsMode: 'replace', rowMatchFields: 'Article' };
	const matching = { ...asJson('={{ $json }}'), matchFields: [fields.reference], options };
	const made = await run({ operation: 'upsert', ...matching }, items, 'admin');
	const actions = made.actions;
	expect(actions.filter((action) => action === 'updated')).toHaveLength(differing);
	expect(actions.filter((action) => action === 'unchanged')).toHaveLength(count - differing);
}

async function updateUnlessChanged(ids: number[]) {
	const at = new Date(record(ids.at(-1) ?? 0).updated.at).toISOString();
	const items = ids.map((id) => ({ id, _update_date: at, _timeZone: 0 }));
	const options = { onConflict: 'error' };
	const values = asJson({ [fields.remark]: 'new' });
	await run({ operation: 'update', ...ofItem, ...values, options }, items);
}

async function updateUnchanged(ids: number[]) {
	const values = asJson({ [fields.remark]: 'changed' });
	const options = { skipUnchanged: true };
	return await run({ operation: 'update', ...ofItem, ...values, options }, ofMany(ids));
}

function expectUnchanged({ json }: Awaited<ReturnType<typeof run>>): void {
	expect(new Set(json.map(({ _action }) => _action))).toEqual(new Set(['unchanged']));
}

async function addedRows(files: Record<string, TestFile> = {}) {
	const { photos } = siteVisits.subtables;
	const items = numbers(20).map(async (at) => await itemWithFiles({ at }, files));
	const added = await run(
		{
			...{ resource: 'subtableRow', operation: 'add', sheet: sheet(siteVisits) },
			...{ recordId: recordId(1), subtableId: photos.id },
			...rowAsJson({ [photos.fields.caption]: 'Wall' }),
			...(files.data ? withFiles([photos.fields.photo, 'data']) : {}),
		},
		await Promise.all(items),
	);
	expect(new Set(added.json.map(({ _rowId }) => _rowId)).size).toBe(20);
}

async function rowsOfOne() {
	const [first] = rowIdsOf(trigger.service, 7);
	const items = numbers(20).map(() => ({ order: 7 }));
	const found = await run(onLines('getAll'), items);
	const firstRows = found.items.filter(({ json }) => json._rowId === first);
	expect(firstRows.map(({ pairedItem }) => pairedItem)).toEqual(
		numbers(20, 0).map((item) => ({ item })),
	);
}

async function rowsDeleted(ids: number[]) {
	const { lines } = orders.subtables;
	const items = ids.map((order) => {
		const line = 1_000_000 + order;
		const rows = record(order).rows(lines.id);
		rows.set(line, new Map([[lines.fields.article, 'Chair']]));
		return { order, line };
	});
	const deleted = await run(onLines('delete', { rowId: '={{ $json.line }}' }), items);
	expect(deleted.records).toEqual(ids.map((id, item) => `${id} #${item}`));
}

async function previewed(ids: number[]) {
	const lock = mass('lock', { ...byItems(), options: { preview: true } });
	const visible = await run(lock, itemsOf(ids));
	expect(visible.ids).toEqual(ids);
}

async function exported(fileNameFieldId = '') {
	await run(exportOrder(5, { fileNameFieldId }));
}

async function delivered(bodies: string[], parameters: INodeParameters = {}, items = 20) {
	const credentials = trigger.credentials('admin');
	const listener = await trigger.listen(parameters, { credentials });
	for (const body of bodies) await listener.post(body);
	expect(await listener.items()).toHaveLength(items);
}

const signed = () => numbers(20).map((id) => trigger.body([id]));
const fetched: INodeParameters = { verification: 'off', options: { fetchRecord: true } };
const newRecords = '_Record: Create_ of 3 records';

type Work = () => Promise<unknown>;

/** Tasks of the table in LIMITS.md, with the number of their requests. */
const jobs: Record<string, Work | Work[]> = {
	'_Record: Get_ for 40 items, of records that were changed together': () =>
		got(changed(numbers(40, 70))),
	'_Record: Get_ for 40 items, of records that were changed long ago': () => {
		changed(numbers(100, 1_000));
		return got(numbers(40, 70));
	},
	'_Record: Get_ by match for 100 items, half of which are equal': () => lookedUp(50, 100),
	'_Record: Get_ by match for 2,500 items': () => lookedUp(2_500, 2_500),
	'_Record: Get Many_ that finds fewer records than its limit': () => getMine(1),
	'_Record: Get Many_ for 20 items, one record for each': () => getMine(20),
	'_Record: Get Many_ with _Return All_ of 999 records': () => getAll(999),
	'_Record: Get Many_ with _Return All_ of 1,000 records': () => getAll(1_000),
	'_Record: Get Many_ with _Return All_ of 2,500 records': () => getAll(2_500),
	'_Record: Get Many_ with 100 values of _Is One Of_': () => getOneOf(100),
	'_Record: Get Many_ with 1,000 values of _Is One Of_': () => getOneOf(1_000),
	'_Record: Get Many_ with _Typed Values_, as administrator': getAllTyped,
	'_Record: Get Many_ with _Typed Values_, again within ten minutes': again(getAllTyped, 9),
	// Names and IDs cost the same if the output has names.
	[`${newRecords}, as administrator`]: [() => create('names', 'admin'), createWithNames],
	[`${newRecords}, as another user`]: [() => create('names'), () => create('ids')],
	[`${newRecords}, again within ten minutes`]: [
		again(() => create('names'), 9),
		again(createWithNames, 9),
	],
	[`${newRecords}, again within an hour, as another user`]: again(() => create('names'), 50),
	[`${newRecords} on a sheet with two fields of one name, as administrator`]: () =>
		create('names', 'admin', byName),
	'_Record: Create or Update_ for 100 items, 50 of which exist': () => upsert(synced(50, 100)),
	'_Record: Create or Update_ with _Skip Unchanged_ for 100 items, none of which differs':
		async () => expectUnchanged(await upsert(synced(100, 100), { skipUnchanged: true })),
	'_Record: Create or Update_ with _Skip Unchanged_ for 400 items, 100 of which differ': () =>
		syncDiffering(400, 4),
	'_Record: Update_ with _Skip Unchanged_ for 100 items changed together, none of which differs':
		async () => expectUnchanged(await updateUnchanged(changed(numbers(100)))),
	'_Record: Duplicate_ of 10 records with their rows, as administrator': () => duplicated(10),
	'_Record: Duplicate_ of 10 records, 4 of which have a file, with _Copy Files_, as administrator':
		() => duplicated(10, { copyFiles: true }, 4),
	'_Subtable Row: Get Many_ for 20 items, rows of one record': rowsOfOne,
	'_Subtable Row: Delete_ for 23 items, one row of each of 23 records': () =>
		rowsDeleted(changed(numbers(23, 70))),
	'Nightly sync of 1,000 records with 5,000 rows, 10 of which differ, as administrator': () =>
		syncWithRows(1_000, 10),
	'_Record: Create or Update_ with _Dry Run_ for 100 items': () =>
		upsert(synced(50, 100), { dryRun: true }),
	'_Record: Update_ with _On Conflict_ for 100 items': () =>
		updateUnlessChanged(changed(numbers(100))),
	'_Record: Delete_ by match for 100 items': () =>
		run({ operation: 'delete', deleteBy: 'match', ...byRemark }, synced(100, 100)),
	'_Record: If Exists_ for 100 items': () =>
		run({ operation: 'ifExists', ...byRemark }, synced(50, 100)),
	'_Subtable Row: Add_ for 20 items, rows of one record': () => addedRows(),
	'_Subtable Row: Add_ for 20 items with a file each, rows of one record': () =>
		addedRows({ data: textFile('photo.jpg') }),
	'_File: Upload_ in place of a file': async () => {
		const item = await itemWithFiles({}, { data: textFile('new.txt') });
		await run(upload(50, { uploadMode: 'replace' }), [item]);
	},
	'_Document: Export_': () => exported(),
	'_Document: Export_ with a field for its name': () => exported(fields.remark),
	'_Mass Operation_: a preview of 40 input items that were changed together': () =>
		previewed(changed(numbers(40, 70)).reverse()),
	'_Sheet Records Trigger_: 20 signed deliveries, for the key': () => delivered(signed()),
	'_Sheet Records Trigger_: 20 signed deliveries by names, for the key and the names, as administrator':
		() => {
			nameApart();
			return delivered(signed(), byName);
		},
	'_Sheet Records Trigger_ with _Fetch Record_: a delivery of 40 records changed together': () =>
		delivered([JSON.stringify(changed(numbers(40, 70)))], fetched, 40),
};

/** Returns the rows of the table in LIMITS.md. */
function costs(): Array<[job: string, requests: number]> {
	const page = readFileSync(join(__dirname, '../../nodes/SheetRecords/LIMITS.md'), 'utf8');
	const [, section = ''] = page.split(/^## Costs in requests$/m);
	const [table = ''] = section.split(/^#+ /m);
	const rows = [...table.matchAll(/^\| (\S.*?) +\| (\d+) +\|$/gm)];
	return rows.map(([, job = '', requests]) => [job, Number(requests)]);
}

describe('the number of requests to the service', () => {
	const works = costs().flatMap(([job, requests]) =>
		[jobs[job] ?? []].flat().map((work) => ({ job, requests, work })),
	);

	it.each(works)('$job: $requests', async ({ requests, work }) => {
		await work();
		const requestsSeen = trigger.service.requests
			.all()
			.map(({ method, path }) => `${method} ${path}`);
		expect(requestsSeen).toHaveLength(requests);
	});

	it('each operation that sends several requests for an item has a row in LIMITS.md', async () => {
		const severalRequests = new Set(
			operations.filter(({ requests }) => requests.length > 1).map(({ operation }) => operation),
		);
		const labels = new Map(
			(await offeredOperations()).map(({ resource, operation }) => [
				`${resource.value}.${operation.value}`,
				`_${resource.name}: ${operation.name}_`,
			]),
		);
		// Mass operations ask for the progress of their task as long as it runs.
		const isDone = (name: string, resource: string) =>
			!severalRequests.has(name) ||
			resource === 'massOperation' ||
			costs().some(([job]) => job.startsWith(labels.get(name) ?? '_'));
		const todo = 'add a row to the costs in LIMITS.md, and its job here (HOW_TO, step 8)';
		expect(await operationsToDo(isDone, todo)).toEqual([]);
	});

	it('the numbers of requests are those in LIMITS.md', () => {
		expect(costs().map(([job]) => job)).toEqual(Object.keys(jobs));
	});
});
