import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Client } from '../api/http/client';
import { processCache } from '../api/http/processState';
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
import { mostItems, readChanges, startCursor } from './changes';
import { dropDigests, type Change, type Cursor } from './cursor';
import { checkDeletions, noteThere, type DeletionCheck } from './deletionCheck';
import {
	conditionsBesideDate,
	eventsToTell,
	pollingCall,
	outputParameters,
	watchedFields,
} from './pollingParameters';
import { loadState, settingsOf, storeState, type PollState } from './pollState';
import { SheetReader } from './sheetReader';
import { checkWatchedFields, isUnchanged, watchedKeys, type WatchedRecords } from './watched';

/** Versions of n8n that do not say how long a poll may take do not end it. */
const usualMilliseconds = 300_000;

/** Of so many records that were changed last, the first poll notes what the watched fields hold. */
const mostWatchedAtStart = 1_000;

const polling = processCache<true>('polls');

/**
 * Returns what changed since the last poll, one item for each record; null when nothing did, when the node starts, and
 * while an earlier poll is still running. Throws NodeOperationError for wrong settings, NodeApiError for refusals.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const key = nodeKeyOf(context);
	if (!isTest && polling.get(key)) return null;
	if (!isTest) polling.set(key, true);
	const polled = isTest ? newestItem(context) : changedItems(context);
	const items = await polled
		.catch((thrown: unknown) => {
			throw nodeError(context.getNode(), isTest ? thrown : withComfort(context, thrown), 0);
		})
		.finally(() => isTest || polling.delete(key));
	return items.length === 0 ? null : [items.map((json) => ({ json }))];
}

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
	pollsBetweenChecks: number;
	reader: SheetReader;
}

async function startCall(context: IPollFunctions): Promise<PollCall> {
	const authentication = authenticationParameter.parse({
		value: (name) => context.getNodeParameter(name),
	});
	const client = await Client.connect(context, authentication);
	const call = pollingCall(context, client);
	const sheet = sheetParameter.parse(call);
	const events = eventsToTell.parse(call);
	const { simplify, options } = parseParameters(outputParameters, call);
	const { deletionCheckEvery: pollsBetweenChecks, ...output } = options;
	const reading = await outputReadOptions(client, sheet, output, watchedFields.parse(call));
	const where = await conditionsBesideDate(call);
	const newer: NewerPollFunctions = context;
	const milliseconds = newer.getPollBudgetMs?.() ?? usualMilliseconds;
	const reader = new SheetReader(client, { sheet, where, reading }, milliseconds);
	const settings = { simplify, ...output };
	return { ...call, context, sheet, events, settings, pollsBetweenChecks, reader };
}

/** The record that matches and was changed last: what is stored stays as it is. */
async function newestItem(context: IPollFunctions): Promise<IDataObject[]> {
	const call = await startCall(context);
	const [record] = await call.reader.newest(1, true);
	if (!record) return [];
	const { content } = record;
	const isNew = createTime(content) === updateTime(content);
	return await itemsOf(call, [{ record, event: isNew ? 'CREATE' : 'UPDATE' }]);
}

async function changedItems(context: IPollFunctions): Promise<IDataObject[]> {
	const call = await startCall(context);
	const staticData = context.getWorkflowStaticData('node');
	const own = settingsOf(context, call.client, call.sheet);
	const state = loadState(staticData);
	if (state?.source !== own.source) {
		if (staticData.state !== undefined) warnOfNewStart(context);
		await checkSettings(call);
		storeState(staticData, { ...own, ...(await startState(call)) });
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
	const deletions = await deletionItems(call, state, mostItems - changes.length);
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
	const deletions: DeletionCheck = { pollsLeft: 0 };
	let cursor: Cursor | undefined;
	if (events.includes('CREATE') || events.includes('UPDATE')) {
		const keys = await watchedKeys(call, call.settings.naming);
		const newest = await reader.newest(keys ? mostWatchedAtStart : 1);
		if (keys) for (const record of newest) isUnchanged(watched, record, keys);
		cursor = await startCursor(newest[0], reader, Date.now);
	}
	if (events.includes('DELETE')) {
		await checkDeletions(deletions, reader, call.pollsBetweenChecks, mostItems);
	}
	return { cursor, watched, deletions };
}

async function changeItems(
	call: PollCall,
	{ cursor, watched, deletions }: PollState,
): Promise<IDataObject[]> {
	if (!cursor) return [];
	let lookUp: Promise<ReadonlySet<string> | undefined> | undefined;
	const isWanted = async ({ record, event }: Change) => {
		noteThere(deletions, record.id);
		// Asked for only when something changed: a poll without changes is one request.
		const keys = await (lookUp ??= watchedKeys(call, call.settings.naming));
		const isOther = keys === undefined || !isUnchanged(watched, record, keys);
		return call.events.includes(event) && (event === 'CREATE' || isOther);
	};
	return await itemsOf(call, await readChanges(cursor, call.reader, isWanted, Date.now));
}

async function deletionItems(
	call: PollCall,
	{ cursor, deletions }: PollState,
	most: number,
): Promise<IDataObject[]> {
	if (!call.events.includes('DELETE')) return [];
	const check = checkDeletions(deletions, call.reader, call.pollsBetweenChecks, most);
	const gone = await check.catch((thrown: unknown) => {
		// The other events go on.
		if (!(thrown instanceof InputError) || !cursor) throw thrown;
		warn(call.context, `Deleted records are not noticed. ${thrown.message}. ${thrown.description}`);
		return [];
	});
	const { account } = call.client.connection;
	return gone.map((recordId) => {
		const change = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
		return changeItem({ ...change, record: undefined }, account, call.sheet);
	});
}

async function itemsOf(call: PollCall, changes: readonly Change[]): Promise<IDataObject[]> {
	if (changes.length === 0) return [];
	const shape = await outputShape(call.client, call.sheet, call.settings);
	const { account } = call.client.connection;
	return changes.map(({ record: { id, content }, event, shown = content }) => {
		const record = shape.json(id, membersOf(shown));
		return changeItem({ event, recordId: id, verified: true, record }, account, call.sheet);
	});
}

/** What a user wants to know who sees that a poll failed. */
function withComfort(context: IPollFunctions, thrown: unknown): unknown {
	const hasBegun = loadState(context.getWorkflowStaticData('node')) !== undefined;
	if (!hasBegun || !(thrown instanceof ServiceError)) return thrown;
	const comfort =
		'No change is lost: the next poll that succeeds tells what this one would have told.';
	return thrown.with({ description: `${thrown.details.description ?? ''} ${comfort}`.trim() });
}

function warnOfNewStart(context: IPollFunctions): void {
	warn(
		context,
		'The sheet, the filters, the events or the credential are others than before, or the node is of another version: it begins anew, with what changes from now on',
	);
}

function warn(context: IPollFunctions, message: string): void {
	logWarning(context, `Sheet Records Polling Trigger: ${message}`);
}
