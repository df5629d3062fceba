import { codeRemedy } from '../http/errorCodes';
import { FormBody } from '../values/formBody';
import type { JsonObject } from '../json/orderedJson';
import { ServiceError } from '../http/serviceError';
import type { SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { outcomeIsUnknown } from '../http/retry';
import { sheetRequest } from '../http/sheetRequest';

/**
 * Starts the import from the address that is set up on the sheet (specification, endpoint 10).
 *
 * @returns the answer of the service
 * @throws ServiceError for every answer but `SUCCESS`; a refusal names the right that is needed
 */
export async function importFromUrl(client: Client, sheet: SheetAddress): Promise<JsonObject> {
	const body = new FormBody([['importData', '']]);
	const write = client.write({ ...sheetRequest(client, sheet, []), method: 'POST', body });
	return await write.catch(withNeededRight);
}

function withNeededRight(error: unknown): never {
	const isRefusal = error instanceof ServiceError && ['noAccess', 'refused'].includes(error.kind);
	if (!isRefusal || outcomeIsUnknown(error) || hasOwnRemedy(error)) throw error;
	throw new ServiceError({
		...error.details,
		description:
			"The import needs a user with SYSAdmin privilege, and 'Periodic import from URL' turned on for the sheet.",
	});
}

/** "Error executing the request": what is said of it for records does not help with an import. */
const executionCode = 202;

/** Whether the code says what to do, whatever was asked for, such as a wrong address of the sheet. */
function hasOwnRemedy({ kind, details: { code } }: ServiceError): boolean {
	if (kind === 'noAccess' || code === undefined || code === executionCode) return false;
	return codeRemedy(code) !== undefined;
}
