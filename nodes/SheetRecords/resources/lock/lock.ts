import { sheetParameter } from '../../../editor/sheet';
import type { Operation } from '../../operation';
import { recordIdParameter } from '../../parameters/recordId';
import { lockOperation } from './lockOperation';

export const lock: Operation = {
	value: 'lock',
	name: 'Lock',
	action: 'Lock a record',
	description: 'Lock a record against editing',
	parameters: [sheetParameter, recordIdParameter],
	run: lockOperation('lock'),
};
