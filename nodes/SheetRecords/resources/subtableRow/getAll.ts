import { readingBy } from '../../../service/reading';
import { getRecord } from '../../../service/records';
import { rowsOf } from '../../../service/subtableRows';
import { sheetParameter } from '../../../shared/sheet';
import { lookUpValueTypes, typingOptions } from '../../../shared/valueTypes';
import { isJsonObject } from '../../../wire/orderedJson';
import { numberOrText, rowJson } from '../../../wire/record';
import type { ValueTypes } from '../../../wire/typedValues';
import { itemOptions, operation, type LookedUp } from '../../operation';
import { namingOption } from '../../../shared/fieldKeys';
import { limitParameter } from '../../parameters/limit';
import { tellOfTypes } from '../../../shared/recordOutput';
import { noSuchRecord } from '../../parameters/record';
import { subtableParameter } from '../../parameters/subtable';
import { SheetFields } from '../../../shared/sheetFields';

const typesParameter: LookedUp<ValueTypes | undefined> = {
	shown: [],
	lookUp: async (call) =>
		await lookUpValueTypes(call, sheetParameter.read(call), namingOption.read(call)),
};

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record, in their order',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		types: typesParameter,
		options: itemOptions({ naming: namingOption, ...typingOptions }),
	},
	async run({ client, item, subtable, limit, types, options }) {
		const { sheet, recordId, subtableId } = subtable;
		const record = await getRecord(client, subtable, readingBy(options.naming));
		if (!record) throw noSuchRecord(recordId);
		const rows = rowsOf(record.content, subtableId);
		if (!rows) await new SheetFields(client, sheet).requireSubtable(subtableId);
		const _recordId = numberOrText(recordId);
		const json = [...(rows ?? [])].slice(0, limit).flatMap(([rowId, row]) => {
			if (!isJsonObject(row)) return [];
			return [{ _recordId, ...rowJson(rowId, types ? types.row(subtableId, row) : row) }];
		});
		if (json.length > 0) tellOfTypes(item, types);
		return json;
	},
});
