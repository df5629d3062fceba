import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema } from './fieldLists';
import type { FieldList } from './fieldLists';
import { sheetsOfMenu, type MenuSheet } from './menu';
import type { JsonValue } from '../json/orderedJson';
import { apiQuery } from '../values/query';
import { ServiceError, yielding } from '../http/serviceError';
import { accountPath, type SheetAddress } from '../values/sheetAddress';
import { sheetListRequest, sheetsOfList } from './sheetList';
import type { Client, ServiceRequest } from '../http/client';
import { readingBy, readingParameters, type Reading } from '../read/readOptions';
import { memoryKey, remember, RememberedLists } from '../http/listCache';
import { sheetRequest } from '../http/sheetRequest';

/** After this the best source is asked first again: the user may have been given the right to it. */
const sourceMilliseconds = 3_600_000;
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

/** The source that answered when all those before had been asked in vain. */
interface KnownSource {
	/** Milliseconds of the same clock. */
	at: number;
	source: Source;
}

const learnt = new RememberedLists<FieldList | undefined>();
const learntInReadings = new RememberedLists<FieldList | undefined>();
const answering = new Map<string, KnownSource>();

/**
 * The fields of a sheet from the best source that the credential's user may ask: its schema, its
 * definition, or a pair of readings by id and by name. None of the first two is in the specification,
 * so a refusal passes silently to the next; the source that answers is asked first for a while. A client,
 * which lives as long as a run, asks for a sheet once.
 *
 * @param anew asks although the fields were learnt a moment ago, and from the best source on, unless this
 *   client did so
 * @returns undefined when no source tells
 * @throws ServiceError when the service is not reached or does not know the user
 */
export async function discoverFields(
	client: Client,
	sheet: SheetAddress,
	anew = false,
): Promise<FieldList | undefined> {
	const ask = async () => await askForFields(client, sheet, anew);
	return await learnt.of(client, sheet, ask, { anew });
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
	return await learntInReadings.of(client, sheet, ask);
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
	anew: boolean,
): Promise<FieldList | undefined> {
	if (anew) learntInReadings.forget(client, sheet);
	const key = memoryKey(client, sheet);
	const answered = anew ? undefined : answering.get(key);
	const isRecent = answered && performance.now() - answered.at < sourceMilliseconds;
	const first = isRecent ? [answered.source] : [];
	for (const source of new Set([...first, ...sources])) {
		const list = await source(client, sheet);
		if (!list) continue;
		if (!first.includes(source)) remember(answering, key, { at: performance.now(), source });
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
		return await client.read(request, readingOrNone).catch(yielding(undefined, 'noAccess'));
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
	return await client.read(request, decode).catch(yielding(undefined, 'redirected', 'noAccess'));
}

/** @param concernsUser whether a refusal of this source is thrown, too, and not only to tell */
function valueOrNone(
	answer: RawAnswer,
	concernsUser: (refusal: ServiceError) => boolean = () => false,
): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (!(judged instanceof ServiceError)) return judged;
	const { code, status = 0 } = judged.details;
	const concernsAll = ['identity', 'sessionExpired', 'tooFrequent'].includes(judged.kind);
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
