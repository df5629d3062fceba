import type { IDataObject } from 'n8n-workflow';
import { textDigest } from '../../../nodes/api/json/canonicalJson';
import { timeAfter } from '../../../nodes/SheetRecordsPollingTrigger/updateTimes';
import type { ReferenceService } from '../../service';
import type { Poller } from '../runner';

/** Returns the digest of the source as version 10 of the stored state has it. */
function sourceOfVersion10(
	{ node: { parameters, credentials = {} } }: Poller,
	{ baseUrl, account }: ReferenceService,
): string {
	const id = credentials.sheetRecordsApi?.id;
	const location = [baseUrl, `/${account}/sales/orders/1`, id];
	const { filters, events, startFrom, startDate } = parameters;
	const sorted = Array.isArray(events) ? [...events].sort() : events;
	const source = [location, filters, sorted, undefined, startFrom, startDate];
	return textDigest(JSON.stringify(source)).slice(0, 22);
}

/** Returns the stored state of version 11 as version 10 stored it. */
export function asVersion10(poller: Poller, service: ReferenceService): IDataObject {
	const { known } = Object(poller.staticData.state);
	const { cursor, ...members } = JSON.parse(String(known));
	delete members.selection;
	delete members.reading;
	const emitted = cursor.emitted.map(([id, state]: [string, string]) => {
		const [seconds = '', , values = ''] = state.split(',');
		return [id, timeAfter('2000/01/01 00:00:00', Number.parseInt(seconds, 36)) + values];
	});
	const source = sourceOfVersion10(poller, service);
	delete cursor.passedAt;
	const state = { ...members, source, cursor: { ...cursor, emitted } };
	return { state: { version: 10, known: JSON.stringify(state) } };
}
