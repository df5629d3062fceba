import type { WebhookEvent } from '../api/webhooks/delivery';
import { forgetValues } from './cursor';
import { firstDeletionCheck } from './deletionCheck';
import { fetchNewestOfSheet } from './findChanges';
import { startChanges } from './newChanges';
import { checkedSettings, type CurrentSettings, type PollCall } from './pollCall';
import { startTime } from './pollingParameters';
import type { PollState } from './pollState';
import { fetchWatchedKeys, noteNewlyWatched, withWatched } from './watchedValues';

/** Returns whether the node looks for changed records, and not only for deleted ones. */
export function hasChangeEvents(events: readonly WebhookEvent[]): boolean {
	return events.includes('CREATE') || events.includes('UPDATE');
}

/**
 * Applies settings that changed without a new start: what is known stays, and the rest starts with the sheet as it is now. Drops
 * what no selected event needs. Throws InputError if a setting is wrong, and ServiceError.
 */
export async function applySettings(
	call: PollCall,
	state: PollState,
	current: CurrentSettings,
): Promise<void> {
	const { events } = call;
	state.source = current.source;
	if (!events.includes('DELETE')) state.deletions = firstDeletionCheck();
	if (!hasChangeEvents(events)) {
		delete state.cursor;
		delete state.remaining;
	}
	if (state.settings === current.settings) {
		state.reading ??= current.reading;
		return;
	}
	const ids = await checkedSettings(call);
	// The start is not finished, so it must be valid.
	if (state.remaining !== undefined) startTime.parse(call);
	state.settings = current.settings;
	if (state.cursor && state.reading !== current.reading) forgetValues(state.cursor);
	state.reading = current.reading;
	if (hasChangeEvents(events) && !state.cursor) {
		state.watched = ids && { ids, values: new Map() };
		return await startChanges(call, state);
	}
	await changeWatched(call, state, ids);
}

/** Watches other fields. Fields that are watched from now on start with their present values in the most recently changed records. */
async function changeWatched(
	call: PollCall,
	state: PollState,
	ids: readonly string[] | undefined,
): Promise<void> {
	const { cursor, watched } = state;
	state.watched = ids && withWatched(watched, ids);
	const newIds = ids?.filter((id) => !watched?.ids.includes(id)) ?? [];
	if (!state.watched || newIds.length === 0) return;
	const newest = await fetchNewestOfSheet(cursor, call.reader);
	if (newest.length === 0) return;
	const keys = await fetchWatchedKeys(call, state.watched.ids, call.settings.naming, newest);
	// From the earliest to the latest, because the earliest are dropped first.
	for (const record of newest.reverse()) noteNewlyWatched(state.watched, record, keys, newIds);
}
