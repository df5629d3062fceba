import type { WebhookEvent } from '../api/webhooks/delivery';
import { forgetValues, isEmittedState, passSkipped, type Cursor } from './cursor';
import { firstDeletionCheck } from './deletionCheck';
import { fetchNewestOfSheet } from './findChanges';
import { noteWatchedValues, startChanges } from './newChanges';
import { checkedSettings, type CurrentSettings, type PollCall } from './pollCall';
import { startTime } from './pollingParameters';
import type { PollState } from './pollState';
import type { ReadRecord } from './sheetReader';
import { fetchWatchedKeys, noteNewlyWatched, withWatched } from './watchedValues';

/** Returns whether the node looks for changed records, and not only for deleted ones. */
export function hasChangeEvents(events: readonly WebhookEvent[]): boolean {
	return events.includes('CREATE') || events.includes('UPDATE');
}

/**
 * Applies settings that changed without a new start. Keeps the known state, and starts the rest with the present sheet. Drops the
 * state that no selected event needs. Throws InputError if a setting is wrong, and ServiceError.
 */
export async function applySettings(
	call: PollCall,
	state: PollState,
	current: CurrentSettings,
): Promise<void> {
	state.source = current.source;
	dropUnneeded(state, call.events);
	const { selection = current.selection } = state;
	state.selection = current.selection;
	if (state.settings === current.settings) {
		state.reading ??= current.reading;
		noteReading(state, current.reading);
		return;
	}
	const ids = await checkedSettings(call);
	// The start is not finished, so it must be valid.
	if (state.remaining !== undefined) startTime.parse(call);
	state.settings = current.settings;
	const isOtherSelection = selection !== current.selection;
	const isOtherReading = state.reading !== undefined && state.reading !== current.reading;
	noteReading(state, current.reading);
	if (isOtherSelection) startOtherDeletions(state);
	// Test the filters once, so that a filter that the service rejects fails at activation.
	if (isOtherSelection && call.reader.hasConditions) await call.reader.fetchNewestMatch();
	if (hasChangeEvents(call.events) && !state.cursor) {
		state.watched = ids && { ids, values: new Map() };
		return await startChanges(call, state);
	}
	await continueChanges(call, state, ids, { isOtherSelection, isOtherReading });
}

/** Drops the digests of values if records are read with other options now. */
function noteReading(state: PollState, reading: CurrentSettings['reading']): void {
	if (state.cursor && state.reading !== reading) forgetValues(state.cursor);
	state.reading = reading;
}

/** Drops the parts of the state that no selected event needs. */
function dropUnneeded(state: PollState, events: readonly WebhookEvent[]): void {
	if (!events.includes('DELETE')) state.deletions = firstDeletionCheck();
	if (hasChangeEvents(events)) return;
	delete state.cursor;
	delete state.remaining;
}

/** Settings that differ from those of the last poll. */
interface ChangedParts {
	/** Whether the filters or the view differ. */
	isOtherSelection: boolean;
	/** Whether the read options differ, with which a field may have another value in the same record, such as a masked one. */
	isOtherReading: boolean;
}

/**
 * Continues with the cursor: new watched fields, and all of them with other read options, start with their present values, and other
 * filters with the present records.
 */
async function continueChanges(
	call: PollCall,
	state: PollState,
	ids: readonly string[] | undefined,
	{ isOtherSelection, isOtherReading }: ChangedParts,
): Promise<void> {
	const { watched, cursor } = state;
	state.watched = ids && withWatched(watched, ids);
	const newIds = ids?.filter((id) => !watched?.ids.includes(id)) ?? [];
	const isAnyNew = newIds.length > 0 || (isOtherReading && ids !== undefined);
	if (!cursor || !(isAnyNew || isOtherSelection)) return;
	const newest = await fetchNewestOfSheet(cursor, call.reader);
	// A record that was not changed since has the same values, which other read options may only show differently.
	const idsToStart = (record: ReadRecord) =>
		isOtherReading && isEmittedState(cursor, record) ? (ids ?? []) : newIds;
	if (isAnyNew) await startWatching(call, state, newest, idsToStart);
	if (isOtherSelection) await selectOthers(call, state, cursor, newest);
}

/** In the most recently changed records, the watched fields with the IDs of `idsToStart` start with their present values. */
async function startWatching(
	call: PollCall,
	{ watched }: PollState,
	newest: readonly ReadRecord[],
	idsToStart: (record: ReadRecord) => readonly string[],
): Promise<void> {
	if (!watched || newest.length === 0) return;
	const keys = await fetchWatchedKeys(call.sheetFields, watched.ids, call.settings.naming, newest);
	// From the earliest to the latest, because the earliest are dropped first.
	for (const record of [...newest].reverse()) {
		noteNewlyWatched(watched, record, keys, idsToStart(record));
	}
}

/** Continues with other filters: changes that the filters before skipped stay skipped, and their watched values count as known. */
async function selectOthers(
	call: PollCall,
	state: PollState,
	cursor: Cursor,
	newest: readonly ReadRecord[],
): Promise<void> {
	const skipped = passSkipped(cursor, newest, Date.now());
	if (state.remaining !== undefined) {
		state.remaining = Math.max(0, (await call.reader.fetchCount()) - cursor.emitted.size);
	}
	await noteWatchedValues(call, state, skipped);
}

/**
 * Lists the records anew with other filters, so that records that no longer match are no deletions. Records that were emitted as
 * deleted stay known, because they may be restored.
 */
function startOtherDeletions(state: PollState): void {
	const { deleted } = state.deletions;
	state.deletions = { ...firstDeletionCheck(), deleted };
}
