import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { ServiceError } from '../api/http/serviceError';
import { textDigest } from '../api/json/canonicalJson';
import type { JsonObject } from '../api/json/orderedJson';
import { getOrInsert } from '../api/json/objects';
import { InputError } from '../api/values/inputError';
import { nodeError, withAdvice } from '../shared/nodeError';
import { AbsentField } from '../shared/nodeFilter';
import { itemsWithFiles, withWarnings } from '../shared/output/recordFiles';
import { RenamedField } from '../shared/output/returnedFields';
import { nodeKeyOf } from '../shared/trigger';
import { fieldChanges } from '../shared/watchedFields';
import { applySettings, hasChangeEvents } from './changedSettings';
import { forgetValues, type RecordChange } from './cursor';
import { firstDeletionCheck } from './deletionCheck';
import { maxItems } from './findChanges';
import { newChanges, OutdatedNames, startChanges } from './newChanges';
import { newDeletions, startDeletions, type DeletionCheckCount } from './newDeletions';
import {
	checkedSettings,
	settingsOf,
	startCall,
	type CurrentSettings,
	type PollCall,
	type PollContext,
} from './pollCall';
import { startTime } from './pollingParameters';
import { loadState, parseState, stateText, storeState } from './pollState';
import type { LoadedState, PollState } from './pollState';
import { PollDeadline } from './pollDeadline';
import { warn, warningTexts } from './pollWarnings';
import { createTime, timeAfter, updateTime } from './updateTimes';
import { fetchWatchedKeys } from './watchedValues';

/** Maximum duration of a poll in ms, for versions of n8n that do not set one. */
const defaultBudgetMilliseconds = 300_000;

/** The polls of a node in this process. */
interface NodePolls extends DeletionCheckCount {
	isRunning: boolean;
	/** Number of consecutive polls that found a list of another sheet. */
	otherSheetPolls: number;
	/** The last poll that emitted items: digest of the state at its start, and its time in monotonic ms. */
	emitted?: { state: string; at: number };
	/** The start of the node, until n8n has stored its state: the state as text, and its time in monotonic ms. */
	started?: { state: string; at: number };
}

const nodePolls = processCache<NodePolls>('polls');

/**
 * Time after a poll that started the node or emitted items, in ms, in which a poll may still get the stored state of before. With
 * durable cursors, n8n may start a poll before it has stored the new state. That poll must not start the node again, which would
 * lose the changes in between, and must not emit the same items again.
 */
const maxCommitMilliseconds = 60_000;

/** Errors of a poll with a list of fields from before a renaming. The poll starts again with a new list. */
const outdatedLists = [OutdatedNames, AbsentField, RenamedField];

/** Maximum number of consecutive polls that only warn about a list of another sheet. Further polls fail. */
const maxOtherSheetPolls = 5;

/**
 * Returns the changes since the last poll, one item per record. Returns null without changes, when the node starts, and if an
 * earlier poll is still running. Throws NodeOperationError for wrong settings, and NodeApiError for errors of the service.
 */
export async function poll(context: PollContext): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const polls = getOrInsert(nodePolls, nodeKeyOf(context), () => ({
		isRunning: false,
		otherSheetPolls: 0,
	}));
	if (!isTest && polls.isRunning) return null;
	if (!isTest) polls.isRunning = true;
	const deadline = new PollDeadline(context.getPollBudgetMs?.() ?? defaultBudgetMilliseconds);
	try {
		const itemsOf = async (areNamesNew: boolean) => {
			const call = await startCall(context, deadline.signal, areNamesNew);
			return isTest ? await newestItem(call) : await newItems(call, polls, deadline);
		};
		const items = await itemsOf(false).catch(async (thrown: unknown) => {
			if (!outdatedLists.some((each) => thrown instanceof each)) throw thrown;
			return await itemsOf(true);
		});
		return items.length === 0 ? null : [items];
	} catch (thrown) {
		const failure = deadline.failureOf(thrown);
		if (isTest) throw nodeError(context.getNode(), failure, 0);
		throw failureOfPoll(context, failure);
	} finally {
		if (!isTest) polls.isRunning = false;
	}
}

