import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { textDigest } from '../api/json/digest';
import { isObject } from '../api/json/objects';
import { sheetPath, type SheetAddress } from '../api/values/sheetAddress';
import { ChangeReader } from './changeReader';
import { DeletionCheck } from './deletionCheck';
import { WatchedRecords } from './watchedRecords';

/** Of what is stored. Another version of the node begins anew rather than to guess. */
const version = 3;

/** What is stored stays under 200 kB: most of it is what was given out, for which the rest leaves room. */
const mostCharacters = 199_000;

/** All that a node knows from one poll to the next, and nothing but that. */
export interface PollState {
	/** What is polled: whose changes, and which. */
	source: string;
	/** How the node is set up in all. */
	settings: string;
	/** Undefined as long as only deletions are looked for. */
	changes: ChangeReader | undefined;
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
	const { filters, events } = parameters;
	const place = [baseUrl, sheetPath(account, sheet), credentials[credentialType]?.id];
	const others = { ...parameters, pollTimes: undefined };
	return { source: short([place, filters, events]), settings: short(others) };
}

/** What is stored, if the node understands it. */
export function loadState({ state }: IDataObject): PollState | undefined {
	if (!isObject(state) || state.version !== version) return undefined;
	const changes = ChangeReader.load(state.changes);
	return {
		source: String(state.source),
		settings: String(state.settings),
		changes,
		watched: WatchedRecords.load(state.watched),
		deletions: DeletionCheck.load(state.deletions),
	};
}

/**
 * Stores what is known now, in one step at the end of a poll: n8n commits it together with the execution, or
 * writes it just before. A poll that fails before leaves it as it was.
 */
export function storeState(staticData: IDataObject, state: PollState): void {
	const { source, settings, changes, watched, deletions } = state;
	const others = { watched: watched.store(), deletions: deletions.store() };
	const room = Math.max(0, mostCharacters - JSON.stringify(others).length);
	staticData.state = { version, source, settings, changes: changes?.store(room), ...others };
}

function short(value: unknown): string {
	return textDigest(JSON.stringify(value)).slice(0, 22);
}
