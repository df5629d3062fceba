import type { Resource } from '../../run/operation';
import { count } from './count';
import { create } from './create';
import { deleteOne } from './delete';
import { duplicate } from './duplicate';
import { get } from './get';
import { getAll } from './getAll';
import { ifExists } from './ifExists';
import { update } from './update';
import { upsert } from './upsert';

export const record: Resource = {
	value: 'record',
	name: 'Record',
	description: 'Record of a sheet, with its subtable rows and files',
	defaultOperation: getAll,
	operations: [count, create, upsert, deleteOne, duplicate, get, getAll, ifExists, update],
};
