import type { Client } from '../../../service/client';
import type { Subtable } from '../../../service/subtableRows';
import type { ItemParameters } from '../../itemParameters';
import { readRecordId } from '../../parameters/recordId';
import { readSubtableId } from '../../parameters/subtableId';
import { SheetFields } from '../../sheetFields';

/**
 * The subtable of the record that the item chose.
 *
 * @throws InputError when sheet, record or subtable is none, or not chosen
 */
export async function readSubtable(item: ItemParameters, client: Client): Promise<Subtable> {
	const sheet = item.sheet(client.connection);
	const recordId = readRecordId(item, client.connection, sheet);
	const subtableId = await readSubtableId(item, new SheetFields(client, sheet));
	return { sheet, recordId, subtableId };
}
