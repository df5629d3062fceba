import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { textDigest } from '../api/json/canonicalJson';
import { isObject } from '../api/json/objects';
import { sheetPath, type SheetAddress } from '../api/values/sheetAddress';
import { parseState, stateText, type PollState } from './stateText';

export type { PollState } from './stateText';

/** Version of the stored state. A node of another version starts again. */
const version = 9;

/** Returns digests of the parameters as the user wrote them: the result of an expression may differ at each poll. */
export function settingsOf(
	context: IPollFunctions,
	{ connection }: Client,
	sheet: SheetAddress,
): Pick<PollState, 'source' | 'settings'> {
	const { parameters, credentials = {} } = context.getNode();
	const { baseUrl, account, credentialType } = connection;
	const { filters, events, startFrom, startDate } = parameters;
	const options: unknown = parameters.options;
	const view = isObject(options) ? options.sharedViewId : undefined;
	const place = [baseUrl, sheetPath(account, sheet), credentials[credentialType]?.id];
	const sortedEvents = Array.isArray(events) ? [...events].sort() : events;
	const source = shortDigest([place, filters, sortedEvents, view, startFrom, startDate]);
	return { source, settings: shortDigest({ ...parameters, pollTimes: undefined }) };
}

/** Returns the stored state; undefined if there is none, or if it is damaged or of another version. */
export function loadState({ state }: IDataObject): PollState | undefined {
	if (!isObject(state) || state.version !== version) return undefined;
	return parseState(state.known);
}

/** Stores the state at the end of a poll. A failed poll leaves the previous state untouched. */
export function storeState(staticData: IDataObject, state: PollState): void {
	staticData.state = { version, known: stateText(state) };
}

function shortDigest(value: unknown): string {
	return textDigest(JSON.stringify(value)).slice(0, 22);
}
