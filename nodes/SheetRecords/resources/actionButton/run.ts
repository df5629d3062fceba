import { sheetParameter } from '../../../shared/sheet';
import { runActionButton } from '../../../service/actionButtons';
import { numberOrText, plain } from '../../../wire/record';
import type { Operation } from '../../operation';
import { buttonIdParameter, readButtonId } from '../../parameters/buttonId';
import { readRecordAddress, recordIdParameter } from '../../parameters/recordId';

export const run: Operation = {
	value: 'run',
	name: 'Run',
	action: 'Run an action button',
	description: 'Press an action button on a record',
	parameters: [sheetParameter, recordIdParameter, buttonIdParameter],
	async run({ item, client }) {
		const record = readRecordAddress(item, client.connection);
		const buttonId = readButtonId(item);
		const answer = await runActionButton(client, record, buttonId);
		const message = plain(answer.get('msg') ?? '');
		return { _recordId: numberOrText(record.recordId), buttonId, message };
	},
};
