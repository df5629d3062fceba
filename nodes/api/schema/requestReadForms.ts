import type { QueryParameter } from '../values/query';
import { readForms, type ReadForm } from './readForms';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { readingBy } from '../read/readOptions';
import { getRecord } from '../read/records';
import { cacheKey, type CachePart } from '../http/runCache';

const knownForms: CachePart<readonly ReadForm[]> = { name: 'readForms' };

/** What this client has learnt so far of how the sheet's fields are read. */
export function knownReadForms(client: Client, sheet: SheetAddress): readonly ReadForm[] {
	return client.cache.part(knownForms).get(cacheKey(client, sheet)) ?? [];
}

/**
 * What a record tells of its fields: it is read as it is stored, and as a read shows it (specification,
 * endpoint 2, `bbcode` and `tz`).
 *
 * @param timeZone the hours of `tz` with which an item was read
 * @returns all that is known now
 * @throws ServiceError
 */
export async function learnReadForms(
	client: Client,
	record: RecordAddress,
	timeZone: number | undefined,
): Promise<readonly ReadForm[]> {
	const { sheet } = record;
	const offset: QueryParameter[] = timeZone === undefined ? [] : [['tz', timeZone]];
	const stored = await getRecord(client, record, readingBy('EID', ['bbcode', true]));
	const shown = stored && (await getRecord(client, record, readingBy('EID', ...offset)));
	if (shown) {
		const forms = readForms(stored.content, shown.content, timeZone);
		const all = [...forms, ...knownReadForms(client, sheet)];
		const firstOfEach = new Map(
			[...all].reverse().map((form) => [`${form.subtableId ?? ''} ${form.fieldId}`, form]),
		);
		client.cache.part(knownForms).set(cacheKey(client, sheet), [...firstOfEach.values()]);
	}
	return knownReadForms(client, sheet);
}
