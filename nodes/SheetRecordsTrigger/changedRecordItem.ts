import type { IDataObject } from 'n8n-workflow';
import type { FieldNames } from '../wire/fieldNames';
import type { JsonObject } from '../wire/orderedJson';
import { changeItem } from '../shared/changeItem';
import { rawRecord, simplifiedRecord } from '../wire/record';
import type { SheetAddress } from '../wire/sheetAddress';
import type { ChangedRecord } from './changedRecords';

/** What items of one delivery have in common. */
export interface DeliveryContext {
	account: string;
	sheet: SheetAddress;
	verified: boolean;
	simplify: boolean;
	/** The names that replace the ids of fields; none to keep the ids. */
	names: FieldNames;
}

/** The item of a changed record. */
export function changedRecordItem(
	{ recordId, event, content, deleted, unreadable }: ChangedRecord,
	{ account, sheet, verified, simplify, names }: DeliveryContext,
): IDataObject {
	const named = content && names.named(content);
	const record = named && recordJson(recordId, named, simplify);
	const item = changeItem({ event, recordId, verified, record, deleted }, account, sheet);
	return unreadable === undefined ? item : { ...item, unreadable };
}

/** The record as it was sent, or simplified; without `_recordId` when the service did not tell the id. */
function recordJson(
	recordId: string | undefined,
	content: JsonObject,
	simplify: boolean,
): IDataObject {
	const record = { id: recordId ?? '', content };
	const json = simplify ? simplifiedRecord(record) : rawRecord(record);
	if (recordId === undefined) delete json._recordId;
	return json;
}
