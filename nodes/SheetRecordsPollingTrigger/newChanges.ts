import type { JsonObject } from '../api/json/orderedJson';
import { listOf } from '../api/sheet/fields';
import type { WebhookEvent } from '../api/webhooks/delivery';
import { maxTriggerFiles } from '../shared/output/recordFiles';
import { lostFieldsText } from '../shared/watchedFields';
import type { RecordChange } from './cursor';
import { noteExisting } from './deletionCheck';
import { findChanges, maxItems, startCursor, type FoundChanges } from './findChanges';
import type { PollCall } from './pollCall';
import type { PollState } from './pollState';
import { warn, warningTexts } from './pollWarnings';
import type { ReadRecord } from './sheetReader';
import { createTime, updateTime } from './updateTimes';
import { fetchWatchedKeys, noteWatched } from './watchedValues';

/** Thrown when the records of a poll show that the names of fields were swapped, so that the node compares wrong fields. */
export class OutdatedNames extends Error {}

/** Sets the cursor after all current changes, and stores the watched values of the most recently changed records. */
export async function startChanges(call: PollCall, state: PollState): Promise<void> {
	const { cursor, newest, undated } = await startCursor(call.reader, Date.now());
	state.cursor = cursor;
	warnOfUndated(call, state, undated);
	await noteWatchedValues(call, state, newest);
}

/** Stores the watched values of records, which are sorted from the latest change to the earliest. */
export async function noteWatchedValues(
	{ sheetFields, settings }: PollCall,
	{ watched }: PollState,
	latestFirst: readonly ReadRecord[],
): Promise<void> {
	if (!watched || latestFirst.length === 0) return;
	const keys = await fetchWatchedKeys(sheetFields, watched.ids, settings.naming, latestFirst);
	// The earliest are dropped first.
	for (const record of [...latestFirst].reverse()) noteWatched(watched, record, keys);
}

/**
 * Returns the changes to emit, and moves the cursor after them. A list that is empty or of another sheet does not move it. If
 * the first list was empty by mistake, the node starts again from now, without changes. Without a cursor, returns no changes.
 */
export async function newChanges(
	call: PollCall,
	state: PollState,
): Promise<{ changes: RecordChange[]; isOtherSheet: boolean }> {
	const { cursor } = state;
	if (!cursor) return { changes: [], isOtherSheet: false };
	const { reader, settings } = call;
	const select = async (changes: RecordChange[]) =>
		await selectChanges(call, state, cursor.readFrom, changes);
	const maxChanges = settings.downloadFiles?.length ? maxTriggerFiles : maxItems;
	const isExpected = cursor.pass?.position !== undefined || (state.remaining ?? 0) > 0;
	const found = await findChanges(cursor, reader, select, { maxChanges, now: Date.now });
	if (found.problem === 'emptyStart') {
		await startChanges(call, state);
		warn(call, state, 'emptyStart', warningTexts.emptyStart);
		return { changes: [], isOtherSheet: false };
	}
	warnAbout(call, state, found, isExpected);
	warnOfUndated(call, state, found.undated);
	if (state.remaining !== undefined) {
		const remaining = Math.max(0, state.remaining - found.changes.length);
		state.remaining = found.isAtEnd ? undefined : remaining;
	}
	return { changes: found.changes, isOtherSheet: found.problem === 'otherSheet' };
}

/** Warns of records whose changes cannot be found. */
function warnOfUndated(call: PollCall, state: PollState, ids: ReadonlySet<string>): void {
	if (ids.size === 0) return;
	const isOne = ids.size === 1;
	const records = isOne ? `record ${[...ids].join()}` : `the records ${listOf([...ids])}`;
	const reason = isOne ? 'it has' : 'they have';
	const text = `Changes of ${records} cannot be found, because ${reason} no valid Last Update Date. All others are complete`;
	warn(call, state, 'undated', text);
}

/** @param isChangeExpected whether an earlier poll left a part of the list unread, or Start From All Records is in progress */
function warnAbout(
	call: PollCall,
	state: PollState,
	{ problem, isSetBack }: FoundChanges,
	isChangeExpected: boolean,
): void {
	if (problem === 'otherSheet') warn(call, state, 'otherSheet', warningTexts.otherSheet);
	// An empty list is normal if nothing changed.
	if (problem === 'empty' && isChangeExpected) {
		warn(call, state, 'emptyList', warningTexts.emptyList);
	}
	if (isSetBack) warn(call, state, 'setBack', warningTexts.setBack);
}

/**
 * Returns the changes that match the conditions that the node evaluates, the selected events and the watched fields. Watched
 * fields are resolved in each poll with changes, because they may have been renamed.
 */
async function selectChanges(
	call: PollCall,
	state: PollState,
	readFrom: string,
	found: RecordChange[],
): Promise<RecordChange[]> {
	const { events, reader, settings } = call;
	await requireCurrentNames(call, found);
	const changes = reader.withMatching(found);
	if (changes.length === 0) return [];
	const { watched, deletions } = state;
	const records = changes.map(({ record }) => record);
	const watchedKeys =
		watched && (await fetchWatchedKeys(call.sheetFields, watched.ids, settings.naming, records));
	const lost = watched?.ids.filter((id) => !watchedKeys?.keys.has(id)) ?? [];
	if (lost.length > 0) warn(call, state, 'watched', lostFieldsText(lost));
	return changes.filter((change) => {
		const { record } = change;
		if (reader.hasConditions && isUpdatedToMatch(record.content, readFrom, events)) {
			change.event = 'UPDATE';
		}
		const isRestored = events.includes('DELETE') && noteExisting(deletions, record.id);
		if (isRestored) change.event = 'CREATE';
		if (!watched || !watchedKeys?.keys.size) return events.includes(change.event);
		const fields = noteWatched(watched, record, watchedKeys);
		if (change.event === 'UPDATE') change.fields = fields;
		const isWatched = change.event === 'CREATE' || fields.changed.length > 0;
		return isWatched && events.includes(change.event);
	});
}

/** Throws OutdatedNames if fields have swapped their names since the list of fields was loaded. The next list is new. */
async function requireCurrentNames(
	{ settings, reading, sheetFields, areNamesNew }: PollCall,
	[first]: readonly RecordChange[],
): Promise<void> {
	// Another order in a poll that started again is no news: the service may return the fields in any order.
	if (areNamesNew) return;
	const hasAllFields = settings.naming !== 'EID' && !reading.fields?.length;
	if (!first || !hasAllFields) return;
	const keys = [...first.record.content.keys()];
	if (await sheetFields.noteReadOrder(keys)) throw new OutdatedNames();
}

/**
 * Returns whether a record that starts to match the conditions is emitted as an update. If only Record Updated is selected, every
 * record that changed after its creation is. If only Record Created is selected, no record is. If both are selected, records
 * that were created before `readFrom` are.
 */
function isUpdatedToMatch(
	content: JsonObject,
	readFrom: string,
	events: readonly WebhookEvent[],
): boolean {
	const created = createTime(content) ?? '';
	if (!events.includes('CREATE')) return created !== updateTime(content);
	return events.includes('UPDATE') && created < readFrom;
}
