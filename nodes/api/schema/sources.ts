import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { type Client, type ServiceRequest, sheetRequest } from '../http/client';
import { ServiceError, fallbackTo } from '../http/serviceError';
import type { JsonValue } from '../json/orderedJson';
import { readOptionsBy, readOptionParameters, type ReadOptions } from '../read/readOptions';
import type { SheetAddress } from '../values/sheetAddress';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema, type FieldList } from './fieldLists';

/** Enough records to meet most fields, should the service leave out empty ones. */
const recordsRead = 20;

/** Which account is meant is the same for every source. */
const wrongAccountCode = 101;

/** Wrong account, path or sheet number. */
const wrongAddressCodes = [wrongAccountCode, 102, 103];

/** The service is busy: the next source would return less, and that would be cached. */
const busyStatuses = [502, 503, 504];

/** Returns the fields of a sheet from one source; undefined when that refuses. Throws ServiceError. */
export type FieldSource = (client: Client, sheet: SheetAddress) => Promise<FieldList | undefined>;

/** By `metadata/schema`, which is not in the specification. */
export const fieldsBySchema: FieldSource = async (client, sheet) => {
	const schema = await ask(client, sheetRequest(client, sheet, [], '/metadata/schema'));
	return schema === undefined ? undefined : fieldsOfSchema(schema);
};

/** By the sheet's definition, which is not in the specification: without types. */
export const fieldsByDefinition: FieldSource = async (client, sheet) => {
	const definition = await ask(client, sheetRequest(client, sheet, [['def']]));
	return definition === undefined ? undefined : fieldsOfDefinition(definition);
};

/** By records that are read by ids and by names, with the names that reads give; undefined when there is no record. */
export const fieldsByRecords: FieldSource = async (client, sheet) => {
	const read = async (naming: ReadOptions['naming']) => {
		const reading = readOptionsBy(naming, ['limit', recordsRead]);
		const parameters = readOptionParameters(reading, client.connection.dialect);
		const decode = (answer: RawAnswer) => valueOrNone(answer, isFinalForRecords);
		// A redirect to another address of the sheet must reach the user as an error.
		const request = client.read(sheetRequest(client, sheet, parameters), decode);
		return await request.catch(fallbackTo(undefined, 'noAccess'));
	};
	const byId = await read('EID');
	const byName = await read('FNAME');
	return byId === undefined || byName === undefined ? undefined : fieldsOfReadings(byId, byName);
};

/**
 * Returns what a source says behind which there is no better one; undefined when it is refused. A service that is
 * down, or whose answer is cut short, must not look like an empty one, and a key that may have been taken for a
 * guest's is tried again.
 */
export async function askLastSource(
	client: Client,
	request: ServiceRequest,
): Promise<JsonValue | undefined> {
	return await ask(client, request, isFinalForLast);
}

/** @param isFinal whether a refusal is thrown, instead of asking the next source */
async function ask(
	client: Client,
	request: ServiceRequest,
	isFinal: (refusal: ServiceError) => boolean = () => false,
): Promise<JsonValue | undefined> {
	const answer = client.read(request, (raw) => valueOrNone(raw, isFinal));
	// To be sent to another host, such as one for logins, is a refusal, too.
	return await answer.catch(fallbackTo(undefined, 'redirected', 'noAccess'));
}

function valueOrNone(
	answer: RawAnswer,
	isFinal: (refusal: ServiceError) => boolean,
): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (!(judged instanceof ServiceError)) return judged;
	const { code, status = 0 } = judged.details;
	const concernsAll = ['authentication', 'sessionExpired', 'tooFrequent'].includes(judged.kind);
	const isAnswerForAll = concernsAll || code === wrongAccountCode || busyStatuses.includes(status);
	if (isAnswerForAll || isFinal(judged)) throw judged;
	return undefined;
}

function isFinalForLast({ kind }: ServiceError): boolean {
	return ['server', 'malformed', 'noAccess'].includes(kind);
}

function isFinalForRecords(refusal: ServiceError): boolean {
	return isFinalForLast(refusal) || wrongAddressCodes.includes(refusal.details.code ?? 0);
}
