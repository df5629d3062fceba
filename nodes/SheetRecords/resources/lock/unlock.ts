import { sheetParameter } from '../../../shared/sheet';
import type { Operation } from '../../operation';
import { recordIdParameter } from '../../parameters/recordId';
import { lockOperation } from './lockOperation';

export const unlock: Operation = {
	value: 'unlock',
	name: 'Unlock',
	action: 'Unlock a record',
	description: 'Allow a locked record to be edited again',
	parameters: [sheetParameter, recordIdParameter],
	run: lockOperation('unlock'),
};
