import { fieldKeysParameter } from '../../../editor/recordOutput';
import { sheetParameter } from '../../../editor/sheet';
import { readRows } from '../../../service/subtableRows';
import { apiVersion } from '../../../wire/apiVersion';
import { isJsonObject } from '../../../wire/orderedJson';
import type { QueryParameter } from '../../../wire/query';
import { numberOrText } from '../../../wire/record';
import { inputError } from '../../../wire/serviceError';
import { rowJson } from '../../../wire/subtableRow';
import type { Operation } from '../../operation';
import { limitParameters, readLimit } from '../../parameters/limit';
import { recordIdParameter } from '../../parameters/recordId';
import { subtableIdParameter } from '../../parameters/subtableId';
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
		const subtable = readSubtable(item, client);
		const parameters: QueryParameter[] = [
			['naming', item.text('fieldKeys') === 'id' ? 'EID' : 'FNAME'],
			['version', apiVersion],
		];
		const rows = await readRows(client, subtable, parameters);
		if (!rows) throw inputError(`There is no record ${subtable.recordId} on this sheet`);
		const _recordId = numberOrText(subtable.recordId);
		return [...rows]
			.slice(0, readLimit(item))
			.flatMap(([rowId, row]) =>
				isJsonObject(row) ? [{ _recordId, ...rowJson(rowId, row) }] : [],
			);
	},
};
