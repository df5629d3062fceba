import type { Connection } from '../http/connection';
import { dialectOf } from '../http/dialect';
import { apiVersion, type QueryParameter } from '../values/query';

/** Maximum number of requested fields. With more fields, all fields are requested to keep the URL short. */
const maxRequestedFields = 20;

/** Keys of fields in an answer: field IDs (`EID`) or field names (`FNAME`) (specification, endpoint 1). */
export type Naming = 'EID' | 'FNAME';

/** Options of a read. `naming` and `version` are always sent, because the service's defaults may change. */
export interface ReadOptions {
	naming: Naming;
	/** API version (specification, "Versioning"). */
	version: string;
	/** Further query parameters. */
	parameters?: readonly QueryParameter[];
	/** IDs of the fields to return; an empty list returns all fields. Only services of the dialect `ragic` omit the others. */
	fields?: readonly string[];
}

/** Returns read options for the API version that this package supports. */
export function readOptionsBy(naming: Naming, ...parameters: QueryParameter[]): ReadOptions {
	return { naming, version: apiVersion, parameters };
}

/** Returns read options without subtable rows. */
export function plainReadOptions(naming: Naming, ...parameters: QueryParameter[]): ReadOptions {
	return readOptionsBy(naming, ['subtables', 0], ...parameters);
}

/**
 * Returns the query parameters of read options. Fields are only requested from a service of the dialect `ragic`, and only up to
 * the maximum number.
 */
export function readOptionParameters(
	{ naming, version, parameters = [], fields = [] }: ReadOptions,
	connection: Connection,
): QueryParameter[] {
	const mayRequest = fields.length <= maxRequestedFields && dialectOf(connection) === 'ragic';
	const requested = mayRequest ? fields : [];
	return [
		['naming', naming],
		['version', version],
		...parameters,
		...requested.map((fieldId) => ['fetchDomainIds', fieldId] as const),
	];
}
