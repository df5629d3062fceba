import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../wire/fields';
import { isJsonObject } from '../wire/orderedJson';
import type { JsonObject } from '../wire/orderedJson';
import { numberOrText, rawRecord, simplifiedRecord } from '../wire/record';
import type { SheetAddress } from '../wire/sheetAddress';
import type { ChangedRecord } from './changedRecords';

/** What items of one delivery have in common. */
export interface DeliveryContext {
	account: string;
	sheet: SheetAddress;
	verified: boolean;
	simplify: boolean;
	/** The fields whose names replace their ids; none to keep the ids. */
	fields: readonly Field[];
}

/** The item of a changed record. */
export function changedRecordItem(
	{ recordId, event, content, deleted, unreadable }: ChangedRecord,
	{ account, sheet, verified, simplify, fields }: DeliveryContext,
): IDataObject {
	const named = content && withNames(content, fields);
	const record = named && { id: recordId ?? '', content: named };
	return {
		event: event ?? null,
		recordId: recordId === undefined ? null : numberOrText(recordId),
		account,
		path: sheet.folders.join('/'),
		sheetIndex: sheet.sheetIndex,
		verified,
		record: record ? (simplify ? simplifiedRecord(record) : rawRecord(record)) : null,
		...(deleted ? { deleted } : {}),
		...(unreadable === undefined ? {} : { unreadable }),
	};
}

/** Names in place of ids, where the name is that of one field only. */
function withNames(content: JsonObject, fields: readonly Field[], subtableId?: string): JsonObject {
	if (fields.length === 0) return content;
	const own = fields.filter((field) => field.subtableId === subtableId);
	return new Map(
		[...content].map(([key, value]) => {
			const ofSubtable = /^_subtable_(\d+)$/.exec(key)?.[1];
			if (ofSubtable !== undefined && isJsonObject(value)) {
				return [key, rowsWithNames(value, fields, ofSubtable)];
			}
			const name = own.find(({ fieldId }) => fieldId === key)?.name;
			const isOnlyOne = own.filter((field) => field.name === name).length === 1;
			return [name !== undefined && isOnlyOne ? name : key, value];
		}),
	);
}

function rowsWithNames(rows: JsonObject, fields: readonly Field[], subtableId: string): JsonObject {
	return new Map(
		[...rows].map(([rowId, row]) => [
			rowId,
			isJsonObject(row) ? withNames(row, fields, subtableId) : row,
		]),
	);
}
