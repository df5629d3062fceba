import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { type Client, type ServiceRequest, sheetRequest } from '../http/client';
import { ServiceError, type FailureKind } from '../http/serviceError';
import type { JsonValue } from '../json/orderedJson';
import { readOptionsBy, readOptionParameters, type ReadOptions } from '../read/readOptions';
import { recordsOf } from '../read/record';
import type { SheetAddress } from '../values/sheetAddress';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema, type FieldList } from './fieldLists';

/** Number of records that are read for the names of fields: the service may leave out fields that are empty in some. */
const recordsRead = 20;

/** HTTP statuses of a busy service or gateway. The next source would return less, and that would be cached. */
const busyStatuses = [502, 503, 504];

/** Failures after which no other source is asked. They are thrown. */
interface Final {
	kinds: readonly FailureKind[];
	/** Codes of the service. Code 101 is a wrong account, which is the same for all sources. */
	codes: readonly number[];
}
const finalKinds: readonly FailureKind[] = ['authentication', 'sessionExpired', 'tooFrequent'];
const finalForAll: Final = { kinds: finalKinds, codes: [101] };
/** A service that is down must not look like an empty one. */
const finalForLast: Final = { kinds: [...finalKinds, 'server', 'malformed'], codes: [101] };
/** A wrong path or sheet number is not a sheet without records. */
const finalForRecords: Final = { ...finalForLast, codes: [101, 102, 103] };

/** Failures that may pass, such as a maintenance page: the source may list fields a moment later. */
const passingKinds: readonly FailureKind[] = ['webPage', 'redirected', 'server', 'malformed'];

/** The reason why a source lists no fields: it refuses this user, it has none to list, or it is in trouble now. */
export type NoFields = 'refused' | 'none' | 'inTrouble';

/** Returns the fields of a sheet from one source, or why it lists none. Throws ServiceError if no source would answer. */
export type FieldSource = (client: Client, sheet: SheetAddress) => Promise<FieldList | NoFields>;

/** Fields by `metadata/schema`, which is not in the specification. */
export const fieldsBySchema: FieldSource = async (client, sheet) => {
	const request = sheetRequest(client, sheet, [], '/metadata/schema');
	const answer = await fetchValue(client, request, finalForAll);
	return answer instanceof ServiceError ? noFieldsFor(answer) : (fieldsOfSchema(answer) ?? 'none');
};

/** Fields by the sheet's definition, which is not in the specification. It has no types. */
export const fieldsByDefinition: FieldSource = async (client, sheet) => {
	const request = sheetRequest(client, sheet, [['def']]);
	const answer = await fetchValue(client, request, finalForAll);
	return answer instanceof ServiceError
		? noFieldsFor(answer)
		: (fieldsOfDefinition(answer) ?? 'none');
};

/** Fields by records that are read by IDs and by names, with the names that reads give. */
export const fieldsByRecords: FieldSource = async (client, sheet) => {
	const fetchRecords = async (naming: ReadOptions['naming']) => {
		const reading = readOptionsBy(naming, ['limit', recordsRead]);
		const parameters = readOptionParameters(reading, client.connection);
		// A redirect to another address of the sheet must reach the user as an error.
		return await fetchValue(client, sheetRequest(client, sheet, parameters), finalForRecords, []);
	};
	const byId = await fetchRecords('EID');
	if (byId instanceof ServiceError) return noFieldsFor(byId);
	if (recordsOf(byId).length === 0) return 'none';
	const byName = await fetchRecords('FNAME');
	if (byName instanceof ServiceError) return noFieldsFor(byName);
	return fieldsOfReadings(byId, byName) ?? 'none';
};

/** Returns what the last of several sources answers; undefined if it is refused. Throws ServiceError. */
export async function fetchFromLast(
	client: Client,
	request: ServiceRequest,
): Promise<JsonValue | undefined> {
	const answer = await fetchValue(client, request, finalForLast);
	return answer instanceof ServiceError ? undefined : answer;
}

/**
 * Returns the value of an answer, or the error for which another source is asked. A refusal with code 106 is repeated once
 * before it counts: a valid key is sometimes taken for a guest's. Throws ServiceError for final failures.
 */
async function fetchValue(
	client: Client,
	request: ServiceRequest,
	{ kinds, codes }: Final,
	alsoReturned: readonly FailureKind[] = ['redirected'],
): Promise<JsonValue | ServiceError> {
	const decode = (raw: RawAnswer): JsonValue | ServiceError => {
		const judged = valueOrRefusal(raw);
		if (!(judged instanceof ServiceError)) return judged;
		const { kind, code = 0, status = 0 } = judged.details;
		const isFinal = kinds.includes(kind) || codes.includes(code) || busyStatuses.includes(status);
		// Only a failure that is thrown is repeated.
		if (isFinal || kind === 'noAccess') throw judged;
		return judged;
	};
	return await client.read(request, decode).catch((error: unknown) => {
		const isReturned =
			error instanceof ServiceError && ['noAccess', ...alsoReturned].includes(error.kind);
		if (!isReturned) throw error;
		return error;
	});
}

function noFieldsFor({ kind, details: { status = 0 } }: ServiceError): NoFields {
	// A web page with HTTP 404 says that nothing is at the address.
	const isNotFound = status === 404;
	return passingKinds.includes(kind) && !isNotFound ? 'inTrouble' : 'refused';
}
