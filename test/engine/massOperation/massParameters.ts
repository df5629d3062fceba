import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { orders, type SheetAddress } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

/** Options with a short poll interval, so that tests are fast. */
export const quickly = { pollInterval: 0.01 };

/** Returns the parameters of a mass operation, by default on the orders, with a short poll interval. */
export function mass(
	operation: string,
	overrides: INodeParameters = {},
	address: SheetAddress = orders,
): INodeParameters {
	return {
		resource: 'massOperation',
		operation,
		sheet: sheet(address),
		options: quickly,
		...overrides,
	};
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

/** Returns items like those of a list of records. */
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

/**
 * Starts a service that processes four records per status request. Returns the testbed, the ID of the first task and the paths of
 * the status requests.
 */
export function useTasksInSteps() {
	const testbed = useRecordTestbed();
	beforeEach(() => {
		testbed.service.tasks.recordsPerLook = 4;
	});
	const taskId = () => testbed.service.tasks.all[0]?.id ?? '';
	return { testbed, taskId, looks: () => testbed.reads.map(({ path }) => path) };
}

/** Returns the output item of a task. Properties that the service does not report are omitted, except `fail` and `message`. */
export const taskItem = (reported: object) => ({
	...{ taskId: null, taskName: null, account: null, status: null },
	...{ finished: null, succeeded: null },
	...{ processed: null, success: null, fail: null, total: null, progress: null, message: '' },
	...reported,
});
