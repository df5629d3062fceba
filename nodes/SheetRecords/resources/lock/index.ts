import type { Resource } from '../../operation';
import { lock as lockRecord } from './lock';
import { unlock } from './unlock';

export const lock: Resource = {
	value: 'lock',
	name: 'Lock',
	description: 'The lock that keeps a record from being edited',
	defaultOperation: lockRecord,
	operations: [lockRecord, unlock],
};
