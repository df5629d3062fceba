import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { orders, type SheetAddress } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

/** A first interval that is too short to slow a test down. */
export const quickly = { pollInterval: 0.01 };

/** A mass operation on a sheet, the orders unless another is named, that is watched closely. */
export function mass(
	operation: string,
	more: INodeParameters = {},
	address: SheetAddress = orders,
): INodeParameters {
	return { resource: 'massOperation', operation, sheet: sheet(address), options: quickly, ...more };
}

export function byConditions(
	...conditions: Array<[field: string, operator: string, value?: NodeParameterValueType]>
): INodeParameters {
	const entries = conditions.map(([field, operator, value = '']) => ({ field, operator, value }));
	return { selection: 'filters', filters: { conditions: entries } };
}

export function byIds(recordIds: string): INodeParameters {
	return { selection: 'recordIds', recordIds };
}

export function byItems(recordIdField?: string): INodeParameters {
	return { selection: 'inputItems', ...(recordIdField === undefined ? {} : { recordIdField }) };
}

/** Items as a list yields them. */
export function itemsOf(recordIds: number[]): Array<{ _recordId: number }> {
	return recordIds.map((_recordId) => ({ _recordId }));
}

export const assign = (...assignments: Array<[field: string, value: NodeParameterValueType]>) => ({
	assignments: { assignment: assignments.map(([field, value]) => ({ field, value })) },
});

export const replace = (field: string, valueReplaced: string, valueNew: string) => ({
	replacements: { replacement: [{ field, valueReplaced, valueNew }] },
});

export const ten = byIds('10,11,12,13,14,15,16,17,18,19');
export const lockTen = mass('lock', ten);

/** A service that does four records between two looks, which are told, as is its first task. */
export function useTasksInSteps() {
	const testbed = useRecordTestbed();
	beforeEach(() => {
		testbed.service.tasks.recordsPerLook = 4;
	});
	const taskId = () => testbed.service.tasks.all[0]?.id ?? '';
	return { testbed, taskId, looks: () => testbed.reads.map(({ path }) => path) };
}

/** Returns the item of a task. It has no member for what the service does not report, except `fail` and `message`. */
export const taskItem = (reported: object) => ({ fail: null, message: '', ...reported });
