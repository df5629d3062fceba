import type { Resource } from '../../operation';
import { approve } from './approve';
import { lock } from './lock';
import { runActionButton } from './runActionButton';
import { searchReplace } from './searchReplace';
import { update } from './update';

export const massOperation: Resource = {
	value: 'massOperation',
	name: 'Mass Operation',
	description: 'The same change to many records at once, carried out by the service',
	defaultOperation: update,
	operations: [approve, lock, runActionButton, searchReplace, update],
};
