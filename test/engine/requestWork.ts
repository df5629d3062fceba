import type { INodeParameters } from 'n8n-workflow';
import { orders, siteVisits } from '../service';
import { exportOrder } from './document/documentTestbed';
import { mass } from './massOperation/massParameters';
import { itemWithFiles, type TestFile } from './record/filesOnItem';
import { asJson, withFiles } from './record/recordValues';
import { linksOf, recordId, recordsOf, sheet } from './recordTestbed';
import type { InputItem } from './runner';
import { onLines, rowAsJson, rowIdsOf } from './subtableRow/rowTestbed';
import { passMinutes, useFreshTriggerTestbed } from './trigger/triggerTestbed';

/** A service for each test, since what is learnt of its fields and its key is kept for a while. */
export const trigger = useFreshTriggerTestbed();
export const { fields } = orders;
const onOrders = { sheet: sheet(orders) };

export const numbers = (count: number, from = 1) =>
	Array.from({ length: count }, (_, i) => from + i);
const record = (id: number) => trigger.service.data.record(orders, id);

export async function run(
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
export function again(work: () => Promise<unknown>, minutes = 0) {
	return async () => {
		await work();
		passMinutes(minutes);
		trigger.service.requests.clear();
		await work();
	};
}

/** One record for each of so many items. */
export async function getMine(count: number): Promise<void> {
	for (const id of numbers(count)) record(id).set(fields.remark, `mine ${id}`);
	const conditions = [{ field: fields.remark, operator: 'eq', value: '=mine {{ $json.id }}' }];
	const items = numbers(count).map((id) => ({ id }));
	const found = await run({ operation: 'getAll', filters: { conditions } }, items);
	expect(found).toHaveLength(count);
}

export async function getAll(count: number): Promise<void> {
	const { records } = trigger.service.data.sheet(orders);
	const others = [...records.keys()].slice(count);
	for (const id of others) records.delete(id);
	expect(await run({ operation: 'getAll', returnAll: true })).toHaveLength(count);
}

export async function getAllTyped(): Promise<void> {
	const parameters = { operation: 'getAll', options: { typedValues: true } };
	const [first] = await run(parameters, [{}], 'admin');
	expect(first?.json.Total).toEqual(expect.any(Number));
}

export const byName: INodeParameters = { options: { fieldKeys: 'name' } };

export async function createByNames(identity?: 'admin', more: INodeParameters = {}): Promise<void> {
	const json = asJson({ 'Customer Number': 'C-0001', Remark: 'new' });
	await run({ operation: 'create', ...json, ...more }, [{}, {}, {}], identity);
}

export async function createByIds(identity?: 'admin', more: INodeParameters = {}): Promise<void> {
	const json = asJson({ [fields.customerNumber]: 'C-0001', [fields.remark]: 'new' });
	await run({ operation: 'create', ...json, ...more }, [{}, {}, {}], identity);
}

/** On a sheet whose fields all have names of their own. */
export async function createWithNames(): Promise<void> {
	nameApart();
	await createByIds('admin', byName);
}

export function nameApart(): void {
	for (const field of trigger.service.data.sheet(orders).fields) {
		if (field.id === fields.secondNote || field.id === fields.unnamed)
			field.name = `Field ${field.id}`;
	}
}

/** Items with a remark to match on: what the first records hold, and then new ones. */
export function synced(there: number, count: number): InputItem[] {
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

export async function upsert(items: InputItem[], options: INodeParameters = {}) {
	const json = asJson('={{ $json }}');
	return await run({ operation: 'upsert', ...json, matchFields: [fields.remark], options }, items);
}

/** Orders with five lines each, as the items of a nightly sync say them, but for one line of each of so many orders. */
export async function syncWithRows(count: number, differing: number): Promise<void> {
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

export const byRemark = { matchFields: [fields.remark] };

export async function updateUnlessChanged(ids: number[]): Promise<void> {
	const at = new Date(record(ids.at(-1) ?? 0).updated.at).toISOString();
	const items = ids.map((id) => ({ id, _update_date: at, _timeZone: 0 }));
	const update = { operation: 'update', recordId: recordId('={{ $json.id }}') };
	const options = { onConflict: 'error' };
	await run({ ...update, ...asJson({ [fields.remark]: 'new' }), options }, items);
}

export function expectUnchanged(items: Awaited<ReturnType<typeof run>>): void {
	expect(new Set(items.map(({ json }) => json._action))).toEqual(new Set(['unchanged']));
}

export async function addedRows(files: Record<string, TestFile> = {}): Promise<void> {
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
export function changed(ids: number[]): number[] {
	trigger.service.people.massChange(orders, ids, () => ({ [fields.remark]: 'changed' }));
	return ids;
}

/** Each item has the record that it asks for. */
export async function got(ids: number[]) {
	const found = await run(
		{ operation: 'get', recordId: recordId('={{ $json.id }}') },
		ids.map((id) => ({ id })),
	);
	expect(recordsOf({ items: found })).toEqual(ids.map((id, item) => [id, { item }]));
}

export async function rowsOfOne() {
	const [first] = rowIdsOf(trigger.service, 7);
	const found = await run(
		onLines('getAll'),
		numbers(20).map(() => ({ order: 7 })),
	);
	const firstRows = found.filter(({ json }) => json._rowId === first);
	expect(linksOf(firstRows)).toEqual(numbers(20, 0).map((item) => ({ item })));
}

export async function rowsDeleted(ids: number[]) {
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

export async function previewed(ids: number[], selection: INodeParameters, items?: InputItem[]) {
	const shown = await run(mass('lock', { ...selection, options: { preview: true } }), items);
	expect(shown.map(({ json }) => json._recordId)).toEqual(ids);
}

export async function exported(fileNameFieldId: string, fileNameForm: 'encoded' | 'none') {
	trigger.service.switches.fileNameForm = fileNameForm;
	await run(exportOrder(5, { fileNameFieldId }));
}

export const signed = () => numbers(20).map((id) => trigger.body([id]));

export async function delivered(bodies: string[], parameters: INodeParameters = {}, items = 20) {
	const credentials = trigger.credentials('admin');
	const listener = await trigger.listen(parameters, { credentials });
	for (const body of bodies) await listener.post(body);
	expect(await listener.items()).toHaveLength(items);
}
