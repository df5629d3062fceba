import { readOptionsBy } from '../../../api/read/readOptions';
import { getRecord } from '../../../api/read/records';
import { rowsOf } from '../../../api/rows/subtableRows';
import { namingOption, typingOptions } from '../../../ui/options';
import { optionsCollection, type Parameter } from '../../../ui/parameter';
import { lookUpValueTypes, tellOfTypes } from '../../../ui/recordOutput';
import { sheetParameter } from '../../../ui/sheet';
import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson } from '../../../api/read/record';
import type { ValueTypes } from '../../../api/write/typedValues';
import { operation } from '../../operation';
import { limitParameter } from '../../parameters/list';
import { noSuchRecord, subtableParameter } from '../../parameters/record';
import { Schema } from '../../../api/schema/schema';
import type { ItemContext } from '../../itemContext';

const typesParameter: Parameter<Promise<ValueTypes | undefined>, ItemContext> = {
	properties: [],
	deferred: true,
	parse: async (item) =>
		await lookUpValueTypes(item, sheetParameter.parse(item), namingOption.parse(item)),
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
		options: optionsCollection({ naming: namingOption, ...typingOptions }),
	},
	async run(item, { subtable, limit, types, options }) {
		const { sheet, recordId, subtableId } = subtable;
		const record = await getRecord(item.client, subtable, readOptionsBy(options.naming));
		if (!record) throw noSuchRecord(recordId);
		const rows = rowsOf(record.content, subtableId);
		if (!rows) await new Schema(item.client, sheet).requireSubtable(subtableId);
		const _recordId = numberOrText(recordId);
		const json = [...(rows ?? [])].slice(0, limit).flatMap(([rowId, row]) => {
			if (!isJsonObject(row)) return [];
			return [{ _recordId, ...rowJson(rowId, types ? types.row(subtableId, row) : row) }];
		});
		if (json.length > 0) tellOfTypes(item.run.hints, types);
		return json;
	},
});
