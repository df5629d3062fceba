import type { Client } from '../../../service/client';
import type { Subtable } from '../../../service/subtableRows';
import type { ItemParameters } from '../../itemParameters';
import { readRecordAddress } from '../../parameters/recordId';
import { readSubtableId } from '../../parameters/subtableId';
import { SheetFields } from '../../sheetFields';

/**
 * The subtable of the record that the item chose.
 *
 * @throws InputError when sheet, record or subtable is none, or not chosen
 */
export async function readSubtable(item: ItemParameters, client: Client): Promise<Subtable> {
	const record = readRecordAddress(item, client.connection);
	const subtableId = await readSubtableId(item, new SheetFields(client, record.sheet));
	return { ...record, subtableId };
}
