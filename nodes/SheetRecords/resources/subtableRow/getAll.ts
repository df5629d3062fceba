import { readingBy } from '../../../api/read/readOptions';
import { getRecord } from '../../../api/read/records';
import { rowsOf } from '../../../api/rows/subtableRows';
import { sheetParameter } from '../../../ui/sheet';
import { lookUpValueTypes, typingOptions } from '../../../ui/valueTypes';
import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson } from '../../../api/read/record';
import type { ValueTypes } from '../../../api/write/typedValues';
import { itemOptions, operation, type LookedUp } from '../../operation';
import { namingOption } from '../../../ui/fieldKeys';
import { limitParameter } from '../../parameters/limit';
import { tellOfTypes } from '../../../ui/recordOutput';
import { noSuchRecord } from '../../parameters/record';
import { subtableParameter } from '../../parameters/subtable';
import { Schema } from '../../../api/schema/schema';

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
		if (!rows) await new Schema(client, sheet).requireSubtable(subtableId);
		const _recordId = numberOrText(recordId);
		const json = [...(rows ?? [])].slice(0, limit).flatMap(([rowId, row]) => {
			if (!isJsonObject(row)) return [];
			return [{ _recordId, ...rowJson(rowId, types ? types.row(subtableId, row) : row) }];
		});
		if (json.length > 0) tellOfTypes(item, types);
		return json;
	},
});
