import { sheetParameter } from '../../../shared/sheet';
import type { Operation } from '../../operation';
import { recordIdParameter } from '../../parameters/recordId';
import { lockOperation } from './lockOperation';

export const lock: Operation = {
	value: 'lock',
	name: 'Lock',
	action: 'Lock a record',
	description: 'Lock a record so that people cannot edit it',
	parameters: [
		sheetParameter,
		recordIdParameter,
		{
			displayName:
				"Workflows can still change a locked record, unless they set the option 'Check Lock'",
			name: 'lockNotice',
			type: 'notice',
			default: '',
		},
	],
	run: lockOperation('lock'),
};
