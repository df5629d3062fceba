import { getRecord } from '../../../service/records';
import type { Operation } from '../../operation';
import { fieldKeysParameter, simplifyParameter } from '../../../editor/recordOutput';
import { emptyResult } from '../../parameters/emptyResult';
import { getOptions, readOutputShape, readParameters } from '../../parameters/readOptions';
import { readRecordId, recordIdParameter } from '../../parameters/recordId';
import { sheetParameter } from '../../../editor/sheet';
import { SheetFields } from '../../sheetFields';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a record',
	description: 'Get one record by its ID',
	parameters: [
		sheetParameter,
		recordIdParameter,
		fieldKeysParameter,
		simplifyParameter,
		getOptions,
	],
	async run({ item, client }) {
		const sheet = item.sheet(client.connection);
		const recordId = readRecordId(item, client.connection, sheet);
		const toJson = await readOutputShape(item, new SheetFields(client, sheet));
		const record = await getRecord(client, sheet, recordId, readParameters(item));
		if (record) return toJson(record);
		return emptyResult(item, `There is no record ${recordId} on this sheet`);
	},
};
