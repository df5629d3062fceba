import type { Call } from '../call';
import { commonParameters } from '../http/commonParameters';
import { errorCodes, ServiceError } from '../http/serviceError';

/** The parameters of one record (specification, endpoint 2); `fetchDomainIds` is not in it. */
const ofRecord: readonly string[] = [
	...['tz', 'naming', 'subtables', 'info', 'conversation', 'approval', 'comment', 'bbcode'],
	...['history', 'ignoreMask', 'fetchDomainIds'],
];

/** The parameters of a list (endpoint 1), and the one that asks for its definition instead. */
const ofList: readonly string[] = [
	...ofRecord,
	...['where', 'fts', 'filterId', 'defaultFilter', 'limit', 'offset', 'order', 'reverse'],
	...['listing', 'ignoreFixedFilter', 'taskId', 'def'],
];

/** Other parameters are passed over, or refused as one team has seen it. */
export function checkReadParameters({ query, state }: Call, read: 'list' | 'record'): void {
	if (state.switches.unknownReadParameter === 'ignored') return;
	const own = read === 'list' ? ofList : ofRecord;
	const known = [...commonParameters(state.switches), ...own];
	const unknown = query.parameters.find(({ name }) => !known.includes(name));
	if (unknown) throw new ServiceError(errorCodes.invalidPath, `Invalid path: ${unknown.name}`);
}
