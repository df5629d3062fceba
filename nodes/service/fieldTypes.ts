import { apiVersion } from '../wire/apiVersion';
import { fieldTypesOf } from '../wire/fieldTypes';
import type { LearntType } from '../wire/fieldTypes';
import { ServiceError } from '../wire/serviceError';
import { sheetPath } from '../wire/sheetAddress';
import type { SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import type { Connection } from './connection';
import { listPage } from './records';

type Types = ReadonlyMap<string, LearntType>;

/** Enough records to meet most fields with a value. */
const sampleLength = 100;
const learnt = new WeakMap<Connection, Map<string, Promise<Types>>>();

/**
 * Which fields of a sheet hold dates, for a user whom the service does not tell the types: learnt from the
 * newest records, once for a run.
 *
 * @returns types by field id, without the fields that are empty in all of these records
 * @throws ServiceError when the service is not reached or does not know the user
 */
export async function learnFieldTypes(client: Client, sheet: SheetAddress): Promise<Types> {
	const ofRun = learnt.get(client.connection) ?? new Map<string, Promise<Types>>();
	learnt.set(client.connection, ofRun);
	const path = sheetPath(client.connection.account, sheet);
	const types = ofRun.get(path) ?? ask(client, sheet);
	ofRun.set(path, types);
	return await types;
}

async function ask(client: Client, sheet: SheetAddress): Promise<Types> {
	const request = {
		sheet,
		where: [],
		parameters: [
			['naming', 'EID'],
			['reverse', true],
			['version', apiVersion],
		],
	} satisfies Parameters<typeof listPage>[1];
	return fieldTypesOf(await listPage(client, request, 0, sampleLength).catch(noneWhenRefused));
}

/** Who may write need not be allowed to read. */
function noneWhenRefused(error: unknown): [] {
	if (error instanceof ServiceError && ['noAccess', 'refused'].includes(error.kind)) return [];
	throw error;
}
