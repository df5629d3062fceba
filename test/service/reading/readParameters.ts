import type { Call } from '../call';
import { errorCodes, ServiceError } from '../http/serviceError';

/**
 * The parameters that are accepted on reads (specification, endpoint 1), and those that identify
 * the caller.
 */
const known = new Set([
	...['api', 'APIKey', 'sid', 'version', 'v', 'tz', 'callback', 'taskId', 'def'],
	...['where', 'fts', 'filterId', 'defaultFilter', 'limit', 'offset', 'order', 'reverse'],
	...['naming', 'subtables', 'listing', 'info', 'conversation', 'approval', 'comment', 'bbcode'],
	...['history', 'ignoreMask', 'ignoreFixedFilter', 'fetchDomainIds'],
]);

/** Other parameters are passed over, or refused as one team has seen it. */
export function checkReadParameters({ query, state }: Call): void {
	if (state.switches.unknownReadParameter === 'ignored') return;
	const unknown = query.parameters.find(({ name }) => !known.has(name));
	if (unknown) throw new ServiceError(errorCodes.invalidPath, `Invalid path: ${unknown.name}`);
}
