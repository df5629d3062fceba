import type { Dialect } from '../http/connection';
import { apiVersion, type QueryParameter } from '../values/query';

/** Of more fields, the whole record is asked for: addresses must stay short. */
const mostFields = 20;

/** What fields are called: by their ids or their names (specification, endpoint 1). */
type Naming = 'EID' | 'FNAME';

/** In what form records are read. Naming and version are never left to the service: its defaults may change. */
export interface ReadOptions {
	naming: Naming;
	/** Of the API (specification, "Versioning"). */
	version: string;
	/** What else is asked for. */
	more?: readonly QueryParameter[];
	/** The ids of the fields that are enough: services of the dialect `ragic` then send no others. */
	fields?: readonly string[];
}

/** A reading by the version of the API that this package knows. */
export function readOptionsBy(naming: Naming, ...more: QueryParameter[]): ReadOptions {
	return { naming, version: apiVersion, more };
}

/** A reading of records alone, without rows of subtables. */
export function plainReadOptions(naming: Naming, ...more: QueryParameter[]): ReadOptions {
	return readOptionsBy(naming, ['subtables', 0], ...more);
}

/** The query parameters of a reading, for a service of the given dialect. */
export function readOptionParameters(
	{ naming, version, more = [], fields = [] }: ReadOptions,
	dialect: Dialect,
): QueryParameter[] {
	const own = dialect === 'ragic' && fields.length <= mostFields ? fields : [];
	return [
		['naming', naming],
		['version', version],
		...more,
		...own.map((fieldId) => ['fetchDomainIds', fieldId] as const),
	];
}
