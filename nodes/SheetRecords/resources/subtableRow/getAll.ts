import { readOptionsBy } from '../../../api/read/readOptions';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { rowsOf } from '../../../api/rows/subtableRows';
import { namingOption, typingOptions } from '../../../ui/options';
import { optionsCollection } from '../../../ui/parameter';
import { addTypeHints, valueTypes } from '../../../ui/recordOutput';
import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson } from '../../../api/read/record';
import { batchOperation } from '../../operation';
import { limitParameter } from '../../parameters/list';
import { noSuchRecord, subtableParameter } from '../../parameters/record';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';

export const getAll = batchOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record, in their order',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		options: optionsCollection({ naming: namingOption, ...typingOptions }),
	},
	prepare(group) {
		const recordsOf = group(({ client }, { subtable: { sheet, recordId }, options }) =>
			recordsByIds(client, sheet, readOptionsBy(options.naming)).expect(recordId),
		);
		return async (item, wanted) => {
			const { subtable, limit, options } = wanted;
			const { sheet, recordId, subtableId } = subtable;
			const schema = new Schema(item.client, sheet);
			const types = await valueTypes(schema, options);
			const content = await (await recordsOf(item, wanted)).take(item.client, recordId);
			if (!content) throw noSuchRecord(recordId);
			const rows = rowsOf(content, subtableId);
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
		};
	},
});
