import { getRecord } from '../../../service/records';
import { numberOrText } from '../../../wire/record';
import type { Operation } from '../../operation';
import { fieldKeysParameter, simplifyParameter } from '../../../editor/recordOutput';
import { readEmptyResult } from '../../parameters/emptyResult';
import { readOutputShape } from '../../parameters/outputShape';
import { getOptions, readParameters } from '../../parameters/readOptions';
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
		const parameters = readParameters(item);
		const missing = { _recordId: numberOrText(recordId), _missing: true };
		const emptyResult = readEmptyResult(item, 'error', missing);
		const shape = await readOutputShape(item, new SheetFields(client, sheet));
		const record = await getRecord(client, sheet, recordId, parameters);
		if (!record) return emptyResult(`There is no record ${recordId} on this sheet`);
		const json = shape.json(record);
		shape.warnOfMissing(item);
		return json;
	},
};
