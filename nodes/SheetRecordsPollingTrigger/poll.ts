import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { textDigest } from '../api/json/canonicalJson';
import { getOrInsert } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { nodeError } from '../shared/nodeError';
import {
	fileKeys,
	itemsWithFiles,
	maxTriggerFiles,
	withWarnings,
} from '../shared/output/recordFiles';
import { outputShape } from '../shared/output/recordOutput';
import { changeItem, logWarning, nodeKeyOf, watchedKeys } from '../shared/trigger';
import { fieldChanges } from '../shared/watchedFields';
import { InputError } from '../api/values/inputError';
import { isSubtableKey } from '../api/values/subtableKeys';
import { createTime, updateTime } from './updateTimes';
import type { WebhookEvent } from '../api/webhooks/delivery';
import { cursorBehind, dropDigests, mostItems, newestRecords, readChanges } from './cursor';
import type { Change } from './cursor';
import { checkDeletions, noteThere, type DeletionCheck } from './deletionCheck';
import { itemsOf, startCall, type PollCall, type PollContext } from './pollCall';
import { startTime } from './pollingParameters';
import { loadState, noteWatched, settingsOf, storeState, type PollState } from './pollState';
import { timeOf } from './sheetReader';

/** Versions of n8n that do not say how long a poll may take do not end it. */
const usualMilliseconds = 300_000;

/** What this process knows of the polls of a node. */
interface NodePolls {
	isRunning: boolean;
	/** How many polls ago deleted records were looked for. */
	sinceCheck?: number;
	/** The last poll that emitted: from which state, and when, on a clock that is never set. */
	emitted?: { state: string; at: number };
}

const nodePolls = processCache<NodePolls>('polls');

/**
 * n8n commits what a poll emitted after the poll, and fetches the state of several due polls before the first: one
 * that begins with the state of a poll that has emitted would emit the same again. Later, the commit has failed.
 */
const longestCommit = 60_000;

/**
 * Returns what changed since the last poll, one item for each record; null when nothing did, when the node starts, and
 * while an earlier poll is still running. Throws NodeOperationError for wrong settings, NodeApiError for refusals.
 */
export async function poll(context: PollContext): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const polls = getOrInsert(nodePolls, nodeKeyOf(context), () => ({ isRunning: false }));
	if (!isTest && polls.isRunning) return null;
	if (!isTest) polls.isRunning = true;
	const time = AbortSignal.timeout(context.getPollBudgetMs?.() ?? usualMilliseconds);
	try {
		const call = await startCall(context, time);
		const items = await (isTest ? newestItem(call) : changedItems(call, polls));
		return items.length === 0 ? null : [items];
	} catch (thrown) {
		throw nodeError(context.getNode(), failureOf(thrown, time), 0);
	} finally {
		if (!isTest) polls.isRunning = false;
	}
}

/** Returns what was thrown, or an InputError that says so when the time of the poll is over. */
function failureOf(thrown: unknown, time: AbortSignal | undefined): unknown {
	if (!time?.aborted) return thrown;
	return new InputError(
		'The service did not answer within the time that n8n gives a poll',
		"Nothing is lost: the next poll asks again. Narrow 'Filters', or set 'Subtables' to off, so that less has to be read.",
		undefined,
		true,
	);
}

/** Returns the newest match, with watched fields as an update of all of them: the editor then shows what updates hold. */
async function newestItem(call: PollCall): Promise<INodeExecutionData[]> {
	const record = await call.reader.newestMatch();
	if (!record) return [];
	const keys = await watchedKeys(call, call.events, call.settings.naming);
	const isNew = !keys && createTime(record.content) === updateTime(record.content);
	const fields = keys && fieldChanges(keys, undefined, undefined);
	const items = await itemsOf(call, [{ record, event: isNew ? 'CREATE' : 'UPDATE', fields }]);
	return await itemsWithFiles(call, call.sheet, call.settings, items, call.settings.form);
}

async function changedItems(call: PollCall, polls: NodePolls): Promise<INodeExecutionData[]> {
	const { context, sheet, settings } = call;
	const staticData = context.getWorkflowStaticData('node');
	const own = settingsOf(context, call.client, sheet);
	const state = loadState(staticData);
	if (state?.source !== own.source) {
		const start = await startState(call, own);
		if (staticData.state !== undefined) warn(call, start, 'restart', restartWarning);
		storeState(staticData, start);
		polls.sinceCheck = 0;
		// n8n with durable cursors drops what the poll at activation stores, unless it emits something.
		await context.__commitCursor?.();
		return [];
	}
	if (state.settings !== own.settings) {
		state.settings = own.settings;
		state.watchedKeys = await checkedKeys(call);
		if (state.cursor) dropDigests(state.cursor);
	}
	const loaded = textDigest(JSON.stringify(staticData.state));
	const { emitted } = polls;
	if (emitted?.state === loaded && performance.now() - emitted.at < longestCommit) return [];
	const changes = await changeItems(call, state);
	const deletions = await deletionItems(call, state, polls, mostItems - changes.length);
	const warned = withWarnings([...changes, ...deletions], Object.values(state.warnings));
	const items = await itemsWithFiles(call, sheet, settings, warned, settings.form);
	if (items.length > 0) {
		state.warnings = {};
		polls.emitted = { state: loaded, at: performance.now() };
	}
	storeState(staticData, state);
	return items;
}

