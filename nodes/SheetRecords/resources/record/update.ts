import { updateRecord } from '../../../service/records';
import type { Operation } from '../../operation';
import { readRecordAddress, recordIdParameter } from '../../parameters/recordId';
import { recordValueParameters } from '../../parameters/recordValueParameters';
import { readRecordValues } from '../../parameters/recordValues';
import { sheetParameter } from '../../../shared/sheet';
import { updateOptions, writeParameters } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../sheetFields';

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a record',
	description:
		'Change the given fields of a record, leave the others, and return it as saved, by field IDs',
	parameters: [
		sheetParameter,
		recordIdParameter,
		...recordValueParameters('add', false),
		updateOptions,
	],
	async run({ item, client }) {
		const record = readRecordAddress(item, client.connection);
		const parameters = writeParameters(item);
		const content = await readRecordValues(item, new SheetFields(client, record.sheet));
		return savedRecordJson(await updateRecord(client, record, content, parameters));
	},
};
