import { apiVersion } from '../wire/apiVersion';
import type { QueryParameter } from '../wire/query';

/** The parameters of a reading of records alone, without rows of subtables, by field id or by name. */
export function plainReading(naming: 'EID' | 'FNAME'): QueryParameter[] {
	return [
		['naming', naming],
		['subtables', 0],
		['version', apiVersion],
	];
}
