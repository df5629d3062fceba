import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { textDigest } from '../api/json/canonicalJson';
import { isObject } from '../api/json/objects';
import { sheetPath, type SheetAddress } from '../api/values/sheetAddress';
import type { FieldStates } from '../api/read/watchedFields';
import { loadedCursor, storedCursor, type Cursor, type StoredCursor } from './cursor';
import { loadedDeletions, storedDeletions } from './deletionCheck';
import type { DeletionCheck, StoredDeletions } from './deletionCheck';

/** Of what is stored. A node of another version starts again. */
const version = 7;

/** Last values of watched fields by record id: of the records that were seen last. */
export type WatchedRecords = Map<string, FieldStates>;

const mostWatched = 3_000;

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
	/** How many records are still to come of those that were there at the start, where that is known. */
	remaining?: number;
	/** What the next item is to say, by kind. */
	warnings: Record<string, string>;
}

/** The same as it is stored, as a text. */
type StoredState = Omit<PollState, 'cursor' | 'watched' | 'deletions'> & {
	cursor?: StoredCursor;
	watched: Array<[string, FieldStates]>;
	deletions: StoredDeletions;
};

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
	const stored: StoredState = JSON.parse(String(state.known));
	const cursor = stored.cursor && loadedCursor(stored.cursor);
	const deletions = loadedDeletions(stored.deletions);
	return { ...stored, cursor, watched: new Map(stored.watched), deletions };
}

/** Stores what is known, in one step at the end of a poll: one that fails before leaves it as it was. */
export function storeState(staticData: IDataObject, state: PollState): void {
	const cursor = state.cursor && storedCursor(state.cursor);
	const deletions = storedDeletions(state.deletions);
	const stored: StoredState = { ...state, cursor, watched: [...state.watched], deletions };
	staticData.state = { version, known: JSON.stringify(stored) };
}

/** Notes what watched fields of a record hold. */
export function noteWatched(watched: WatchedRecords, recordId: string, states: FieldStates): void {
	watched.delete(recordId);
	watched.set(recordId, states);
	const [oldest] = watched.keys();
	if (watched.size > mostWatched && oldest !== undefined) watched.delete(oldest);
}

function short(value: unknown): string {
	return textDigest(JSON.stringify(value)).slice(0, 22);
}