/** Returns the error of a failed poll. A user who publishes a workflow, which starts the node, sees only its message. */
function failureOfPoll(context: PollContext, failure: unknown) {
	const isStarted = loadState(context.getWorkflowStaticData('node')).state !== undefined;
	const node = context.getNode();
	return isStarted
		? nodeError(node, withOutlook(failure), 0)
		: withAdvice(nodeError(node, failure, 0));
}

/** Returns the failure with a sentence that no change is lost. */
function withOutlook(thrown: unknown): unknown {
	const outlook = 'No change is lost: the next successful poll emits these changes.';
	if (thrown instanceof ServiceError) {
		return thrown.with({ description: joined(thrown.details.description, outlook) });
	}
	if (!(thrown instanceof InputError)) return thrown;
	const { message, description, remedy, isPassing } = thrown;
	return new InputError(message, joined(description, outlook), remedy, isPassing);
}

function joined(description: string | undefined, sentence: string): string {
	return description ? `${description} ${sentence}` : sentence;
}

/**
 * Returns the item of a test run: the most recently changed record that matches; an empty list if no record matches. Its event
 * starts the workflow. With watched fields it is an update of all of them.
 */
async function newestItem(call: PollCall): Promise<INodeExecutionData[]> {
	const { reader, settings, sheet } = call;
	const record = await reader.fetchNewestMatch();
	if (!record) return [];
	const ids = await checkedSettings(call);
	const watched = ids && (await fetchWatchedKeys(call.sheetFields, ids, settings.naming, [record]));
	const fields = watched && fieldChanges([...watched.keys.values()], undefined, undefined);
	const isNew = !watched && isEmittedAsNew(call, record.content);
	const change: RecordChange = { record, event: isNew ? 'CREATE' : 'UPDATE', fields };
	const items = await call.changeItems.changed([change]);
	return await itemsWithFiles(call, { ...settings, sheet }, items, settings.form);
}

/** Returns whether a test run emits a record as created: by its times, unless only creations or only updates start the workflow. */
function isEmittedAsNew({ events }: PollCall, content: JsonObject): boolean {
	const startsOnBoth = events.includes('CREATE') === events.includes('UPDATE');
	return startsOnBoth ? createTime(content) === updateTime(content) : events.includes('CREATE');
}

/** Returns the items of a poll, and stores the state after them. Throws OutdatedNames if the names of fields were swapped. */
async function newItems(
	call: PollCall,
	polls: NodePolls,
	deadline: PollDeadline,
): Promise<INodeExecutionData[]> {
	const { context, sheet, settings, changeItems } = call;
	const staticData = context.getWorkflowStaticData('node');
	const current = settingsOf(context, call);
	const loaded = loadState(staticData);
	const state = loaded.state ?? unstoredStart(staticData, polls);
	if (!state || ![current.source, current.version10Source].includes(state.source)) {
		await startPolling(call, current, polls, loaded);
		return [];
	}
	if (loaded.state) polls.started = undefined;
	await applySettings(call, state, current);
	const stored = textDigest(JSON.stringify(staticData.state ?? null));
	if (isEmittedFrom(stored, polls)) return [];
	const { remaining } = state;
	// Stored values have the names of before, so they are not compared.
	if (call.areNamesNew && state.cursor) forgetValues(state.cursor);
	const { changes, isOtherSheet } = await newChanges(call, state);
	polls.otherSheetPolls = isOtherSheet ? polls.otherSheetPolls + 1 : 0;
	if (polls.otherSheetPolls > maxOtherSheetPolls) throw repeatedOtherSheet();
	// The check for deletions may use up the time of the poll, so the items of changes are made before it.
	const changed = withRemaining(await changeItems.changed(changes), remaining);
	const limits = { deadline, maxDeletions: maxItems - changes.length };
	const { deletedIds, restored } = await newDeletions(call, state, polls, limits);
	const items = [
		...changed,
		...(await changeItems.changed(restored)),
		...changeItems.deleted(deletedIds),
	];
	const warned = withWarnings(items, Object.values(state.warnings));
	const output = await itemsWithFiles(call, { ...settings, sheet }, warned, settings.form);
	if (output.length > 0) {
		state.warnings = {};
		polls.emitted = { state: stored, at: performance.now() };
	}
	storeState(staticData, state);
	return output;
}

