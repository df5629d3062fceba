import { runActionButton } from '../../../api/actions';
import { numberOrText, plain } from '../../../api/read/record';
import { operation } from '../../operation';
import { buttonIdParameter } from '../../parameters/buttonId';
import { recordParameter } from '../../parameters/record';

export const run = operation({
	value: 'run',
	name: 'Run',
	action: 'Run an action button',
	description: 'Press an action button on a record',
	parameters: { record: recordParameter, buttonId: buttonIdParameter },
	async run({ client }, { record, buttonId }) {
		const answer = await runActionButton(client, record, buttonId);
		const message = plain(answer.get('msg') ?? '');
		return { _recordId: numberOrText(record.recordId), buttonId, message };
	},
});
