import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../../api/values/inputError';
import type { SheetAddress } from '../../api/values/sheetAddress';
import type { OutputOptions } from '../../ui/options';
import { mapped, textParameter } from '../../ui/parameter';
import { itemsWithFiles } from '../../ui/recordFiles';
import type { Item } from '../itemContext';
import { OutputItems, type OperationResult } from '../operationResult';

/** The name of the output field for files; not the one name that no item can hold. */
export const outputFieldParameter = mapped(
	textParameter({
		displayName: 'Output Data Field Name',
		name: 'outputDataFieldName',
		required: true,
		placeholder: 'e.g. data',
		default: 'data',
		description: 'The name of the output field to put the file in',
	}),
	(name) => {
		if (name !== '__proto__') return name || 'data';
		throw new InputError("'Output Data Field Name' cannot be '__proto__'", 'Choose another name.');
	},
);

/** Returns records with their files, where the user wants them. */
export async function withFiles(
	item: Item,
	sheet: SheetAddress,
	records: IDataObject[],
	options: OutputOptions,
): Promise<OperationResult> {
	if (!options.downloadFiles?.length) return records;
	return new OutputItems(await itemsWithFiles(item, sheet, options, records));
}
