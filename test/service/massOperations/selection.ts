import type { Call } from '../call';
import type { Sheet } from '../data/sheet';
import { matchingRecords } from '../endpoints/list';
import { ServiceError } from '../http/serviceError';

/**
 * The ids of the records that a mass operation names in its query, by conditions or one by one
 * (specification, endpoint 13); without either, what the switch says.
 */
export function selectedRecordIds(call: Call, sheet: Sheet): number[] {
	const { query, state } = call;
	const hasConditions = query.has('where');
	if (hasConditions && query.has('recordId')) {
		throw new ServiceError('parameters', 'Give either where or recordId.');
	}
	if (query.has('recordId')) return [...new Set(query.all('recordId').map(readRecordId))];
	if (!hasConditions && state.switches.emptySelection === 'refused') {
		throw new ServiceError('parameters', 'No records are selected.');
	}
	if (!hasConditions && state.switches.emptySelection === 'nothing') return [];
	return matchingRecords(call, sheet).map(({ id }) => id);
}

function readRecordId(text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new ServiceError('parameters', `Invalid record id: ${text}`);
}
