import { sheetParameter } from '../../../shared/parameters/sheet';
import { operation } from '../../run/operation';
import { recordValuesParameter } from '../../parameters/recordValues';
import { createOptions } from '../../parameters/writeOptions';
import { createOne } from './recordUpdates';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a record',
	description: 'Create a record and return it as saved. To avoid duplicates, use Create or Update.',
	writesEachItem: true,
	parameters: {
		sheet: sheetParameter,
		values: recordValuesParameter({ isNew: true }),
		writing: createOptions,
	},
	run: async (item, { sheet, values, writing: options }) =>
		await createOne(item, { sheet, values, options }),
});
