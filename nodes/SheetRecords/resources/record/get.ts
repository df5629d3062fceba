import { getRecord } from '../../../service/records';
import type { Operation } from '../../operation';
import {
	emptyResult,
	fieldKeysParameter,
	getOptions,
	readOutputShape,
	readParameters,
	simplifyParameter,
} from '../../parameters/readOptions';
import { readRecordId, recordIdParameter } from '../../parameters/recordId';
import { readSheet, sheetParameter } from '../../parameters/sheet';
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
		const sheet = readSheet(item, client.connection);
		const recordId = readRecordId(item, client.connection, sheet);
		const toJson = await readOutputShape(item, new SheetFields(client, sheet));
		const record = await getRecord(client, sheet, recordId, readParameters(item));
		if (record) return toJson(record);
		return emptyResult(item, 'error', `There is no record ${recordId} on this sheet`);
	},
};
