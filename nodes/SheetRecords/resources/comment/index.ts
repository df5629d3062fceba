import type { Resource } from '../../operation';
import { add } from './add';
import { getAll } from './getAll';

export const comment: Resource = {
	value: 'comment',
	name: 'Comment',
	description: 'A comment on a record, with an attached file if there is one',
	defaultOperation: add,
	operations: [add, getAll],
};
