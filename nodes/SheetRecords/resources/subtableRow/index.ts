import type { Resource } from '../../operation';
import { getAll } from './getAll';
import { add, deleteOne, update } from './writes';

export const subtableRow: Resource = {
	value: 'subtableRow',
	name: 'Subtable Row',
	description: 'A row of a subtable inside a record',
	defaultOperation: add,
	operations: [add, deleteOne, getAll, update],
};
