import { FieldNames } from './fieldNames';
import type { Field } from './fields';
import { haveNumbers, withReadNames } from './readNames';
import type { SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { discoverFields, discoverReadNames } from './discovery';
import { cacheKey, type CachePart } from '../http/runCache';
import { getOrInsert } from '../json/objects';

/** What waits for the names is done already: they are given up where the service does not tell them by then. */
const longestMilliseconds = 30_000;

const fieldNames: CachePart<Promise<FieldNames>> = { name: 'fieldNames' };

/**
 * What reads by names call the fields of a sheet, for records that come by ids. A run asks once and keeps to
 * what it was told, so that its items have the same keys; runs share for a minute what was learnt.
 *
 * @returns without the names that cannot be learnt, for whatever reason: it never fails
 */
export async function learnFieldNames(client: Client, sheet: SheetAddress): Promise<FieldNames> {
	const known = client.cache.part(fieldNames);
	return await getOrInsert(known, cacheKey(client, sheet), () => ask(client, sheet));
}

async function ask(client: Client, sheet: SheetAddress): Promise<FieldNames> {
	const inTime = client.endingWith(AbortSignal.timeout(longestMilliseconds));
	const none = (): [] => [];
	return new FieldNames(await fieldsAsRead(inTime, sheet).catch(none));
}

async function fieldsAsRead(client: Client, sheet: SheetAddress): Promise<readonly Field[]> {
	const { fields = [] } = (await discoverFields(client, sheet)) ?? {};
	if (!haveNumbers(fields)) return fields;
	const read = await discoverReadNames(client, sheet).catch(() => undefined);
	return read ? withReadNames(fields, read.fields) : fields;
}
