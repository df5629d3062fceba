import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { textDigest } from '../api/json/canonicalJson';
import { isObject } from '../api/json/objects';
import { sheetPath, type SheetAddress } from '../api/values/sheetAddress';
import type { SheetRecord } from '../api/read/record';
import { fieldChanges, fieldStates } from '../shared/watchedFields';
import type { FieldChanges, FieldStates } from '../shared/watchedFields';
import type { Cursor } from './cursor';
import type { DeletionCheck } from './deletionCheck';

/** Of what is stored. A node of another version starts again. */
const version = 8;

/** Last values of watched fields by record id: of so many records, which were seen last. */
export type WatchedRecords = Map<string, FieldStates>;
const mostWatched = 3_000;

/** All that a node knows from one poll to the next, and nothing but that. */
export interface PollState {
	/** What is polled: whose changes, and which. */
	source: string;
	/** How the node is set up in all. */
	settings: string;
	/** Undefined as long as only deletions are looked for. */
	cursor?: Cursor;
	/** The keys of the watched fields in records; undefined when any change counts. */
	watchedKeys?: string[];
	watched: WatchedRecords;
	deletions: DeletionCheck;
	/** How many records are still to come of those that were there at the start, where that is known. */
	remaining?: number;
	/** What the next item is to say, by kind. */
	warnings: Record<string, string>;
}

/** Tells setups apart: by what the user wrote and not by what an expression yields, which may differ at each poll. */
export function settingsOf(context: IPollFunctions, { connection }: Client, sheet: SheetAddress) {
	const { parameters, credentials = {} } = context.getNode();
	const { baseUrl, account, credentialType } = connection;
	const { filters, events, startFrom, startDate } = parameters;
	const options: unknown = parameters.options;
	const view = isObject(options) ? options.sharedViewId : undefined;
	const place = [baseUrl, sheetPath(account, sheet), credentials[credentialType]?.id];
	const chosen = Array.isArray(events) ? [...events].sort() : events;
	const source = short([place, filters, chosen, view, startFrom, startDate]);
	return { source, settings: short({ ...parameters, pollTimes: undefined }) };
}

/** Returns what is stored, if the node understands it. */
export function loadState({ state }: IDataObject): PollState | undefined {
	if (!isObject(state) || state.version !== version) return undefined;
	return fromText<PollState>(String(state.known));
}

/** Stores what is known, in one step at the end of a poll: one that fails before leaves it as it was. */
export function storeState(staticData: IDataObject, state: PollState): void {
	staticData.state = { version, known: toText(state) };
}

/** Returns a value as JSON, with maps as lists of entries, and sets of ids as one text, which is shorter. */
export function toText(value: object): string {
	return JSON.stringify(value, (_, member: unknown) => {
		if (member instanceof Set) return { set: [[...member].join(' ')] };
		return member instanceof Map ? { map: [...member] } : member;
	});
}

/** Returns what `toText` was made of. */
export function fromText<T>(text: string): T {
	return JSON.parse(text, (_, member: unknown) => {
		if (!isObject(member)) return member;
		if (Array.isArray(member.set)) return new Set(String(member.set).split(' ').filter(Boolean));
		return Array.isArray(member.map) ? new Map(member.map) : member;
	});
}

/** Notes what the watched fields of a record hold. Returns which of them changed since they were noted before. */
export function noteWatched(
	watched: WatchedRecords,
	{ id, content }: SheetRecord,
	keys: readonly string[],
): FieldChanges {
	const before = watched.get(id);
	const states = fieldStates(content, keys);
	if (states) {
		watched.delete(id);
		watched.set(id, states);
	}
	const [oldest] = watched.keys();
	if (watched.size > mostWatched && oldest !== undefined) watched.delete(oldest);
	return fieldChanges(keys, before, states);
}

function short(value: unknown): string {
	return textDigest(JSON.stringify(value)).slice(0, 22);
}
