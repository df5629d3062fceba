import { fieldTypesOf, type LearntType } from './inferredTypes';
import { refusals, fallbackTo } from '../http/serviceError';
import type { SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { listPage } from '../read/records';
import { readingBy } from '../read/readOptions';
import { cacheKey, type CachePart } from '../http/runCache';
import { getOrInsert } from '../json/objects';

type Types = ReadonlyMap<string, LearntType>;

/** Enough records to meet most fields with a value. */
const sampleLength = 100;
const inferredTypes: CachePart<Promise<Types>> = { name: 'inferredTypes' };

/**
 * Which fields of a sheet hold dates, for a user whom the service does not tell the types: learnt from the
 * newest records, once for a run.
 *
 * @returns types by field id, without the fields that are empty in all of these records
 * @throws ServiceError when the service is not reached or does not know the user
 */
export async function learnFieldTypes(client: Client, sheet: SheetAddress): Promise<Types> {
	const known = client.cache.part(inferredTypes);
	const key = cacheKey(client, sheet);
	const types = getOrInsert(known, key, () => ask(client, sheet));
	return await types.catch((error: unknown) => {
		known.delete(key);
		throw error;
	});
}

async function ask(client: Client, sheet: SheetAddress): Promise<Types> {
	const request = { sheet, where: [], reading: readingBy('EID'), order: { reverse: true } };
	const page = listPage(client, request, { offset: 0, limit: sampleLength });
	return fieldTypesOf(await page.catch(fallbackTo([], ...refusals)));
}
