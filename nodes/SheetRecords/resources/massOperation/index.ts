import type { Resource } from '../../operation';
import { searchReplace, update } from './fieldChanges';
import { approve, lock, runActionButton } from './recordActions';

export const massOperation: Resource = {
	value: 'massOperation',
	name: 'Mass Operation',
	description: 'The same change to many records at once, carried out by the service',
	defaultOperation: update,
	operations: [approve, lock, runActionButton, searchReplace, update],
};
