import { fieldTypesOf, type LearntType } from '../wire/learntTypes';
import { ServiceError } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import { listPage, type ListRequest } from './records';
import { readingBy } from './reading';
import { SheetMemory } from './sheetMemory';

type Types = ReadonlyMap<string, LearntType>;

/** Enough records to meet most fields with a value. */
const sampleLength = 100;
const learnt = new SheetMemory<Promise<Types>>();

/**
 * Which fields of a sheet hold dates, for a user whom the service does not tell the types: learnt from the
 * newest records, once for a run.
 *
 * @returns types by field id, without the fields that are empty in all of these records
 * @throws ServiceError when the service is not reached or does not know the user
 */
export async function learnFieldTypes(client: Client, sheet: SheetAddress): Promise<Types> {
	const known = learnt.get(client, sheet);
	if (known) return await known;
	const types = ask(client, sheet);
	learnt.set(client, sheet, types);
	void types.catch(() => learnt.delete(client, sheet));
	return await types;
}

async function ask(client: Client, sheet: SheetAddress): Promise<Types> {
	const request: ListRequest = {
		sheet,
		where: [],
		reading: readingBy('EID'),
		order: { reverse: true },
	};
	const page = listPage(client, request, { offset: 0, limit: sampleLength });
	return fieldTypesOf(await page.catch(noneWhenRefused));
}

/** Who may write need not be allowed to read. */
function noneWhenRefused(error: unknown): [] {
	if (error instanceof ServiceError && ['noAccess', 'refused'].includes(error.kind)) return [];
	throw error;
}
