import type { INodeProperties } from 'n8n-workflow';
import { findFilePlace } from '../../api/files/filePlaces';
import { InputError } from '../../api/values/inputError';
import { textOf } from '../../api/values/text';
import { isExistingRow } from '../../api/write/recordContent';
import type { FilePlace, RecordChanges, RecordFile } from '../../api/write/recordContent';
import {
	choiceOption,
	entriesParameter,
	mapped,
	optional,
	textParameter,
} from '../../ui/parameter';
import { entryField, pickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import { fileParts } from '../filePart';
import type { ItemContext } from '../itemContext';

export const missingFile = choiceOption({
	displayName: 'Missing File',
	name: 'missingFile',
	choices: {
		skip: ['Skip', 'Write without that file, and say so in a hint'],
		error: ['Stop With an Error', 'Write nothing of the item'],
	},
	default: 'error',
	description: 'What to do with an item that has no file in the input data field that is named',
});

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

function entriesOf(description: string, fieldId: INodeProperties & { name: 'fieldId' }) {
	const files = entriesParameter({
		displayName: 'Files',
		name: 'files',
		typeOptions: { multipleValues: true },
		placeholder: 'Add File',
		description: `${description}. They are added to those that a field holds.`,
		entry: {
			displayName: 'File',
			name: 'file',
			values: [
				fieldId,
				{
					displayName: 'Input Data Field Name',
					name: 'inputDataFieldName',
					type: 'string',
					default: 'data',
					description:
						'The name of the input field that holds the file. Several names with commas between add several files.',
				},
			],
		},
	});
	return optional(files);
}

export const fileEntries = entriesOf(
	'Files for file and image fields',
	pickList(
		'fieldId',
		'Field Name or ID',
		'getFields',
		'A field of a subtable row is field_rowID: Photo_17, or Photo_-1 for the first of the new rows.',
	),
);

export const rowFileEntries = entriesOf('Files for file and image fields of the row', {
	displayName: 'Field Name or ID',
	name: 'fieldId',
	type: 'string',
	default: '',
});

/** Returns the files for a record and its rows. Throws InputError for unknown fields, rows of other subtables, and missing files. */
export async function readFiles(
	item: ItemContext,
	{ subtables }: RecordChanges,
): Promise<RecordFile[]> {
	return await filesOf(item, fileEntries, async (key) => {
		const place = await findFilePlace(schemaOf(item), key);
		const { rowId, subtableId } = place;
		if (rowId === undefined || isExistingRow(rowId) || subtableId === undefined) return place;
		// All new rows of an item are numbered together: who counts those of one subtable would name a row of another.
		const isOfOther = [...subtables].some(([id, rows]) => id !== subtableId && rows.has(rowId));
		if (!isOfOther) return place;
		throw new InputError(
			`'${key}' in 'Files' names a new row of the subtable ${subtableId}, but ${rowId} is one of another subtable`,
			'New rows without an ID are -1, -2, … in the order given, those of all subtables together.',
		);
	});
}

/** Returns the files that the item adds to a row of a subtable. Throws InputError for unknown fields and missing files. */
export async function readRowFiles(item: ItemContext, subtableId: string): Promise<RecordFile[]> {
	return await filesOf(item, rowFileEntries, async (key) => {
		const { fieldId } = await schemaOf(item).field(key, false, subtableId);
		return { fieldId };
	});
}

async function filesOf(
	item: ItemContext,
	entries: typeof fileEntries,
	placeOf: (key: string) => Promise<FilePlace>,
): Promise<RecordFile[]> {
	const files: RecordFile[] = [];
	for (const { fieldId, inputDataFieldName } of entries.parse(item) ?? []) {
		const place = await placeOf(entryField(fieldId, 'Files'));
		const parts = await fileParts(item, textOf(inputDataFieldName), missingFile.parse(item));
		files.push(...parts.map((file) => ({ ...place, file })));
	}
	return files;
}
