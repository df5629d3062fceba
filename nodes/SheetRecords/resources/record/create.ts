import { createRecord } from '../../../service/records';
import type { Operation } from '../../operation';
import { recordValueParameters } from '../../parameters/recordValueParameters';
import { readRecordValues } from '../../parameters/recordValues';
import { sheetParameter } from '../../../shared/sheet';
import { createOptions, writeParameters } from '../../parameters/writeOptions';
import { savedRecordJson } from '../../savedRecord';
import { SheetFields } from '../../sheetFields';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a record',
	description: 'Add a new record to a sheet and return it as saved, by field IDs',
	parameters: [sheetParameter, ...recordValueParameters('add'), createOptions],
	async run({ item, client }) {
		const sheet = item.sheet(client.connection);
		const parameters = writeParameters(item);
		const content = await readRecordValues(item, new SheetFields(client, sheet));
		return savedRecordJson(await createRecord(client, sheet, content, parameters));
	},
};
