import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { textDigest } from '../api/json/canonicalJson';
import { getOrInsert } from '../api/json/objects';
import { nodeError } from '../ui/nodeError';
import { parseParameters, type SheetContext } from '../ui/parameter';
import { fileKeys, mostItemsWithFiles, withWarnings } from '../ui/recordFiles';
import { outputReadOptions, outputShape } from '../ui/recordOutput';
import { connectTrigger, logWarning, nodeKeyOf, watchedFields, watchedKeys } from '../ui/trigger';
import { fieldChanges } from '../api/read/watchedFields';
import { InputError } from '../api/values/inputError';
import { isSubtableKey } from '../api/values/subtableKeys';
import { createTime, updateTime } from '../api/read/updateTimes';
import type { WebhookEvent } from '../api/webhooks/delivery';
import { isUpdatedToMatch, mostItems, newestRecords, readChanges } from './changes';
import { cursorBehind, dropDigests, mostCompared, startingAt, timeOf, type Change } from './cursor';
import { checkDeletions, isCheckDue, noteThere, type DeletionCheck } from './deletionCheck';
import {
	conditionsBesideDate,
	eventsToTell,
	startTime,
	outputParameters,
} from './pollingParameters';
import { loadState, noteWatched, settingsOf, storeState, type PollState } from './pollState';
import { deletionItem, itemsOf, withFiles, type ItemSettings } from './items';
import { SheetReader } from './sheetReader';

/** Versions of n8n that do not say how long a poll may take do not end it. */
const usualMilliseconds = 300_000;

/** What this process knows of the polls of a node. */
interface NodePolls {
	isRunning: boolean;
	/** Since the last check for deleted records; undefined before the first one of this process. */
	sinceCheck?: number;
	/** The last poll that emitted: from which state, and when, on a clock that is never set. */
	emitted?: { state: string; at: number };
}

/**
 * n8n commits what a poll emitted after the poll, and fetches the state of several due polls before the first: one
 * that begins with the state of a poll that has emitted would emit the same again. Later, the commit has failed.
 */
const longestCommit = 60_000;

const nodePolls = processCache<NodePolls>('polls');

/** What older versions of n8n do not have. */
type NewerPollFunctions = IPollFunctions & {
	getPollBudgetMs?: () => number;
	__commitCursor?: () => Promise<void>;
};

interface PollCall extends SheetContext, ItemSettings {
	context: NewerPollFunctions;
	events: readonly WebhookEvent[];
	pollsBetweenChecks: number;
	reader: SheetReader;
}

/**
 * Returns what changed since the last poll, one item for each record; null when nothing did, when the node starts, and
 * while an earlier poll is still running. Throws NodeOperationError for wrong settings, NodeApiError for refusals.
 */
