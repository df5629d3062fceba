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
	description: 'Change the given fields of a record and leave the others as they are',
	parameters: [
		sheetParameter,
		recordIdParameter,
		...recordValueParameters('add', false),
		updateOptions,
	],
	async run({ item, client }) {
		const sheet = item.sheet(client.connection);
		const recordId = readRecordId(item, client.connection, sheet);
		const { changes, files } = await readRecordValues(item, new SheetFields(client, sheet));
		const parameters = writeParameters(item);
		return savedRecordJson(await updateRecord(client, sheet, recordId, changes, files, parameters));
	},
};
