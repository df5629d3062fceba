import type { Resource } from '../../operation';
import { approve, lock, runActionButton } from './recordActions';
import { searchReplace } from './searchReplace';
import { update } from './update';

export const massOperation: Resource = {
	value: 'massOperation',
	name: 'Mass Operation',
	description: 'The same change to many records at once, carried out by the service',
	defaultOperation: update,
	operations: [approve, lock, runActionButton, searchReplace, update],
};
