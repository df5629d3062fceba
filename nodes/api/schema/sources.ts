import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { type Client, type ServiceRequest, sheetRequest } from '../http/client';
import { ServiceError, fallbackTo, type FailureKind } from '../http/serviceError';
import type { JsonValue } from '../json/orderedJson';
import { readOptionsBy, readOptionParameters, type ReadOptions } from '../read/readOptions';
import type { SheetAddress } from '../values/sheetAddress';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema, type FieldList } from './fieldLists';

/** Enough records to meet most fields, should the service leave out empty ones. */
const recordsRead = 20;

/** The service is busy: the next source would return less, and that would be cached. */
const busyStatuses = [502, 503, 504];

/** Which refusals are thrown: behind others, another source is asked. Code 101 is a wrong account, the same for all of them. */
interface Final {
	kinds: readonly FailureKind[];
	codes: readonly number[];
}
const finalKinds: readonly FailureKind[] = ['authentication', 'sessionExpired', 'tooFrequent'];
const finalForAll: Final = { kinds: finalKinds, codes: [101] };
/** A service that is down must not look like an empty one; a key that may have been taken for a guest's is tried again. */
const finalForLast: Final = {
	kinds: [...finalKinds, 'server', 'malformed', 'noAccess'],
	codes: [101],
};
/** A wrong path or sheet number is no sheet without records. */
const finalForRecords: Final = { ...finalForLast, codes: [101, 102, 103] };

/** Returns the fields of a sheet from one source; undefined when that refuses. Throws ServiceError. */
export type FieldSource = (client: Client, sheet: SheetAddress) => Promise<FieldList | undefined>;

/** By `metadata/schema`, which is not in the specification. */
export const fieldsBySchema: FieldSource = async (client, sheet) => {
	const request = sheetRequest(client, sheet, [], '/metadata/schema');
	return fieldsOfSchema(await ask(client, request, finalForAll));
};

/** By the sheet's definition, which is not in the specification: without types. */
export const fieldsByDefinition: FieldSource = async (client, sheet) => {
	return fieldsOfDefinition(await ask(client, sheetRequest(client, sheet, [['def']]), finalForAll));
};

/** By records that are read by ids and by names, with the names that reads give; undefined when there is no record. */
export const fieldsByRecords: FieldSource = async (client, sheet) => {
	const read = async (naming: ReadOptions['naming']) => {
		const reading = readOptionsBy(naming, ['limit', recordsRead]);
		const parameters = readOptionParameters(reading, client.connection.dialect);
		const decode = (answer: RawAnswer) => valueOrNone(answer, finalForRecords);
		// A redirect to another address of the sheet must reach the user as an error.
		const request = client.read(sheetRequest(client, sheet, parameters), decode);
		return await request.catch(fallbackTo(undefined, 'noAccess'));
	};
	const byId = await read('EID');
	const byName = await read('FNAME');
	return byId === undefined || byName === undefined ? undefined : fieldsOfReadings(byId, byName);
};

/** Returns what a source says, by default the last one; undefined when it is refused. */
export async function ask(
	client: Client,
	request: ServiceRequest,
	final = finalForLast,
): Promise<JsonValue | undefined> {
	const answer = client.read(request, (raw) => valueOrNone(raw, final));
	// To be sent to another host, such as one for logins, is a refusal, too.
	return await answer.catch(fallbackTo(undefined, 'redirected', 'noAccess'));
}

function valueOrNone(answer: RawAnswer, { kinds, codes }: Final): JsonValue | undefined {
	const judged = valueOrRefusal(answer);
	if (!(judged instanceof ServiceError)) return judged;
	const { kind, code = 0, status = 0 } = judged.details;
	const isFinal = kinds.includes(kind) || codes.includes(code) || busyStatuses.includes(status);
	if (isFinal) throw judged;
	return undefined;
}
