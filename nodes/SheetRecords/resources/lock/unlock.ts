import { setLock } from '../../../api/actions';
import { numberOrText } from '../../../api/read/record';
import { operation } from '../../operation';
import { recordParameter } from '../../parameters/record';

export const unlock = operation({
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
