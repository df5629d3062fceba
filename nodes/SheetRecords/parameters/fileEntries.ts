import { findFilePlace } from '../../api/files/filePlaces';
import { InputError } from '../../api/values/inputError';
import {
	type RecordChanges,
	isExistingRow,
	type FilePlace,
	type RecordFile,
} from '../../api/write/recordContent';
import { textOf } from '../../api/values/text';
import { fileParts } from '../filePart';
import { schemaOf } from '../../ui/sheet';
import { entryField } from '../../ui/pickList';
import { fileEntries, rowFileEntries } from './recordValueProperties';
import { missingFile } from './writeOptions';
import type { ItemContext } from '../itemContext';

/**
 * The files that the item adds to a record and its rows, besides the changes that go with them. Throws
 * InputError for unknown fields, for a row that is one of another subtable, and for missing files.
 */
export async function readFiles(
	item: ItemContext,
	{ subtables }: RecordChanges,
): Promise<RecordFile[]> {
	const files: RecordFile[] = [];
	for (const entry of fileEntries.parse(item)) {
		const key = entryField(entry.fieldId, 'A file', 'Files');
		const place = await findFilePlace(schemaOf(item), key, subtables.size > 0);
		expectOwnRow(key, place, subtables);
		for (const file of await partsOf(item, entry.inputDataFieldName)) {
			files.push({ ...place, file });
		}
	}
	return files;
}

/**
 * The files that the item adds to a row of a subtable. Throws InputError for unknown fields and for missing
 * files.
 */
export async function readRowFiles(item: ItemContext, subtableId: string): Promise<RecordFile[]> {
	const files: RecordFile[] = [];
	for (const entry of rowFileEntries.parse(item)) {
		const key = entryField(entry.fieldId, 'A file', 'Files');
		const { fieldId } = await schemaOf(item).field(key, false, subtableId);
		for (const file of await partsOf(item, entry.inputDataFieldName)) files.push({ fieldId, file });
	}
	return files;
}

async function partsOf(item: ItemContext, fieldNames: unknown) {
	return await fileParts(item, textOf(fieldNames), missingFile.parse(item));
}

/** Rows that are there have IDs by subtable. All new rows of an item are numbered together: whoever counts those of one subtable alone would name a row of another. */
function expectOwnRow(
	key: string,
	{ rowId, subtableId }: FilePlace,
	subtables: RecordChanges['subtables'],
): void {
	if (subtableId === undefined || rowId === undefined || isExistingRow(rowId)) return;
	if (subtables.get(subtableId)?.has(rowId)) return;
	const holder = [...subtables].find(([, rows]) => rows.has(rowId))?.[0];
	if (holder === undefined) return;
	const own = [...(subtables.get(subtableId)?.keys() ?? [])].join(', ');
	throw new InputError(
		`'${key}' in 'Files' names a row of the subtable ${subtableId}, but ${rowId} is a row of the subtable ${holder}`,
		`New rows without an ID are -1, -2, … in the order given, those of all subtables together.${own === '' ? '' : ` Those of subtable ${subtableId} are ${own}.`}`,
	);
}
