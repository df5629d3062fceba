import { valueOrRefusal, type RawAnswer } from '../../http/answer';
import { type Client, type ServiceRequest, sheetRequest } from '../../http/client';
import { ServiceError, type FailureKind } from '../../http/serviceError';
import type { JsonValue } from '../../json/orderedJson';
import { readOptionsBy, readOptionParameters, type ReadOptions } from '../../read/readOptions';
import { recordsOf } from '../../read/record';
import type { SheetAddress } from '../../values/sheetAddress';
import type { FieldList } from '../fields';
import { fieldsOfDefinition, fieldsOfReadings, fieldsOfSchema } from './fieldLists';

/** Number of records to read for the names of fields. The service may leave out empty fields of a record. */
const recordsRead = 20;

/** HTTP statuses of a busy service or gateway. The next source would return less, and that would be cached. */
const busyStatuses = [502, 503, 504];

/**
 * Error responses that are thrown. After any other one, the next source is tried. A failure without a response, such as a broken
 * connection, is always thrown.
 */
interface FatalFailures {
	kinds: readonly FailureKind[];
	/** Codes of the service. Code 101 is a wrong account, which is the same for all sources. */
	codes: readonly number[];
}
const fatalKinds: readonly FailureKind[] = ['authentication', 'sessionExpired', 'tooFrequent'];
const fatalForAll: FatalFailures = { kinds: fatalKinds, codes: [101] };
/** Failures of listing sheets. A service that is down must not look like a service without sheets. */
const fatalForSheets: FatalFailures = {
	kinds: [...fatalKinds, 'server', 'malformed'],
	codes: [101],
};
/** Failures of reading records. A wrong path or sheet number must not look like a sheet without records. */
const fatalForRecords: FatalFailures = { ...fatalForSheets, codes: [101, 102, 103] };

/** Temporary failures, such as a maintenance page. The source may list fields a moment later. */
const passingKinds: readonly FailureKind[] = ['webPage', 'redirected', 'server', 'malformed'];

/** The reason why a source lists no fields: it refuses this user, it has no fields, or it fails temporarily. */
export type NoFields = 'refused' | 'none' | 'inTrouble';

/** Returns the fields of a sheet from one source, or the reason why it lists no fields. Throws ServiceError if no source would answer. */
export type FieldSource = (client: Client, sheet: SheetAddress) => Promise<FieldList | NoFields>;

/** Source `metadata/schema`, which is not in the specification. */
export const fieldsBySchema: FieldSource = async (client, sheet) => {
	const request = sheetRequest(client, sheet, [], '/metadata/schema');
	const answer = await fetchValue(client, request, fatalForAll);
	return answer instanceof ServiceError ? noFieldsFor(answer) : (fieldsOfSchema(answer) ?? 'none');
};

/** Source `def` (definition), which is not in the specification. It has no types. */
export const fieldsByDefinition: FieldSource = async (client, sheet) => {
	const request = sheetRequest(client, sheet, [['def']]);
	const answer = await fetchValue(client, request, fatalForAll);
	return answer instanceof ServiceError
		? noFieldsFor(answer)
		: (fieldsOfDefinition(answer) ?? 'none');
};

/** Source of last resort: records, read twice, with field IDs and with field names as keys. It returns the names of fields in reads. */
export const fieldsByRecords: FieldSource = async (client, sheet) => {
	const fetchRecords = async (naming: ReadOptions['naming']) => {
		const reading = readOptionsBy(naming, ['limit', recordsRead]);
		const parameters = readOptionParameters(reading, client.connection);
		// A redirect to another address of the sheet must reach the user as an error.
		return await fetchValue(client, sheetRequest(client, sheet, parameters), fatalForRecords, []);
	};
	const byId = await fetchRecords('EID');
	if (byId instanceof ServiceError) return noFieldsFor(byId);
	if (recordsOf(byId).length === 0) return 'none';
	const byName = await fetchRecords('FNAME');
	if (byName instanceof ServiceError) return noFieldsFor(byName);
	return fieldsOfReadings(byId, byName) ?? 'none';
};

/**
 * Fetches a value. Returns undefined if the service refuses it. Throws ServiceError if the login fails or the service does not
 * work, which must not look like an empty list.
 */
export async function fetchUnlessRefused(
	client: Client,
	request: ServiceRequest,
): Promise<JsonValue | undefined> {
	const answer = await fetchValue(client, request, fatalForSheets);
	return answer instanceof ServiceError ? undefined : answer;
}

/**
 * Fetches a value. Returns the error instead if the next source can be tried. A request that fails with code 106 is repeated once,
 * because the service sometimes mistakes a valid key for a guest's. Throws ServiceError for fatal failures.
 */
async function fetchValue(
	client: Client,
	request: ServiceRequest,
	{ kinds, codes }: FatalFailures,
	alsoReturned: readonly FailureKind[] = ['redirected'],
): Promise<JsonValue | ServiceError> {
	const isFatal = ({ kind, details: { code = 0, status = 0 } }: ServiceError) =>
		kinds.includes(kind) || codes.includes(code) || busyStatuses.includes(status);
	const decode = (raw: RawAnswer): JsonValue | ServiceError => {
		const value = valueOrRefusal(raw);
		// Throw `noAccess`, too, because the client only repeats requests whose failure is thrown.
		if (value instanceof ServiceError && (isFatal(value) || value.kind === 'noAccess')) throw value;
		return value;
	};
	return await client.read(request, decode).catch((error: unknown) => {
		const mayBeReturned = error instanceof ServiceError && !isFatal(error);
		if (mayBeReturned && ['noAccess', ...alsoReturned].includes(error.kind)) return error;
		throw error;
	});
}

function noFieldsFor({ kind, details: { status = 0 } }: ServiceError): NoFields {
	// A web page with HTTP 404 means that the address does not exist, so the failure is not temporary.
	const isNotFound = status === 404;
	return passingKinds.includes(kind) && !isNotFound ? 'inTrouble' : 'refused';
}
