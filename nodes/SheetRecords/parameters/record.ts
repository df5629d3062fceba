import type { INodeProperties } from 'n8n-workflow';
import { missingRecordAdvice } from '../../api/http/errorCodes';
import type { SubtableAddress } from '../../api/rows/subtableRows';
import { InputError, inParameter } from '../../api/values/inputError';
import { formatSheetPath, wholeNumberText } from '../../api/values/sheetAddress';
import type { RecordAddress } from '../../api/values/sheetAddress';
import {
	builderHint,
	deferred,
	mapped,
	requiredTextParameter,
	textParameter,
} from '../../shared/parameters/parameter';
import type { Parameter } from '../../shared/parameters/parameter';
import { expressionAdvice } from '../../shared/parameters/settings';
import { fromList, pickList } from '../../shared/editor/pickList';
import {
	isAddress,
	locatorText,
	parseAddressOfAccount,
	fieldsOfSheet,
	sheetParameter,
} from '../../shared/parameters/sheet';
import type { ItemContext } from '../run/itemContext';

const recordProperty: INodeProperties = {
	displayName: 'Record',
	name: 'recordId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description: 'Record to work on. Get and Get Many return its ID as _recordId.',
	...builderHint(
		"Use mode 'id' with the record's number, usually {{ $json._recordId }} from a node before. It is not the value of a field: to find a record by a field, use Record: Get Many with a filter first, or Create or Update with a match field.",
	),
	modes: [
		fromList('searchRecords'),
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://www.example.com/acme/sales/orders/1/17',
			hint: 'Copy the address from the browser while the record is open',
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 17' },
	],
};

export function noSuchRecord(recordId: string): InputError {
	return new InputError(`There is no record ${recordId} on this sheet`, missingRecordAdvice);
}

/** The selected record of an item, with a normalized ID. Parsing throws InputError if it is not a record of the selected sheet. */
export const recordParameter: Parameter<RecordAddress> = {
	properties: [...sheetParameter.properties, recordProperty],
	parse(item) {
		const sheet = sheetParameter.parse(item);
		const text = locatorText(item.value(recordProperty.name), 'Record');
		if (!isAddress(text)) return { sheet, recordId: parseId(text, 'Record', 'record') };
		const { connection } = item.client;
		const address = parseAddressOfAccount(text, connection, 'Record');
		const { sheet: sheetOfRecord, recordId } = address;
		const isOnSheet = formatSheetPath(sheetOfRecord) === formatSheetPath(sheet);
		if (recordId !== undefined && isOnSheet) return { sheet, recordId };
		throw new InputError(
			`The address in 'Record' is not the address of a record on the sheet ${formatSheetPath(sheet)}`,
			'Open the record and copy its address, or choose the sheet of the record.',
		);
	},
};

/** Advice for a user who gives the value of a field, such as an order number, in place of a record ID. */
const idByMatchAdvice =
	"To get it from a value such as an order number, use Record: Get with 'Get By' set to 'Match'.";

/** Normalizes a record ID or row ID. Throws InputError if the text is not an ID. */
export function parseId(text: string, displayName: string, what: 'record' | 'row'): string {
	const id = wholeNumberText(text);
	if (id !== undefined) return id;
	const form = `A ${what} ID is a whole number, e.g. 17.`;
	if (text === '') throw new InputError(`'${displayName}' is empty`, `${expressionAdvice} ${form}`);
	throw new InputError(
		`'${text}' in '${displayName}' is not a ${what} ID`,
		what === 'record' ? `${form} ${idByMatchAdvice}` : form,
	);
}

const inputRecord = { mode: 'id', value: '={{ $json._recordId }}' };
/** A record parameter whose default is the record of the input item. Not used for deletions, so that nothing is deleted by default. */
export const inputRecordParameter: Parameter<RecordAddress> = {
	...recordParameter,
	properties: [...sheetParameter.properties, { ...recordProperty, default: inputRecord }],
};

const subtableProperty = pickList('subtableId', 'Subtable Name or ID', 'getSubtables');
const subtableId = requiredTextParameter(subtableProperty);

/** The selected subtable of a record, by ID or name. */
export const subtableParameter = deferred(
	[...recordParameter.properties, ...subtableId.properties],
	async (item: ItemContext): Promise<SubtableAddress> => {
		const record = recordParameter.parse(item);
		const key = subtableId.parse(item);
		const { displayName } = subtableProperty;
		const found = async () => await fieldsOfSheet(item).subtableId(key);
		return { ...record, subtableId: await inParameter(displayName, found) };
	},
);

export const rowIdParameter = mapped(
	textParameter({
		displayName: 'Row ID',
		name: 'rowId',
		required: true,
		placeholder: 'e.g. 17',
		description: "ID of the row to work on. 'Get Many' of this resource returns it as _rowId.",
	}),
	(text) => parseId(text, 'Row ID', 'row'),
);
