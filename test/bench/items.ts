import type { IDataObject } from 'n8n-workflow';

import { orders, type ReferenceService } from '../service';

const { fields } = orders;

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

function referenceOf(index: number): string {
	return `REF-${String(index).padStart(6, '0')}`;
}
