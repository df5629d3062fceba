import { apiVersion } from '../wire/apiVersion';
import type { QueryParameter } from '../wire/query';

/** In what form records are read. Naming and version are never left to the service: its defaults may change. */
export interface Reading {
	/** What the fields are called: by their ids or their names (specification, endpoint 1). */
	naming: 'EID' | 'FNAME';
	/** Of the API (specification, "Versioning"). */
	version: string;
	/** What else is asked for. */
	more?: readonly QueryParameter[];
}

/** A reading by the version of the API that this package knows. */
export function readingBy(naming: Reading['naming'], ...more: QueryParameter[]): Reading {
	return { naming, version: apiVersion, more };
}

/** A reading of records alone, without rows of subtables. */
export function plainReading(naming: Reading['naming'], ...more: QueryParameter[]): Reading {
	return readingBy(naming, ['subtables', 0], ...more);
}

/** The query parameters of a reading. */
export function readingParameters({ naming, version, more = [] }: Reading): QueryParameter[] {
	return [['naming', naming], ['version', version], ...more];
}