export async function poll(context: NewerPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const polls = getOrInsert(nodePolls, nodeKeyOf(context), () => ({ isRunning: false }));
	if (!isTest && polls.isRunning) return null;
	if (!isTest) polls.isRunning = true;
	const time = AbortSignal.timeout(context.getPollBudgetMs?.() ?? usualMilliseconds);
	const polled = startCall(context, time).then(
		async (call) => await (isTest ? newestItem(call) : changedItems(call, polls)),
	);
	const items = await polled
		.catch((thrown: unknown) => {
			throw nodeError(context.getNode(), failureOf(thrown, time), 0);
		})
		.finally(() => isTest || (polls.isRunning = false));
	return items.length === 0 ? null : [items];
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

async function startCall(context: NewerPollFunctions, time: AbortSignal): Promise<PollCall> {
	const call = await connectTrigger(context, time);
	const { client, sheet } = call;
	const events = eventsToTell.parse(call);
	const { simplify, options } = await parseParameters(outputParameters, call);
	const { deletionCheckEvery: pollsBetweenChecks, sharedViewId, form, ...output } = options;
	const reading = await outputReadOptions(client, sheet, output, watchedFields.parse(call));
	const reader = new SheetReader(client, {
		sheet,
		where: await conditionsBesideDate(call),
		search: { sharedViewId },
		reading,
	});
	const settings = { simplify, ...output };
	return { ...call, context, events, settings, form, pollsBetweenChecks, reader };
}

/**
 * The record that matches and was changed last: what is stored stays as it is. With watched fields it is an update of
 * all of them, so that the editor shows what the items of updates hold.
 */
async function newestItem(call: PollCall): Promise<INodeExecutionData[]> {
	const [record] = await call.reader.newest(1, true);
	if (!record) return [];
	const keys = await watchedKeys(call, call.events, call.settings.naming);
	const isNew = !keys && createTime(record.content) === updateTime(record.content);
	const fields = keys && fieldChanges(keys, undefined, undefined);
	const items = await itemsOf(call, [{ record, event: isNew ? 'CREATE' : 'UPDATE', fields }]);
	return await withFiles(call, items);
}

async function changedItems(call: PollCall, polls: NodePolls): Promise<INodeExecutionData[]> {
	const { context } = call;
	const staticData = context.getWorkflowStaticData('node');
	const own = settingsOf(context, call.client, call.sheet);
	const state = loadState(staticData);
	if (state?.source !== own.source) {
		const start = { ...own, ...(await startState(call)) };
		if (staticData.state !== undefined) warn(context, start, 'restart', restartWarning);
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
	const items = await withFiles(call, warned);
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

/** Returns the state of a node that emits what changes from now on. */
async function startState(call: PollCall): Promise<Omit<PollState, 'source' | 'settings'>> {
	const { reader, events } = call;
	const now = Date.now();
	const keys = await checkedKeys(call);
	const deletions: DeletionCheck = { held: new Set(), checkedAt: 0 };
	const state: Omit<PollState, 'source' | 'settings'> = {
		watchedKeys: keys,
		watched: new Map(),
		deletions,
		warnings: {},
	};
	if (events.includes('CREATE') || events.includes('UPDATE')) {
		// A filter that the service refuses is to be said on activation.
		if (reader.isFiltered) await reader.newest(1, true);
		const newest = await newestRecords(reader, mostCompared);
		for (const record of keys ? [...newest].reverse() : []) {
			noteWatched(state.watched, record, keys ?? []);
		}
		state.cursor = startingAt(cursorBehind(newest, now), startTime.parse(call));
	}
	if (events.includes('DELETE')) await checkDeletions(deletions, reader, mostItems, now);
	if (startTime.parse(call) === '') state.remaining = await reader.count();
	return state;
}

async function changeItems(call: PollCall, state: PollState): Promise<IDataObject[]> {
	const { cursor, watched, watchedKeys: keys, deletions } = state;
	if (!cursor) return [];
	const { events, settings, reader } = call;
	const { time } = cursor;
	const isWanted = (change: Change) => {
		if (reader.isFiltered && isUpdatedToMatch(change, cursor, events)) change.event = 'UPDATE';
		if (noteThere(deletions, change.record.id)) change.event = 'CREATE';
		const { event, record } = change;
		if (!keys) return events.includes(event);
		const changes = noteWatched(watched, record, keys);
		if (event === 'UPDATE') change.fields = changes;
		return events.includes(event) && (event === 'CREATE' || changes.changed.length > 0);
	};
	const most = settings.downloadFiles?.length ? mostItemsWithFiles : mostItems;
	const changes = await readChanges(cursor, reader, isWanted, Date.now, most);
	if (changes.some(({ record }) => timeOf(record) < time)) {
		warn(call.context, state, 'clock', setBackWarning);
	}
	const items = await itemsOf(call, changes);
	if (state.remaining === undefined) return items;
	const left = Math.max(0, state.remaining - items.length);
	const first = left + items.length - 1;
	state.remaining = cursor.pass ? left : undefined;
	return items.map((item, index) => ({ ...item, _remaining: first - index }));
}

async function deletionItems(
	call: PollCall,
	state: PollState,
	polls: NodePolls,
	most: number,
): Promise<IDataObject[]> {
	const { cursor, deletions } = state;
	if (!call.events.includes('DELETE')) return [];
	const now = Date.now();
	const sinceCheck = polls.sinceCheck === undefined ? undefined : polls.sinceCheck + 1;
	const isDue = isCheckDue(deletions, call.pollsBetweenChecks, sinceCheck, now);
	polls.sinceCheck = sinceCheck ?? 1;
	if (!isDue || most <= 0) return [];
	const check = checkDeletions(deletions, call.reader, most, now);
	const { emitted, heldBack } = await check.catch((thrown: unknown) => {
		const failure = failureOf(thrown, call.client.signal);
		// The other events go on.
		if (!(failure instanceof InputError) || !cursor) throw failure;
		const message = `Deleted records are not noticed. ${failure.message}. ${failure.description}`;
		warn(call.context, state, 'deletions', message);
		return { emitted: [], heldBack: 0 };
	});
	polls.sinceCheck = 0;
	delete state.warnings['held back'];
	if (heldBack > 0) {
		const message = `The service's list left out ${heldBack} records without a proof that they are deleted. They are emitted as deleted when a later poll finds the same`;
		warn(call.context, state, 'held back', message);
	}
	return emitted.map((recordId) => deletionItem(call, recordId));
}

const restartWarning =
	'The sheet, the filters, the events or the credential are others than before, or the node is of another version: it starts again where Start From says';

const setBackWarning =
	"Changes are dated before others that were emitted: the service's clock or the account's time zone was set back, or a record is dated ahead. They are emitted now, and the node goes on from there";

/** Writes a warning into n8n's log, and notes it for the next item. */
function warn(
	context: IPollFunctions,
	{ warnings }: Pick<PollState, 'warnings'>,
	kind: string,
	message: string,
): void {
	logWarning(context, `Sheet Records Polling Trigger: ${message}`, kind);
	warnings[kind] = `${message}.`.replace(/\.+$/, '.');
}
