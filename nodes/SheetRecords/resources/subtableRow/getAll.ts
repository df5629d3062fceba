import { readOptionsBy } from '../../../api/read/readOptions';
import { getRecord } from '../../../api/read/records';
import { rowsOf } from '../../../api/rows/subtableRows';
import { namingOption, typingOptions } from '../../../ui/options';
import { optionsCollection } from '../../../ui/parameter';
import { addTypeHints, valueTypes } from '../../../ui/recordOutput';
import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson } from '../../../api/read/record';
import { operation } from '../../operation';
import { limitParameter } from '../../parameters/list';
import { noSuchRecord, subtableParameter } from '../../parameters/record';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record, in their order',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		options: optionsCollection({ naming: namingOption, ...typingOptions }),
	},
	async run(item, { subtable, limit, options }) {
		const { sheet, recordId, subtableId } = subtable;
		const schema = new Schema(item.client, sheet);
		const types = await valueTypes(schema, options);
		const record = await getRecord(item.client, subtable, readOptionsBy(options.naming));
		if (!record) throw noSuchRecord(recordId);
		const rows = rowsOf(record.content, subtableId);
		if (!rows) await schema.requireSubtable(subtableId);
		const _recordId = numberOrText(recordId);
		const keys = new ItemKeys();
		const shape = options.naming === 'EID' ? {} : keys;
		const json = [...(rows ?? [])].slice(0, limit).flatMap(([rowId, row]) => {
			if (!isJsonObject(row)) return [];
			const typed = types ? types.row(subtableId, row) : row;
			return [{ _recordId, ...rowJson(rowId, typed, shape, subtableId) }];
		});
		if (json.length > 0) addTypeHints(item.run.hints, types);
		return await keys.named(json, async () => await schema.keyedFields());
	},
});
