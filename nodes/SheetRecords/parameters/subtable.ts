import type { Subtable } from '../../api/rows/subtableRows';
import { textParameter, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';
import { wholeNumberText } from '../../api/values/sheetAddress';
import type { LookedUp } from '../operation';
import { schemaOf } from '../../ui/sheet';
import { pickList } from '../../ui/pickList';
import { recordParameter } from './record';

const subtableId = textParameter({
	...pickList('subtableId', 'Subtable Name or ID', 'getSubtables'),
	required: true,
});

/** The subtable of a record that the item chose, by its name or its ID. */
export const subtableParameter: LookedUp<Subtable> = {
	shown: [...recordParameter.shown, ...subtableId.shown],
	async lookUp(call) {
		const record = recordParameter.read(call);
		const key = subtableId.read(call);
		if (key !== '') {
			return { ...record, subtableId: await schemaOf(call).subtableId(key) };
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
	shown: rowId.shown,
	read(call) {
		const text = rowId.read(call);
		const ownId = wholeNumberText(text);
		if (ownId !== undefined) return ownId;
		throw new InputError(
			text === '' ? "'Row ID' is empty" : `'${text}' is not a row ID`,
			'A row ID is a whole number, e.g. 17.',
		);
	},
};
