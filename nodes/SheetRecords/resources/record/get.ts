import { getRecord } from '../../../service/records';
import { numberOrText } from '../../../wire/record';
import type { Operation } from '../../operation';
import { fieldKeysParameter, simplifyParameter } from '../../../shared/recordOutput';
import { readEmptyResult } from '../../parameters/emptyResult';
import { readOutputShape } from '../../parameters/outputShape';
import { getOptions, readReading } from '../../parameters/readOptions';
import { readRecordAddress, recordIdParameter } from '../../parameters/recordId';
import { sheetParameter } from '../../../shared/sheet';
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
		const address = readRecordAddress(item, client.connection);
		const { sheet, recordId } = address;
		const reading = readReading(item);
		const missing = { _recordId: numberOrText(recordId), _missing: true };
		const emptyResult = readEmptyResult(item, 'error', missing);
		const shape = await readOutputShape(item, new SheetFields(client, sheet));
		const record = await getRecord(client, address, reading);
		if (!record) return emptyResult(`There is no record ${recordId} on this sheet`);
		const json = shape.json(record);
		shape.warnOfMissing(item);
		return json;
	},
};
