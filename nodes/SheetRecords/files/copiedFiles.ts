import type { RecordFile, ValueNote } from '../../api/write/recordContent';
import { isOfOneFile, storedFile } from '../../shared/output/recordFiles';
import type { Item } from '../run/itemContext';
import { binaryPart } from './filePart';

/**
 * Downloads the files that notes with the reason `file` name, and returns them for a write to the same fields. Also returns the
 * notes of files that cannot be downloaded. Throws failures of the connection.
 */
export async function copiedFiles(
	item: Item,
	notes: readonly ValueNote[],
): Promise<{ files: RecordFile[]; missing: ValueNote[] }> {
	const files: RecordFile[] = [];
	const missing: ValueNote[] = [];
	for (const note of notes) {
		const { fieldId, rowId, subtableId, reason } = note;
		if (reason !== 'file' || fieldId === undefined) continue;
		for (const value of [note.value].flat()) {
			if (typeof value !== 'string' || value === '') continue;
			const binary = await storedFile(item, value).catch((error: unknown) => {
				if (!isOfOneFile(error)) throw error;
				missing.push(note);
			});
			if (!binary) continue;
			files.push({ fieldId, rowId, subtableId, file: await binaryPart(item, binary, note.name) });
		}
	}
	return { files, missing };
}
