import type { Resource } from '../../operation';
import { add } from './add';
import { deleteOne } from './delete';
import { getAll } from './getAll';
import { update } from './update';

export const subtableRow: Resource = {
	value: 'subtableRow',
	name: 'Subtable Row',
	description: 'A row of a subtable inside a record',
	defaultOperation: add,
	operations: [add, deleteOne, getAll, update],
};
