import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema } from './fieldLists';
import type { FieldList } from './fieldLists';
import { sheetsOfMenu, type MenuSheet } from './menu';
import type { JsonValue } from '../json/orderedJson';
import { apiQuery } from '../values/query';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { accountPath, type SheetAddress } from '../values/sheetAddress';
import { sheetListRequest, sheetsOfList } from './sheetList';
import type { Client, ServiceRequest } from '../http/client';
import { readingBy, readingParameters, type Reading } from '../read/readOptions';
import { processCache } from '../http/processState';
import { cached, cacheKey } from '../http/runCache';
import { sheetRequest } from '../http/sheetRequest';

/** Enough records to meet most fields, should the service leave out empty ones. */
const readingsLength = 20;

/** Which account is meant is the same for every source. */
const wrongAccountCode = 101;

/** Wrong account, path or sheet number. */
const wrongAddressCodes = [wrongAccountCode, 102, 103];

/** Too busy for the moment: what the next source says would be less, and kept. */
const passingStatuses = [502, 503, 504];

/** Tells the fields of a sheet; undefined when it does not tell this user. */
type Source = (client: Client, sheet: SheetAddress) => Promise<FieldList | undefined>;

/** From the best on: each tells less than the one before. */
const sources: readonly Source[] = [fieldsInSchema, fieldsInDefinition, discoverReadNames];

const fieldLists = processCache<Promise<FieldList | undefined>>('fieldLists');
const readNames = processCache<Promise<FieldList | undefined>>('readNames');

/** The sources that answered when all those before had been asked in vain. */
const fieldSources = processCache<Source>('fieldSources');

/**
 * The fields of a sheet from the best source that the credential's user may ask: its schema, its
 * definition, or a pair of readings by id and by name. None of the first two is in the specification,
 * so a refusal passes silently to the next; the source that answers is asked first for a while. A client,
 * which lives as long as a run, asks for a sheet once.
 *
 * @param refresh asks although the fields were learnt a moment ago, and from the best source on, unless this
 *   client did so
 * @returns undefined when no source tells
 * @throws ServiceError when the service is not reached or does not know the user
 */
export async function discoverFields(
	client: Client,
	sheet: SheetAddress,
	refresh = false,
): Promise<FieldList | undefined> {
	const ask = async () => await askForFields(client, sheet, refresh);
	return await cached(client, fieldLists, cacheKey(client, sheet), ask, refresh);
}

/**
 * The fields of a sheet by the names that reads give them, which number those that are missing or double.
 * Undefined when there is no record to learn from. Throws ServiceError as `discoverFields`.
 */
export async function discoverReadNames(
	client: Client,
	sheet: SheetAddress,
): Promise<FieldList | undefined> {
	const ask = async () => await fieldsInReadings(client, sheet);
	return await cached(client, readNames, cacheKey(client, sheet), ask);
}

/**
 * The sheets that the user sees in the account's menu or, where that is refused, in the list for the vendor's
 * own clients. Neither is in the specification.
 *
 * @returns undefined when the service does not tell
 * @throws ServiceError as `discoverFields`
 */
export async function discoverSheets(client: Client): Promise<MenuSheet[] | undefined> {
	const { account } = client.connection;
	const request = { path: accountPath(account), query: apiQuery([]) };
	// The other is not there in every service: each is asked again after a good key was taken for a guest's.
	const menu = await ask(client, request, lastOrNone);
	if (menu !== undefined) return sheetsOfMenu(menu, account);
	const list = await ask(client, sheetListRequest, lastOrNone);
	return list === undefined ? undefined : sheetsOfList(list, account);
}

async function askForFields(
	client: Client,
	sheet: SheetAddress,
	refresh: boolean,
): Promise<FieldList | undefined> {
	const key = cacheKey(client, sheet);
	if (refresh) readNames.delete(key);
	const answered = refresh ? undefined : fieldSources.get(key);
	const first = answered ? [answered] : [];
	for (const source of new Set([...first, ...sources])) {
		const list = await source(client, sheet);
		if (!list) continue;
		if (!first.includes(source)) fieldSources.set(key, source);
		return list;
	}
	return undefined;
}

async function fieldsInSchema(client: Client, sheet: SheetAddress): Promise<FieldList | undefined> {
	const schema = await ask(client, sheetRequest(client, sheet, [], '/metadata/schema'));
	return schema === undefined ? undefined : fieldsOfSchema(schema);
}

async function fieldsInDefinition(
	client: Client,
	sheet: SheetAddress,
): Promise<FieldList | undefined> {
	const definition = await ask(client, sheetRequest(client, sheet, [['def']]));
	return definition === undefined ? undefined : fieldsOfDefinition(definition);
}

async function fieldsInReadings(
	client: Client,
	sheet: SheetAddress,
): Promise<FieldList | undefined> {
	const read = async (naming: Reading['naming']) => {
		const reading = readingBy(naming, ['limit', readingsLength]);
		const parameters = readingParameters(reading, client.connection.dialect);
		const request = sheetRequest(client, sheet, parameters);
		// A sheet that is told at another address is what the user must hear.
		return await client.read(request, readingOrNone).catch(fallbackTo(undefined, 'noAccess'));
	};
	const byId = await read('EID');
	const byName = await read('FNAME');
	if (byId === undefined || byName === undefined) return undefined;
	return fieldsOfReadings(byId, byName);
}

/** @param decode throws what the client is to ask for again, before it is a refusal */
async function ask(
	client: Client,
	request: ServiceRequest,
	decode: (answer: RawAnswer) => JsonValue | undefined = (answer) => valueOrNone(answer),
): Promise<JsonValue | undefined> {
	// To be sent to another host, such as one for logins, is a refusal, too.
	return await client.read(request, decode).catch(fallbackTo(undefined, 'redirected', 'noAccess'));
}

/** @param concernsUser whether a refusal of this source is thrown, too, and not only to tell */
function valueOrNone(
	answer: RawAnswer,
	concernsUser: (refusal: ServiceError) => boolean = () => false,
): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (!(judged instanceof ServiceError)) return judged;
	const { code, status = 0 } = judged.details;
	const concernsAll = ['authentication', 'sessionExpired', 'tooFrequent'].includes(judged.kind);
	if (concernsAll || code === wrongAccountCode || passingStatuses.includes(status)) throw judged;
	if (concernsUser(judged)) throw judged;
	return undefined;
}

/**
 * For a source behind which there is no other: a service that is down, or whose answer is cut short, must
 * not look like an empty one, and a key that may have been taken for a guest's is to be tried again.
 */
function lastOrNone(answer: RawAnswer): JsonValue | undefined {
	return valueOrNone(answer, isOfLast);
}

function isOfLast({ kind }: ServiceError): boolean {
	return ['server', 'malformed', 'noAccess'].includes(kind);
}

/** A plain read of a sheet that is not there: that is what the user must hear. */
function readingOrNone(answer: RawAnswer): JsonValue | undefined {
	const isWrong = ({ details: { code = 0 } }: ServiceError) => wrongAddressCodes.includes(code);
	return valueOrNone(answer, (refusal) => isWrong(refusal) || isOfLast(refusal));
}
