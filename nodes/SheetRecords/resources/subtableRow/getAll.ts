import { fieldKeysParameter } from '../../../shared/recordOutput';
import { sheetParameter } from '../../../shared/sheet';
import { readingBy } from '../../../service/reading';
import { getRecord } from '../../../service/records';
import { rowsOf } from '../../../service/subtableRows';
import { isJsonObject } from '../../../wire/orderedJson';
import { numberOrText, rowJson } from '../../../wire/record';
import type { Operation } from '../../operation';
import { readNaming } from '../../parameters/fieldKeys';
import { limitParameters, readLimit } from '../../parameters/limit';
import { noSuchRecord, recordIdParameter } from '../../parameters/recordId';
import { subtableIdParameter } from '../../parameters/subtableId';
import { SheetFields } from '../../sheetFields';
import { readSubtable } from './readSubtable';

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record, in their order',
	parameters: [
		sheetParameter,
		recordIdParameter,
		subtableIdParameter,
		...limitParameters,
		fieldKeysParameter,
	],
	async run({ item, client }) {
		const subtable = await readSubtable(item, client);
		const limit = readLimit(item);
		const reading = readingBy(readNaming(item));
		const { sheet, recordId, subtableId } = subtable;
		const record = await getRecord(client, subtable, reading);
		if (!record) throw noSuchRecord(recordId);
		const rows = rowsOf(record.content, subtableId);
		if (!rows) await new SheetFields(client, sheet).requireSubtable(subtableId);
		const _recordId = numberOrText(recordId);
		return [...(rows ?? [])]
			.slice(0, limit)
			.flatMap(([rowId, row]) =>
				isJsonObject(row) ? [{ _recordId, ...rowJson(rowId, row) }] : [],
			);
	},
};
