import { createHash } from 'node:crypto';
import { valueOrRefusal } from '../wire/answer';
import type { RawAnswer } from '../wire/answer';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema } from '../wire/fieldLists';
import type { FieldList } from '../wire/fieldLists';
import { sheetsOfMenu } from '../wire/menu';
import type { MenuSheet } from '../wire/menu';
import type { JsonValue } from '../wire/orderedJson';
import { apiQuery } from '../wire/query';
import { ServiceError } from '../wire/serviceError';
import { accountPath, sheetPath } from '../wire/sheetAddress';
import type { SheetAddress } from '../wire/sheetAddress';
import type { Client, ServiceRequest } from './client';
import { failureOf } from './failure';
import { readingBy, readingParameters } from './reading';
import type { Reading } from './reading';
import { sheetRequest } from './sheet';
import { SheetMemory } from './sheetMemory';

/** How long pick lists and name look-ups of one editor session share what was learnt. */
const freshMilliseconds = 60_000;
/** After this the best source is asked first again: the user may have been given the right to it. */
const sourceMilliseconds = 3_600_000;
const mostEntries = 200;
/** Enough records to meet most fields, should the service leave out empty ones. */
const readingsLength = 20;

/** Which account is meant is the same for every source. */
const wrongAccountCode = 101;
/** Wrong account, path or sheet number. */
const wrongAddressCodes = [wrongAccountCode, 102, 103];
/** Too busy for the moment: what the next source says would be less, and kept. */
const passingStatuses = [502, 503, 504];

interface Entry {
	/** Milliseconds of a clock that is never set. */
	at: number;
	list: Promise<FieldList | undefined>;
}

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

const learnt = new Map<string, Entry>();
const answering = new Map<string, KnownSource>();
/** What this run asked for itself, an answer that nothing is known among it. */
const askedInRun = new SheetMemory<Promise<FieldList | undefined>>();
const readInRun = new SheetMemory<Promise<FieldList | undefined>>();

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
	const asked = askedInRun.get(client, sheet);
	if (asked) return await asked;
	const key = cacheKey(client, sheet);
	const known = learnt.get(key);
	if (known && !anew && performance.now() - known.at < freshMilliseconds) {
		try {
			return await known.list;
		} catch (thrown) {
			// Another execution asked, and was cancelled: that is not this one's failure.
			if (thrown instanceof ServiceError) throw failureOf(thrown);
		}
	}
	const answered = anew ? undefined : answering.get(key);
	const list = askForFields(client, sheet, key, answered);
	askedInRun.set(client, sheet, list);
	remember(learnt, key, { at: performance.now(), list });
	void list
		// What is not known now may be known with the sheet's first record, though not to this run.
		.then((found) => found ?? learnt.delete(key))
		.catch(() => {
			learnt.delete(key);
			askedInRun.delete(client, sheet);
		});
	return await list;
}

/**
 * The fields of a sheet by the names that reads give them, which number those that are missing or double.
 * A client asks for them once.
 *
 * @returns undefined when there is no record to learn from
 * @throws ServiceError as `discoverFields`
 */
export async function discoverReadNames(
	client: Client,
	sheet: SheetAddress,
): Promise<FieldList | undefined> {
	const known = readInRun.get(client, sheet);
	if (known) return await known;
	const list = fieldsInReadings(client, sheet);
	readInRun.set(client, sheet, list);
	void list.catch(() => readInRun.delete(client, sheet));
	return await list;
}

/**
 * The sheets that the user sees in the account's menu.
 *
 * @returns undefined when the service does not tell
 * @throws ServiceError as `discoverFields`
 */
export async function discoverSheets(client: Client): Promise<MenuSheet[] | undefined> {
	const { account } = client.connection;
	const request = { path: accountPath(account), query: apiQuery([]) };
	const menu = await client.read(request, valueUnlessDown);
	return menu === undefined ? undefined : sheetsOfMenu(menu, account);
}

async function askForFields(
	client: Client,
	sheet: SheetAddress,
	key: string,
	answered: KnownSource | undefined,
): Promise<FieldList | undefined> {
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
	const byId = await client.read(readingRequest(client, sheet, 'EID'), readingOrNone);
	const byName = await client.read(readingRequest(client, sheet, 'FNAME'), readingOrNone);
	if (byId === undefined || byName === undefined) return undefined;
	return fieldsOfReadings(byId, byName);
}

function readingRequest(
	client: Client,
	sheet: SheetAddress,
	naming: Reading['naming'],
): ServiceRequest {
	const reading = readingBy(naming, ['limit', readingsLength]);
	return sheetRequest(client, sheet, readingParameters(reading, client.connection.dialect));
}

async function ask(client: Client, request: ServiceRequest): Promise<JsonValue | undefined> {
	return await client.read(request, valueOrNone).catch(noneWhenSentOn);
}

/** To be sent to another host, such as one for logins, is a refusal, too. */
function noneWhenSentOn(error: unknown): undefined {
	if (error instanceof ServiceError && error.kind === 'redirected') return undefined;
	throw error;
}

function valueOrNone(answer: RawAnswer): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (!(judged instanceof ServiceError)) return judged;
	const { code = 0, status = 0 } = judged.details;
	const concernsAll = ['identity', 'sessionExpired', 'tooFrequent'].includes(judged.kind);
	if (concernsAll || code === wrongAccountCode || passingStatuses.includes(status)) throw judged;
	return undefined;
}

/**
 * For a source behind which there is no other: a service that is down, or whose answer is cut short, must
 * not look like an empty one.
 */
function valueUnlessDown(answer: RawAnswer): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (judged instanceof ServiceError && ['server', 'malformed'].includes(judged.kind)) throw judged;
	return valueOrNone(answer);
}

/** A plain read of a sheet that is not there: that is what the user must hear. */
function readingOrNone(answer: RawAnswer): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (judged instanceof ServiceError && wrongAddressCodes.includes(judged.details.code ?? 0))
		throw judged;
	return valueUnlessDown(answer);
}

/** Two users may see different fields, so what one learnt is not shown to another. */
function cacheKey({ connection }: Client, sheet: SheetAddress): string {
	const { baseUrl, account, credentialType, user } = connection;
	const path = sheetPath(account, sheet);
	return createHash('sha256')
		.update([baseUrl, path, credentialType, user].join('\n'))
		.digest('base64');
}

function remember<T>(entries: Map<string, T>, key: string, entry: T): void {
	entries.delete(key);
	entries.set(key, entry);
	const [oldest] = entries.keys();
	if (entries.size > mostEntries && oldest !== undefined) entries.delete(oldest);
}
