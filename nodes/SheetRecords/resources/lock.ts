import { setLock } from '../../api/actions';
import { numberOrText } from '../../api/read/record';
import { notice } from '../../ui/parameter';
import { operation, type Resource } from '../operation';
import { recordParameter } from '../parameters/record';

const lockRecord = operation({
	value: 'lock',
	name: 'Lock',
	action: 'Lock a record',
	description: 'Lock a record so that people cannot edit it',
	parameters: {
		record: recordParameter,
		notice: notice(
			'lockNotice',
			"Workflows can still change a locked record, unless they set the option 'Check Lock'",
		),
	},
	async run({ client }, { record }) {
		await setLock(client, record, 'lock');
		return { _recordId: numberOrText(record.recordId), locked: true };
	},
});

const unlockRecord = operation({
	value: 'unlock',
	name: 'Unlock',
	action: 'Unlock a record',
	description: 'Allow a locked record to be edited again',
	parameters: { record: recordParameter },
	async run({ client }, { record }) {
		await setLock(client, record, 'unlock');
		return { _recordId: numberOrText(record.recordId), locked: false };
	},
});

export const lock: Resource = {
	value: 'lock',
	name: 'Lock',
	description: 'The lock that keeps a record from being edited',
	defaultOperation: lockRecord,
	operations: [lockRecord, unlockRecord],
};
