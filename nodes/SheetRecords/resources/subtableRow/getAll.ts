import { readingBy } from '../../../service/reading';
import { getRecord } from '../../../service/records';
import { rowsOf } from '../../../service/subtableRows';
import { isJsonObject } from '../../../wire/orderedJson';
import { numberOrText, rowJson } from '../../../wire/record';
import { itemOptions, operation } from '../../operation';
import { namingOption } from '../../parameters/fieldKeys';
import { limitParameter } from '../../parameters/limit';
import { noSuchRecord } from '../../parameters/record';
import { subtableParameter } from '../../parameters/subtable';
import { SheetFields } from '../../sheetFields';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record, in their order',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		options: itemOptions({ naming: namingOption }),
	},
	async run({ client, subtable, limit, options }) {
		const { sheet, recordId, subtableId } = subtable;
		const record = await getRecord(client, subtable, readingBy(options.naming));
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
});
