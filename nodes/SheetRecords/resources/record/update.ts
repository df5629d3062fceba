import { updateRecord } from '../../../service/records';
import type { Operation } from '../../operation';
import { readRecordId, recordIdParameter } from '../../parameters/recordId';
import { recordValueParameters } from '../../parameters/recordValueParameters';
import { readRecordValues } from '../../parameters/recordValues';
import { sheetParameter } from '../../../editor/sheet';
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
		const sheet = item.sheet(client.connection);
		const recordId = readRecordId(item, client.connection, sheet);
		const parameters = writeParameters(item);
		const { changes, files } = await readRecordValues(item, new SheetFields(client, sheet));
		return savedRecordJson(await updateRecord(client, sheet, recordId, changes, files, parameters));
	},
};