/** Returns whether this process already emitted items from the stored state, and n8n has not stored the new state yet. */
function isEmittedFrom(stored: string, { emitted }: NodePolls): boolean {
	return emitted?.state === stored && performance.now() - emitted.at < maxCommitMilliseconds;
}

/** Returns the state of a start in this process that n8n has not stored yet. */
function unstoredStart(staticData: IDataObject, { started }: NodePolls): PollState | undefined {
	if (staticData.state !== undefined || !started) return undefined;
	return performance.now() - started.at < maxCommitMilliseconds
		? parseState(started.state)
		: undefined;
}

/**
 * Stores the first state of a node. It emits the changes from now on, or from the start that 'Start From' sets. If the state is
 * damaged, but all records of that start were emitted, it continues from now.
 */
async function startPolling(
	call: PollCall,
	current: CurrentSettings,
	polls: NodePolls,
	{ isDamaged, finishedSource }: LoadedState,
): Promise<void> {
	const { context, events, reader } = call;
	const { source, selection, settings, reading } = current;
	const staticData = context.getWorkflowStaticData('node');
	const ids = await checkedSettings(call);
	const watched = ids && { ids, values: new Map() };
	const deletions = firstDeletionCheck();
	const known = { source, selection, settings, reading };
	const state: PollState = { ...known, watched, deletions, warnings: {} };
	const isContinued = isDamaged && finishedSource === source;
	const startFrom = isContinued ? undefined : startTime.parse(call);
	if (hasChangeEvents(events)) {
		// Test the filters once, so that a filter that the service rejects fails at activation.
		if (reader.hasConditions) await reader.fetchNewestMatch();
		await startChanges(call, state);
		if (state.cursor && startFrom !== undefined) {
			// A change in the second of the start is not emitted yet. Before the first record, `timeAfter` returns an empty text.
			const completeSince = timeAfter(startFrom, -1);
			const since = { readFrom: startFrom, completeSince, startedEmptyAt: undefined };
			state.cursor = { ...state.cursor, ...since, emitted: new Map() };
		}
	}
	await startDeletions(call, state, polls, maxItems);
	if (startFrom === '') state.remaining = await reader.fetchCount();
	if (isContinued) warn(call, state, 'restart', warningTexts.continued);
	else if (staticData.state !== undefined) warn(call, state, 'restart', warningTexts.restart);
	storeState(staticData, state, startFrom !== undefined);
	// Store the state now: this poll emits no items, and n8n with durable cursors drops the state of such a poll at activation.
	await context.__commitCursor?.();
	polls.started = { state: stateText(state), at: performance.now() };
}

function repeatedOtherSheet(): InputError {
	return new InputError(
		`The service returned lists with records that are not on this sheet, in more than ${maxOtherSheetPolls} polls in a row`,
		'Check in the service whether the user of the credential may open each record that the sheet lists.',
		undefined,
		true,
	);
}

/** Adds `_remaining` to the items of Start From All Records: the number of records that follow. */
function withRemaining(items: IDataObject[], before: number | undefined): IDataObject[] {
	if (before === undefined) return items;
	const first = Math.max(before, items.length) - 1;
	return items.map((item, index) => ({ ...item, _remaining: first - index }));
}
