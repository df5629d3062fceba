import { setLock } from '../../../api/actions';
import { notice } from '../../../ui/parameter';
import { numberOrText } from '../../../api/read/record';
import { operation } from '../../operation';
import { recordParameter } from '../../parameters/record';

export const lock = operation({
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
