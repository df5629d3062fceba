import type { Call } from '../call';
import { ServiceError } from './serviceError';
import type { QueryParameter } from './query';

/**
 * What any request may carry in its query: the mark, the identity, the version and the wrapping of the
 * answer; by a switch, what the vendor's own clients send as well: by which of them, and that one record is wanted.
 */
const common = ['api', 'APIKey', 'sid', 'version', 'v', 'callback'];
const ofVendor = ['n8n', 'singleEntryMode'];

/** The parameters of one record (specification, endpoint 2); `fetchDomainIds` is not in it. */
export const recordParameters: readonly string[] = [
	...['tz', 'naming', 'subtables', 'info', 'conversation', 'approval', 'comment', 'bbcode'],
	...['history', 'ignoreMask', 'fetchDomainIds'],
];

/** The parameters of a list (endpoint 1), and the one that asks for its definition instead. */
export const listParameters: readonly string[] = [
	...recordParameters,
	...['where', 'fts', 'filterId', 'defaultFilter', 'limit', 'offset', 'order', 'reverse'],
	...['listing', 'ignoreFixedFilter', 'taskId', 'def'],
];

/** The query parameters of a write (endpoint 6). */
export const writeParameters: readonly string[] = [
	...['tz', 'info'],
	...['doFormula', 'doDefaultValue', 'doLinkLoad', 'doWorkflow', 'doValidation'],
	...['notification', 'checkLock'],
];

/** The parameters that an endpoint does not have. */
export function otherParameters({ query, state }: Call, own: readonly string[]): QueryParameter[] {
	const isVendorKnown = state.switches.vendorParameters === 'known';
	const known = [...common, ...(isVendorKnown ? ofVendor : []), ...own];
	return query.parameters.filter(({ name }) => !known.includes(name));
}

/** Of a read, other parameters are passed over, or refused as one team has seen it. */
export function checkReadParameters(call: Call, own: readonly string[]): void {
	if (call.state.switches.unknownReadParameter === 'ignored') return;
	const [unknown] = otherParameters(call, own);
	if (unknown) throw new ServiceError('invalidPath', `Invalid path: ${unknown.name}`);
}

/**
 * Refuses other parameters of a write. The specification does not speak of them; the deployed service takes
 * one on a POST for a field and refuses the request.
 *
 * @throws ServiceError of code 201
 */
export function demandPostParameters(call: Call, ...own: readonly string[]): void {
	const [stranger] = otherParameters(call, own);
	if (stranger) throw unknownField(stranger.name);
}

/** The refusal of a name that the sheet does not have (code 201). */
export function unknownField(name: string): ServiceError {
	return new ServiceError('parameters', `Error processing parameter: ${name}`);
}
