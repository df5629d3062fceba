import type { Client } from '../http/client';
import { cacheKey, type CachePart } from '../http/runCache';
import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { readOptionsBy } from '../read/readOptions';
import { getRecord } from '../read/records';
import { fromServiceDate, hoursBetween, isDateLike } from '../values/dates';
import type { SheetAddress } from '../values/sheetAddress';
import { shownType, type InferredType } from './fieldTypes';

/** How fields are stored whose values are dates, or read like some, by field id; and the record that was read for it. */
export interface StoredForms {
	types: Map<string, InferredType>;
	/** Hours by which a read with `tz` shows a time later than it is stored; NaN where they differ from row to row. */
	hours: Map<string, number>;
	record?: JsonObject;
}

const storedForms: CachePart<StoredForms> = { name: 'storedForms' };

/**
 * Returns what records have shown to this run.
 *
 * @param timeZone the hours of `tz` with which items were read
 * @param recordId reads this record first: as it is stored and, with a `timeZone`, as such a read shows it
 * @throws ServiceError
 */
export async function formsInRecords(
	client: Client,
	sheet: SheetAddress,
	timeZone: number | undefined,
	recordId?: string,
): Promise<StoredForms> {
	const key = `${cacheKey(client, sheet)} ${timeZone}`;
	const none = (): StoredForms => ({ types: new Map(), hours: new Map() });
	const forms = getOrInsert(client.cache.part(storedForms), key, none);
	if (recordId === undefined) return forms;
	const record = { sheet, recordId };
	const stored = await getRecord(client, record, readOptionsBy('EID', ['bbcode', true]));
	const reading = timeZone === undefined ? undefined : readOptionsBy('EID', ['tz', timeZone]);
	const shown = stored && reading && (await getRecord(client, record, reading));
	if (stored) addForms(forms, stored.content, shown?.content);
	return { ...forms, record: stored?.content };
}

function addForms({ types, hours }: StoredForms, stored: JsonObject, shown?: JsonObject): void {
	for (const [key, value] of stored) {
		const other = shown?.get(key);
		if (isJsonObject(value)) {
			addForms({ types, hours }, value, isJsonObject(other) ? other : undefined);
		} else if (typeof value === 'string' && (isDateLike(value) || fromServiceDate(value))) {
			types.set(key, shownType(value) ?? 'text');
			const between = hoursBetween(value, other);
			const isSame = !hours.has(key) || hours.get(key) === between;
			if (between !== undefined) hours.set(key, isSame ? between : NaN);
		}
	}
}
