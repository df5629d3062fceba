import type { Subtable } from '../../api/rows/subtableRows';
import { textParameter, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';
import { wholeNumberText } from '../../api/values/sheetAddress';
import { schemaOf } from '../../ui/sheet';
import { pickList } from '../../ui/pickList';
import { recordParameter } from './record';
import type { ItemContext } from '../itemContext';

const subtableId = textParameter({
	...pickList('subtableId', 'Subtable Name or ID', 'getSubtables'),
	required: true,
});

/** The subtable of a record that the item chose, by its name or its ID. */
export const subtableParameter: Parameter<Promise<Subtable>, ItemContext> = {
	properties: [...recordParameter.properties, ...subtableId.properties],
	deferred: true,
	async parse(item) {
		const record = recordParameter.parse(item);
		const key = subtableId.parse(item);
		if (key !== '') {
			return { ...record, subtableId: await schemaOf(item).subtableId(key) };
		}
		throw new InputError(
			"Choose a 'Subtable'",
			'Pick the subtable from the list, or give its ID, e.g. 2000001.',
		);
	},
};

const rowId = textParameter({
	displayName: 'Row ID',
	name: 'rowId',
	type: 'string',
	required: true,
	placeholder: 'e.g. 17',
	default: '',
	description: "The row to work on. 'Get Many' of this resource returns it as _rowId.",
});

/** The id of the row that the item chose, in the one spelling that it has. */
export const rowIdParameter: Parameter<string> = {
	properties: rowId.properties,
	parse(item) {
		const text = rowId.parse(item);
		const ownId = wholeNumberText(text);
		if (ownId !== undefined) return ownId;
		throw new InputError(
			text === '' ? "'Row ID' is empty" : `'${text}' is not a row ID`,
			'A row ID is a whole number, e.g. 17.',
		);
	},
};
