import type { IDataObject } from 'n8n-workflow';

import { orders, type ReferenceService } from '../service';

const { fields } = orders;

const storedRemark = 'Remark as it is stored';

/** The field by which existing records are found. */
export const matchField = fields.reference;

/** Items for a create: each is another order. */
export function itemsToCreate(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		[fields.customerNumber]: 'C-0001',
		[fields.remark]: `Created for item ${index}`,
	}));
}

/** Items for an upsert. Every second one has a record, once `giveReferences` was called. */
export function itemsToUpsert(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		[matchField]: referenceOf(index),
		[fields.customerNumber]: 'C-0001',
	}));
}

/** Items that say what their records hold already, but for one of a hundred. */
export function itemsToSync(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		[matchField]: referenceOf(index),
		[fields.remark]: index % 100 === 0 ? 'New remark' : storedRemark,
	}));
}

const { lines } = orders.subtables;
const lineNumbers = [1, 2, 3, 4, 5];
const rowId = (index: number, line: number) => index * 10 + line;
const quantityOf = (index: number, line: number) =>
	index % 100 === 0 && line === 1 ? 'new' : String(line);

/** The same with five rows each, of which one of five hundred differs. */
export function itemsToSyncRows(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		[matchField]: referenceOf(index),
		[`_subtable_${lines.id}`]: lineNumbers.map((line) => ({
			[lines.fields.article]: `Article ${line}`,
			[lines.fields.quantity]: quantityOf(index, line),
		})),
	}));
}

/** What somebody would write who knows the ids of all rows. */
export function writtenRows(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => {
		const rows = lineNumbers.map((line) => [
			rowId(index, line),
			{ [lines.fields.quantity]: quantityOf(index, line) },
		]);
		return { [`_subtable_${lines.id}`]: Object.fromEntries(rows) };
	});
}

/** Gives the first orders the rows of such items, but for those that differ. */
export function storeRows({ data }: ReferenceService, count: number): void {
	for (let index = 0; index < count; index += 1) {
		const rows = lineNumbers.map((line) => {
			const values: Array<[string, string]> = [
				[lines.fields.article, `Article ${line}`],
				[lines.fields.quantity, String(line)],
			];
			return [rowId(index, line), new Map(values)] as const;
		});
		const record = data.record(orders, index + 1).set(matchField, referenceOf(index));
		record.subtables.set(lines.id, new Map(rows));
	}
}

/** Whether the first orders have exactly the rows of the items. */
export function areRowsSynced({ data }: ReferenceService, count: number): boolean {
	return Array.from({ length: count }, (_, index) => index).every((index) => {
		const rows = data.record(orders, index + 1).rows(lines.id);
		const isSame = (line: number) =>
			rows.get(rowId(index, line))?.get(lines.fields.quantity) === quantityOf(index, line);
		return rows.size === lineNumbers.length && lineNumbers.every(isSame);
	});
}

/** Items that name the first orders. */
export function itemsToLock(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ _recordId: index + 1 }));
}

/** Gives every second item of an upsert its record. */
export function giveReferences({ data }: ReferenceService, count: number): void {
	for (let index = 0; index < count; index += 2) {
		data.record(orders, index + 1).set(matchField, referenceOf(index));
	}
}

/** Makes the first orders what the items of a sync say, but for the few remarks that differ. */
export function storeForSync({ data }: ReferenceService, count: number): void {
	for (let index = 0; index < count; index += 1) {
		data
			.record(orders, index + 1)
			.set(matchField, referenceOf(index))
			.set(fields.remark, storedRemark);
	}
}

/** Whether the first orders are what the items of a sync say. */
export function isSynced({ data }: ReferenceService, count: number): boolean {
	return itemsToSync(count).every(
		(item, index) => data.record(orders, index + 1).text(fields.remark) === item[fields.remark],
	);
}

function referenceOf(index: number): string {
	return `REF-${String(index).padStart(6, '0')}`;
}
