import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { textDigest } from '../api/json/canonicalJson';
import { isObject } from '../api/json/objects';
import { sheetPath, type SheetAddress } from '../api/values/sheetAddress';
import { loadedCursor, mapInText, storedCursor, textOfMap, type Cursor } from './cursor';
import { loadedDeletions, storedDeletions, type DeletionCheck } from './deletionCheck';
import type { WatchedRecords } from './watched';

/** Of what is stored. A node of another version starts again. */
const version = 5;

/** All that a node knows from one poll to the next, and nothing but that. */
export interface PollState {
	/** What is polled: whose changes, and which. */
	source: string;
	/** How the node is set up in all. */
	settings: string;
	/** Undefined as long as only deletions are looked for. */
	cursor: Cursor | undefined;
	watched: WatchedRecords;
	deletions: DeletionCheck;
}

/** Tells setups apart: by what the user wrote and not by what an expression yields, which may differ at each poll. */
export function settingsOf(
	context: IPollFunctions,
	client: Client,
	sheet: SheetAddress,
): Pick<PollState, 'source' | 'settings'> {
	const { parameters, credentials = {} } = context.getNode();
	const { baseUrl, account, credentialType } = client.connection;
	const { filters, events, startFrom, startDate } = parameters;
	const options: unknown = parameters.options;
	const view = isObject(options) ? options.sharedViewId : undefined;
	const place = [baseUrl, sheetPath(account, sheet), credentials[credentialType]?.id];
	const chosen = Array.isArray(events) ? [...events].sort() : events;
	const others = { ...parameters, pollTimes: undefined };
	return {
		source: short([place, filters, chosen, view, startFrom, startDate]),
		settings: short(others),
	};
}

/** Returns what is stored, if the node understands it. */
export function loadState({ state }: IDataObject): PollState | undefined {
	if (!isObject(state) || state.version !== version) return undefined;
	return {
		source: String(state.source),
		settings: String(state.settings),
		cursor: loadedCursor(state.cursor),
		watched: mapInText(String(state.watched)),
		deletions: loadedDeletions(state.deletions),
	};
}

/** Stores what is known, in one step at the end of a poll: one that fails before leaves it as it was. */
export function storeState(staticData: IDataObject, state: PollState): void {
	const { cursor, watched, deletions } = state;
	staticData.state = {
		...state,
		version,
		cursor: cursor && storedCursor(cursor),
		watched: textOfMap(watched),
		deletions: storedDeletions(deletions),
	};
}

function short(value: unknown): string {
	return textDigest(JSON.stringify(value)).slice(0, 22);
}
