import { apiQuery, type QueryParameter } from '../values/query';
import { sheetPath, type RecordAddress, type SheetAddress } from '../values/sheetAddress';
import type { Client, ServiceRequest } from './client';

/** A request on a sheet, or on something below it. */
export function sheetRequest(
	client: Client,
	sheet: SheetAddress,
	parameters: readonly QueryParameter[],
	below = '',
): ServiceRequest {
	return {
		path: `${sheetPath(client.connection.account, sheet)}${below}`,
		query: apiQuery(parameters),
	};
}

/** A request on one record. */
export function recordRequest(
	client: Client,
	{ sheet, recordId }: RecordAddress,
	parameters: readonly QueryParameter[],
): ServiceRequest {
	return sheetRequest(client, sheet, parameters, `/${recordId}`);
}