/** Returns the keys of the watched fields. Throws what is wrong in settings that only matter when there are items. */
async function checkedKeys(call: PollCall): Promise<string[] | undefined> {
	await outputShape(call.client, call.sheet, call.settings);
	await fileKeys(call.client, call.sheet, call.settings);
	const keys = await watchedKeys(call, call.events, call.settings.naming);
	if (call.settings.subtables !== false || !keys?.some(isSubtableKey)) return keys;
	throw new InputError(
		"'Watch Field Names or IDs' has a subtable, which is not read with 'Subtables' off",
		"Remove the option 'Subtables', or watch other fields.",
	);
}

/** Returns the state of a node that emits what changes from now on, or since Start From says. */
async function startState(call: PollCall, own: ReturnType<typeof settingsOf>): Promise<PollState> {
	const { reader, events } = call;
	const now = Date.now();
	const watchedKeys = await checkedKeys(call);
	const start = startTime.parse(call);
	const deletions: DeletionCheck = { held: new Set(), checkedAt: 0 };
	const state: PollState = { ...own, watchedKeys, watched: new Map(), deletions, warnings: {} };
	if (events.includes('CREATE') || events.includes('UPDATE')) {
		// A filter that the service refuses is to be said on activation.
		if (reader.isFiltered) await reader.newestMatch();
		const newest = await newestRecords(reader);
		for (const record of [...newest].reverse()) {
			if (watchedKeys) noteWatched(state.watched, record, watchedKeys);
		}
		const since = start === undefined ? {} : { time: start, floor: start, emitted: new Map() };
		state.cursor = { ...cursorBehind(newest, now), ...since };
	}
	if (events.includes('DELETE')) await checkDeletions(deletions, reader, mostItems, now);
	if (start === '') state.remaining = await reader.count();
	return state;
}

async function changeItems(call: PollCall, state: PollState): Promise<IDataObject[]> {
	const { cursor, watched, watchedKeys: keys, deletions } = state;
	if (!cursor) return [];
	const { events, settings, reader } = call;
	const { time } = cursor;
	const isWanted = (change: Change) => {
		const { record } = change;
		const isMatch = reader.isFiltered && isUpdatedToMatch(record.content, cursor.time, events);
		if (isMatch) change.event = 'UPDATE';
		if (noteThere(deletions, record.id)) change.event = 'CREATE';
		const { event } = change;
		if (!keys) return events.includes(event);
		const changes = noteWatched(watched, record, keys);
		if (event === 'UPDATE') change.fields = changes;
		return events.includes(event) && (event === 'CREATE' || changes.changed.length > 0);
	};
	const most = settings.downloadFiles?.length ? maxTriggerFiles : mostItems;
	const changes = await readChanges(cursor, reader, isWanted, Date.now, most);
	if (changes.some(({ record }) => timeOf(record) < time)) {
		warn(call, state, 'clock', setBackWarning);
	}
	const items = await itemsOf(call, changes);
	if (state.remaining === undefined) return items;
	const left = Math.max(0, state.remaining - items.length);
	const first = left + items.length - 1;
	state.remaining = cursor.pass ? left : undefined;
	return items.map((item, index) => ({ ...item, _remaining: first - index }));
}

/** Returns whether a record that comes to match filters counts as updated. Where one event is wanted, none is lost by that. */
function isUpdatedToMatch(content: JsonObject, time: string, events: readonly WebhookEvent[]) {
	const created = createTime(content) ?? '';
	if (!events.includes('CREATE')) return created !== updateTime(content);
	return events.includes('UPDATE') && created < time;
}

async function deletionItems(
	call: PollCall,
	state: PollState,
	polls: NodePolls,
	most: number,
): Promise<IDataObject[]> {
	const { client, events, reader, settings, sheet } = call;
	const { cursor, deletions } = state;
	if (!events.includes('DELETE')) return [];
	const now = Date.now();
	const minutes = Math.abs(now - deletions.checkedAt) / 60_000;
	// A process that has not polled before counts the minutes: how often others have polled is not known.
	polls.sinceCheck = polls.sinceCheck === undefined ? minutes : polls.sinceCheck + 1;
	// What the last check missed is looked for again.
	const isDue = deletions.held.size > 0 || polls.sinceCheck >= settings.deletionCheckEvery;
	if (!isDue || most <= 0) return [];
	const check = checkDeletions(deletions, reader, most, now);
	const { emitted, heldBack } = await check.catch((thrown: unknown) => {
		const failure = failureOf(thrown, client.signal);
		// The other events go on.
		if (!(failure instanceof InputError) || !cursor) throw failure;
		const message = `Deleted records are not noticed. ${failure.message}. ${failure.description}`;
		warn(call, state, 'deletions', message);
		return { emitted: [], heldBack: 0 };
	});
	polls.sinceCheck = 0;
	delete state.warnings['held back'];
	if (heldBack > 0) {
		const message = `The service's list left out ${heldBack} records without a proof that they are deleted. They are emitted as deleted when a later poll finds the same`;
		warn(call, state, 'held back', message);
	}
	return emitted.map((recordId) => {
		const change = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
		return changeItem(change, client.connection.account, sheet, settings.form);
	});
}

const restartWarning =
	'The sheet, the filters, the events or the credential are others than before, or the node is of another version: it starts again where Start From says';

const setBackWarning =
	"Changes are dated before others that were emitted: the service's clock or the account's time zone was set back, or a record is dated ahead. They are emitted now, and the node goes on from there";

/** Writes a warning into n8n's log, and notes it for the next item. */
function warn({ context }: PollCall, { warnings }: PollState, kind: string, message: string): void {
	logWarning(context, `Sheet Records Polling Trigger: ${message}`, kind);
	warnings[kind] = `${message}.`.replace(/\.+$/, '.');
}
