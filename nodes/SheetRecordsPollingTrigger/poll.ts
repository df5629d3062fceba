import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { getOrInsert } from '../api/json/objects';
import { connect } from '../ui/connect';
import { authenticationParameter } from '../ui/nodeDescription';
import { nodeError } from '../ui/nodeError';
import { parseParameters, type SheetContext } from '../ui/parameter';
import { outputReadOptions, outputShape, type OutputSettings } from '../ui/recordOutput';
import { sheetParameter } from '../ui/sheet';
import { changeItem, logWarning, nodeKeyOf } from '../ui/trigger';
import { membersOf } from '../api/read/record';
import { ServiceError } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { createTime, updateTime } from '../api/read/updateTimes';
import type { WebhookEvent } from '../api/webhooks/delivery';
import { mostItems, newestRecords, readChanges } from './changes';
import {
	cursorBehind,
	startingAt,
	dropDigests,
	mostCompared,
	timeOf,
	type Change,
	type Cursor,
} from './cursor';
import { checkDeletions, isCheckDue, noteThere, type DeletionCheck } from './deletionCheck';
import {
	conditionsBesideDate,
	eventsToTell,
	pollingCall,
	startTime,
	outputParameters,
	watchedFields,
} from './pollingParameters';
import { loadState, settingsOf, storeState, type PollState } from './pollState';
import { PollTime, SheetReader } from './sheetReader';
import {
	checkWatchedFields,
	isUnchanged,
	mostWatchedAtStart,
	watchedKeys,
	type WatchedRecords,
} from './watched';

/** Versions of n8n that do not say how long a poll may take do not end it. */
const usualMilliseconds = 300_000;

/** What this process knows of the polls of a node. */
interface NodePolls {
	isRunning: boolean;
	/** Since the last check for deleted records; undefined before the first one of this process. */
	sinceCheck?: number;
}

const nodePolls = processCache<NodePolls>('polls');

/** What older versions of n8n do not have. */
type NewerPollFunctions = IPollFunctions & {
	getPollBudgetMs?: () => number;
	__commitCursor?: () => Promise<void>;
};

interface PollCall extends SheetContext {
	context: IPollFunctions;
	sheet: SheetAddress;
	events: readonly WebhookEvent[];
	settings: OutputSettings;
	form: 'event' | 'record' | undefined;
	pollsBetweenChecks: number;
	reader: SheetReader;
	time: PollTime;
}

/**
 * Returns what changed since the last poll, one item for each record; null when nothing did, when the node starts, and
 * while an earlier poll is still running. Throws NodeOperationError for wrong settings, NodeApiError for refusals.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const polls = getOrInsert(nodePolls, nodeKeyOf(context), () => ({ isRunning: false }));
	if (!isTest && polls.isRunning) return null;
	if (!isTest) polls.isRunning = true;
	const newer: NewerPollFunctions = context;
	const time = new PollTime(newer.getPollBudgetMs?.() ?? usualMilliseconds);
	const polled = startCall(context, time).then(
		async (call) => await (isTest ? newestItem(call) : changedItems(call, polls)),
	);
	const items = await polled
		.catch((thrown: unknown) => {
			const failure = time.failure(thrown);
			throw nodeError(context.getNode(), isTest ? failure : withOutlook(context, failure), 0);
		})
		.finally(() => isTest || (polls.isRunning = false));
	return items.length === 0 ? null : [items.map((json) => ({ json }))];
}

async function startCall(context: IPollFunctions, time: PollTime): Promise<PollCall> {
	const authentication = authenticationParameter.parse({
		value: (name) => context.getNodeParameter(name),
	});
	const client = (await connect(context, authentication)).endingWith(time.signal);
	const call = pollingCall(context, client);
	const sheet = sheetParameter.parse(call);
	const events = eventsToTell.parse(call);
	const { simplify, options } = parseParameters(outputParameters, call);
	const { deletionCheckEvery: pollsBetweenChecks, sharedViewId, form, ...output } = options;
	const reading = await outputReadOptions(client, sheet, output, watchedFields.parse(call));
	const reader = new SheetReader(client, {
		sheet,
		where: await conditionsBesideDate(call),
		search: { sharedViewId },
		reading,
	});
	const settings = { simplify, ...output };
	return { ...call, context, sheet, events, settings, form, pollsBetweenChecks, reader, time };
}

/** The record that matches and was changed last: what is stored stays as it is. */
async function newestItem(call: PollCall): Promise<IDataObject[]> {
	const [record] = await call.reader.newest(1, true);
	if (!record) return [];
	const { content } = record;
	const isNew = createTime(content) === updateTime(content);
	return await itemsOf(call, [{ record, event: isNew ? 'CREATE' : 'UPDATE' }]);
}

async function changedItems(call: PollCall, polls: NodePolls): Promise<IDataObject[]> {
	const { context } = call;
	const staticData = context.getWorkflowStaticData('node');
	const own = settingsOf(context, call.client, call.sheet);
	const state = loadState(staticData);
	if (state?.source !== own.source) {
		if (staticData.state !== undefined) warn(context, restartWarning);
		await checkSettings(call);
		storeState(staticData, { ...own, ...(await startState(call)) });
		polls.sinceCheck = 0;
		// n8n with durable cursors drops what the poll at activation stores, unless it emits something.
		const newer: NewerPollFunctions = context;
		await newer.__commitCursor?.();
		return [];
	}
	if (state.settings !== own.settings) {
		await checkSettings(call);
		state.settings = own.settings;
		if (state.cursor) dropDigests(state.cursor);
		state.watched = new Map();
	}
	const changes = await changeItems(call, state);
	const deletions = await deletionItems(call, state, polls, mostItems - changes.length);
	storeState(staticData, state);
	return [...changes, ...deletions];
}

