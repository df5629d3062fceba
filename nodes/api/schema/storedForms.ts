import type { Client } from '../http/client';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { readOptionsBy } from '../read/readOptions';
import { recordsByIds } from '../read/recordsByIds';
import { fromServiceDate, hoursBetween, isDateLike, storedTime } from '../values/dates';
import type { QueryParameter } from '../values/query';
import type { RecordAddress } from '../values/sheetAddress';
import { shownType, type InferredType } from './fieldTypes';

/** How a record is stored: its content, and what is to be known of values that are dates or read like some, by field id. */
export interface StoredForms {
	record: JsonObject;
	types: Map<string, InferredType>;
	/** Hours by which a read with `tz` shows a time later than it is stored; NaN where they differ from row to row. */
	hours: Map<string, number>;
	/** Stored times by the field and the time that such a read shows. */
	times: Map<string, string>;
}

/**
 * Returns how the record is stored from which an item was read; undefined when there is no such record.
 *
 * @param timeZone the hours of `tz` with which it was read
 * @param next returns the ids of the records that may be asked for next: they are read together
 * @throws ServiceError
 */
export async function storedForms(
	client: Client,
	{ sheet, recordId }: RecordAddress,
	timeZone: number | undefined,
	next: () => readonly string[],
): Promise<StoredForms | undefined> {
	const read = async (parameter: QueryParameter) => {
		const records = recordsByIds(client, sheet, readOptionsBy('EID', parameter));
		if (!records.isExpected(recordId)) records.expect(...next());
		return await records.take(client, recordId);
	};
	const record = await read(['bbcode', true]);
	if (!record) return undefined;
	const forms: StoredForms = { record, types: new Map(), hours: new Map(), times: new Map() };
	addForms(
		forms,
		record,
		timeZone === undefined ? undefined : await read(['tz', timeZone]),
		timeZone,
	);
	return forms;
}

/** Returns the key of a shown time among stored ones. */
export function timeKey(fieldId: string, shown: string): string {
	return `${fieldId} ${shown}`;
}

function addForms(forms: StoredForms, stored: JsonObject, shown?: JsonObject, timeZone = 0): void {
	for (const [key, value] of stored) {
		const other = shown?.get(key);
		if (isJsonObject(value)) {
			addForms(forms, value, isJsonObject(other) ? other : undefined, timeZone);
		} else if (typeof value === 'string' && (isDateLike(value) || fromServiceDate(value))) {
			forms.types.set(key, shownType(value) ?? 'text');
			const between = hoursBetween(value, other);
			if (between === undefined) continue;
			const isSame = !forms.hours.has(key) || forms.hours.get(key) === between;
			forms.hours.set(key, isSame ? between : NaN);
			forms.times.set(timeKey(key, storedTime(other, timeZone, 0) ?? ''), value);
		}
	}
}
