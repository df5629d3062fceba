import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../wire/fields';
import { isJsonObject } from '../wire/orderedJson';
import type { JsonObject } from '../wire/orderedJson';
import { numberOrText, rawRecord, simplifiedRecord } from '../wire/record';
import type { SheetAddress } from '../wire/sheetAddress';
import { subtableOf } from '../wire/subtableKeys';
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

/** The name of each field by its id, where the name is that of one field only. */
export class FieldNames {
	/** By the subtable that the fields belong to; `undefined` stands for the record itself. */
	private readonly bySubtable = new Map<string | undefined, Map<string, string>>();

	constructor(private readonly fields: readonly Field[]) {}

	/** Whether there are names at all. */
	get areKnown(): boolean {
		return this.fields.length > 0;
	}

	/** The names of the record's own fields, or of a subtable's, by the id of the field. */
	of(subtableId?: string): ReadonlyMap<string, string> {
		const known = this.bySubtable.get(subtableId) ?? this.read(subtableId);
		this.bySubtable.set(subtableId, known);
		return known;
	}

	private read(subtableId?: string): Map<string, string> {
		const own = this.fields.filter((field) => field.subtableId === subtableId);
		const uses = new Map<string, number>();
		for (const { name } of own) uses.set(name, (uses.get(name) ?? 0) + 1);
		const single = own.filter(({ name }) => uses.get(name) === 1);
		return new Map(single.map(({ fieldId, name }) => [fieldId, name]));
	}
}

/** The item of a changed record. */
export function changedRecordItem(
	{ recordId, event, content, deleted, unreadable }: ChangedRecord,
	{ account, sheet, verified, simplify, names }: DeliveryContext,
): IDataObject {
	const named = content && names.areKnown ? withNames(content, names) : content;
	return {
		event: event ?? null,
		recordId: recordId === undefined ? null : numberOrText(recordId),
		account,
		path: sheet.folders.join('/'),
		sheetIndex: sheet.sheetIndex,
		verified,
		record: named ? recordJson(recordId, named, simplify) : null,
		...(deleted ? { deleted } : {}),
		...(unreadable === undefined ? {} : { unreadable }),
	};
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

/** Names in place of ids, where they are known. */
function withNames(content: JsonObject, names: FieldNames, subtableId?: string): JsonObject {
	const own = names.of(subtableId);
	return new Map(
		[...content].map(([key, value]) => {
			const ofSubtable = subtableOf(key);
			if (ofSubtable !== undefined && isJsonObject(value)) {
				return [key, rowsWithNames(value, names, ofSubtable)];
			}
			return [own.get(key) ?? key, value];
		}),
	);
}

function rowsWithNames(rows: JsonObject, names: FieldNames, subtableId: string): JsonObject {
	return new Map(
		[...rows].map(([rowId, row]) => [
			rowId,
			isJsonObject(row) ? withNames(row, names, subtableId) : row,
		]),
	);
}