/** Throws what is wrong in settings that only matter when there are items. */
async function checkSettings(call: PollCall): Promise<void> {
	await outputShape(call.client, call.sheet, call.settings);
	await checkWatchedFields(call, call.settings.naming);
}

/** Returns the state of a node that emits what changes from now on. */
async function startState(call: PollCall): Promise<Omit<PollState, 'source' | 'settings'>> {
	const { reader, events } = call;
	const watched: WatchedRecords = new Map();
	const deletions: DeletionCheck = { held: new Set(), checkedAt: 0 };
	let cursor: Cursor | undefined;
	if (events.includes('CREATE') || events.includes('UPDATE')) {
		const keys = await watchedKeys(call, call.settings.naming);
		// A filter that the service refuses is to be said on activation.
		if (reader.isFiltered) await reader.newest(1, true);
		const newest = await newestRecords(reader, keys ? mostWatchedAtStart : mostCompared);
		if (keys) for (const record of newest) isUnchanged(watched, record, keys);
		cursor = startingAt(cursorBehind(newest, Date.now()), startTime.parse(call));
	}
	if (events.includes('DELETE')) await checkDeletions(deletions, reader, mostItems, Date.now());
	return { cursor, watched, deletions };
}

async function changeItems(
	call: PollCall,
	{ cursor, watched, deletions }: PollState,
): Promise<IDataObject[]> {
	if (!cursor) return [];
	const { time } = cursor;
	let lookUp: Promise<ReadonlySet<string> | undefined> | undefined;
	const isWanted = async ({ record, event }: Change) => {
		noteThere(deletions, record.id);
		// Asked for only when something changed: a poll without changes is one request.
		const keys = await (lookUp ??= watchedKeys(call, call.settings.naming));
		const isOther = keys === undefined || !isUnchanged(watched, record, keys);
		return call.events.includes(event) && (event === 'CREATE' || isOther);
	};
	const changes = await readChanges(cursor, call.reader, isWanted, Date.now);
	if (changes.some(({ record }) => timeOf(record) < time)) warn(call.context, setBackWarning);
	return await itemsOf(call, changes);
}

async function deletionItems(
	call: PollCall,
	{ cursor, deletions }: PollState,
	polls: NodePolls,
	most: number,
): Promise<IDataObject[]> {
	if (!call.events.includes('DELETE')) return [];
	const now = Date.now();
	const sinceCheck = polls.sinceCheck === undefined ? undefined : polls.sinceCheck + 1;
	const isDue = isCheckDue(deletions, call.pollsBetweenChecks, sinceCheck, now);
	polls.sinceCheck = sinceCheck ?? 1;
	if (!isDue || most <= 0) return [];
	const check = checkDeletions(deletions, call.reader, most, now);
	const { emitted, heldBack } = await check.catch((thrown: unknown) => {
		const failure = call.time.failure(thrown);
		// The other events go on.
		if (!(failure instanceof InputError) || !cursor) throw failure;
		warn(
			call.context,
			`Deleted records are not noticed. ${failure.message}. ${failure.description}`,
		);
		return { emitted: [], heldBack: 0 };
	});
	polls.sinceCheck = 0;
	if (heldBack > 0) warn(call.context, heldBackWarning(heldBack), 'held back');
	const { account } = call.client.connection;
	return emitted.map((recordId) => {
		const change = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
		return changeItem({ ...change, record: undefined }, account, call.sheet, call.form);
	});
}

async function itemsOf(call: PollCall, changes: readonly Change[]): Promise<IDataObject[]> {
	if (changes.length === 0) return [];
	const shape = await outputShape(call.client, call.sheet, call.settings);
	const { account } = call.client.connection;
	const records = await shape.named(
		changes.map(({ record, shown = record.content }) => shape.json(record.id, membersOf(shown))),
	);
	return changes.map(({ record: { id }, event }, index) => {
		const change = { event, recordId: id, verified: true, record: records[index] };
		return changeItem(change, account, call.sheet, call.form);
	});
}

/** Adds what becomes of the changes that a failed poll should have emitted. */
function withOutlook(context: IPollFunctions, thrown: unknown): unknown {
	const isStarted = loadState(context.getWorkflowStaticData('node')) !== undefined;
	if (!isStarted || !(thrown instanceof ServiceError)) return thrown;
	const outlook = 'No change is lost: the next poll that succeeds emits what this one would have.';
	return thrown.with({ description: `${thrown.details.description ?? ''} ${outlook}`.trim() });
}

const restartWarning =
	'The sheet, the filters, the events or the credential are others than before, or the node is of another version: it starts again, with what changes from now on';

const setBackWarning =
	"Changes are dated before others that were emitted: the service's clock or the account's time zone was set back, or a record is dated ahead. They are emitted now, and the node goes on from there";

function heldBackWarning(count: number): string {
	return `The service's list left out ${count} records without a proof that they are deleted. They are emitted as deleted when a later poll finds the same`;
}

function warn(context: IPollFunctions, message: string, kind?: string): void {
	logWarning(context, `Sheet Records Polling Trigger: ${message}`, kind);
}
