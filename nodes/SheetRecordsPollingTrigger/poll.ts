import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { Client } from '../api/http/client';
import { discoverReadNames } from '../api/schema/discovery';
import { processCache } from '../api/http/processState';
import { authenticationParameter } from '../ui/authentication';
import { changeItem } from '../ui/changeItem';
import { logWarning } from '../ui/logWarning';
import { nodeError } from '../ui/nodeError';
import { keysOf, lookUpReading, lookUpShape } from '../ui/recordOutput';
import type { SheetCall } from '../ui/sheetCall';
import { sheetFieldsOf } from '../ui/sheetFields';
import { sheetParameter } from '../ui/sheet';
import { textDigest } from '../api/json/digest';
import { contentDigest } from '../api/read/contentDigest';
import { membersOf, type SheetRecord } from '../api/read/record';
import { ServiceError } from '../api/http/serviceError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { createTime, updateTime } from '../api/read/updateTimes';
import type { WebhookEvent } from '../api/webhooks/delivery';
import { ChangeReader, mostItems, type Change } from './changeReader';
import { DeletionCheck, TooManyRecords } from './deletionCheck';
import {
	conditionsBesideDate,
	eventsToTell,
	pollingCall,
	pollsBetweenChecks,
	watchedFields,
} from './pollingParameters';
import { loadState, settingsOf, storeState, type PollState } from './pollState';
import { SheetReader } from './sheetReader';
import { WatchedRecords } from './watchedRecords';

/** Versions of n8n that do not say how long a poll may take do not end it. */
const usualMilliseconds = 300_000;

/** So many of the last changes are looked at in the beginning, to know what their watched fields hold. */
const mostLearnt = 1_000;

const polling = processCache<true>('polls');

/** What the last poll of each node that had items to give began with. */
const given = processCache<string>('pollsWithItems');

/**
 * What changed since the last poll, one item for each record; null when nothing did, when the node begins, and
 * while an earlier poll is still running or being stored.
 *
 * @throws NodeOperationError for settings that are wrong, NodeApiError when the service refuses
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	const before = stateOf(context);
	if (!isTest && (polling.get(key) || isBeingStored(key, before))) return null;
	if (!isTest) polling.set(key, true);
	const polled = isTest ? newestItem(context) : changedItems(context);
	const items = await polled
		.catch((thrown: unknown) => {
			throw nodeError(context.getNode(), isTest ? thrown : withComfort(context, thrown), 0);
		})
		.finally(() => isTest || polling.delete(key));
	if (items.length === 0) return null;
	if (!isTest) given.set(key, before);
	return [items.map((json) => ({ json }))];
}

function stateOf(context: IPollFunctions): string {
	const { state } = context.getWorkflowStaticData('node');
	return textDigest(JSON.stringify(state ?? null));
}

/**
 * Whether n8n may still be storing what the last poll knew behind it, as it does with durable cursors: who polled now
 * would give the same again. The poll after this one believes that it was not stored.
 */
function isBeingStored(key: string, state: string): boolean {
	if (given.get(key) !== state) return false;
	given.delete(key);
	return true;
}

interface PollCall extends SheetCall {
	context: IPollFunctions;
	sheet: SheetAddress;
	events: readonly WebhookEvent[];
	reader: SheetReader;
}

async function begin(context: IPollFunctions): Promise<PollCall> {
	const milliseconds = pollMilliseconds(context);
	const authentication = authenticationParameter.read({
		item: { value: (name) => context.getNodeParameter(name) },
	});
	const client = await Client.connect(context, authentication);
	const call = pollingCall(context, client);
	const sheet = sheetParameter.read(call);
	const events = eventsToTell.read(call);
	const reading = await lookUpReading(call, watchedFields.read(call));
	const where = await conditionsBesideDate(call);
	const reader = new SheetReader(client, { sheet, where, reading }, milliseconds);
	return { ...call, context, sheet, events, reader };
}

/** The record that matches and was changed last: what is stored stays as it is. */
async function newestItem(context: IPollFunctions): Promise<IDataObject[]> {
	const call = await begin(context);
	const record = await call.reader.newestShown();
	if (!record) return [];
	const { content } = record;
	const isNew = createTime(content) === updateTime(content);
	return await itemsOf(call, [{ record, event: isNew ? 'CREATE' : 'UPDATE' }]);
}

async function changedItems(context: IPollFunctions): Promise<IDataObject[]> {
	const call = await begin(context);
	const staticData = context.getWorkflowStaticData('node');
	const own = settingsOf(context, call.client, call.sheet);
	const state = loadState(staticData);
	if (state?.source !== own.source) {
		if (staticData.state !== undefined) warnOfNewBeginning(context);
		await checkSettings(call);
		storeState(staticData, { ...own, ...(await beginning(call)) });
		if (commitsCursor(context)) await context.__commitCursor();
		return [];
	}
	if (state.settings !== own.settings) {
		await checkSettings(call);
		state.settings = own.settings;
		state.changes?.forgetContents();
		state.watched = WatchedRecords.load(undefined);
	}
	const changes = await readChanges(call, state);
	const deleted = await readDeleted(call, state, mostItems - changes.length);
	const items = [...changes, ...deleted.map((recordId) => deletedItem(call, recordId))];
	storeState(staticData, state);
	return items;
}

/** What is wrong in settings that only matter when there are items is told at once. */
async function checkSettings(call: PollCall): Promise<void> {
	await lookUpShape(call);
	await watchedKeys(call);
	await findWatchedFields(call);
	pollsBetweenChecks(call);
}

/** A field that no record has would never change. Where the service tells no fields, names are taken as they are. */
async function findWatchedFields(call: PollCall): Promise<void> {
	if (!call.events.includes('UPDATE')) return;
	const names = watchedFields.read(call).filter((name) => !name.startsWith('_'));
	const sheetFields = sheetFieldsOf(call);
	if (names.length === 0 || !(await sheetFields.listed())) return;
	const read = await discoverReadNames(call.client, call.sheet);
	for (const name of names) {
		if (!read?.fields.some((field) => field.name === name)) await sheetFields.find(name, true);
	}
}

type Begun = Pick<PollState, 'changes' | 'watched' | 'deletions'>;

/** The state of a node that gives out what changes from now on. */
async function beginning(call: PollCall): Promise<Begun> {
	const { reader, events } = call;
	const watched = WatchedRecords.load(undefined);
	const deletions = DeletionCheck.begun();
	let changes: ChangeReader | undefined;
	if (tellsChanges(call)) {
		const keys = await watchedKeys(call);
		const newest = await reader.newest(keys ? mostLearnt : 1);
		if (keys) for (const record of newest) isKnown(watched, record, keys);
		changes = await ChangeReader.beginningBehind(newest, reader.readPage, Date.now());
	}
	if (events.includes('DELETE')) await deletions.read(reader, pollsBetweenChecks(call), mostItems);
	return { changes, watched, deletions };
}

async function readChanges(call: PollCall, state: PollState): Promise<IDataObject[]> {
	const { changes: changeReader, watched, deletions } = state;
	if (!changeReader) return [];
	const { reader, events } = call;
	let lookUp: Promise<ReadonlySet<string> | undefined> | undefined;
	const isWanted = async ({ record, event }: Change) => {
		deletions.add(record.id);
		// Asked for only when something changed: a poll without changes is one request.
		const keys = await (lookUp ??= watchedKeys(call));
		const isUnchanged = keys !== undefined && isKnown(watched, record, keys);
		return events.includes(event) && !(event === 'UPDATE' && isUnchanged);
	};
	const readPage = reader.readShownPage((record) => changeReader.isUnknown(record));
	const changes = await changeReader.read(readPage, isWanted, Date.now);
	return await itemsOf(
		call,
		changes.map(({ record, event }) => ({ record: reader.shown(record), event })),
	);
}

async function readDeleted(call: PollCall, state: PollState, most: number): Promise<string[]> {
	if (!call.events.includes('DELETE')) return [];
	const every = pollsBetweenChecks(call);
	return await state.deletions.read(call.reader, every, most).catch((thrown: unknown) => {
		// The other events go on.
		if (!(thrown instanceof TooManyRecords) || !state.changes) throw thrown;
		warn(call.context, `${thrown.message}. ${thrown.description}`);
		return [];
	});
}

function tellsChanges({ events }: PollCall): boolean {
	return events.includes('CREATE') || events.includes('UPDATE');
}

/** The keys of the fields one of which has to change; undefined when any change counts. */
async function watchedKeys(call: PollCall): Promise<ReadonlySet<string> | undefined> {
	if (!call.events.includes('UPDATE')) return undefined;
	const { naming } = await lookUpReading(call);
	return await keysOf(watchedFields.read(call), naming, sheetFieldsOf(call));
}

/** Whether the record's fields of these keys hold what they held. It is not known of a record that has none of them. */
function isKnown(
	watched: WatchedRecords,
	{ id, content }: SheetRecord,
	keys: ReadonlySet<string>,
): boolean {
	const held = new Map([...content].filter(([key]) => keys.has(key)));
	return held.size > 0 && watched.isUnchanged(id, contentDigest(held));
}

async function itemsOf(call: PollCall, changes: readonly Change[]): Promise<IDataObject[]> {
	if (changes.length === 0) return [];
	const shape = await lookUpShape(call);
	const { account } = call.client.connection;
	return changes.map(({ record: { id, content }, event }) => {
		const record = shape.json(id, membersOf(content));
		return changeItem({ event, recordId: id, verified: true, record }, account, call.sheet);
	});
}

function deletedItem({ client, sheet }: PollCall, recordId: string): IDataObject {
	const told = { event: 'DELETE', recordId, verified: true, deleted: true } as const;
	return changeItem({ ...told, record: undefined }, client.connection.account, sheet);
}

function pollMilliseconds(context: IPollFunctions): number {
	return tellsBudget(context) ? context.getPollBudgetMs() : usualMilliseconds;
}

function tellsBudget(context: object): context is { getPollBudgetMs: () => number } {
	return 'getPollBudgetMs' in context && typeof context.getPollBudgetMs === 'function';
}

/** What a user wants to know who sees that a poll failed. */
function withComfort(context: IPollFunctions, thrown: unknown): unknown {
	const hasBegun = loadState(context.getWorkflowStaticData('node')) !== undefined;
	if (!hasBegun || !(thrown instanceof ServiceError)) return thrown;
	const { description } = thrown.details;
	const comfort =
		'No change is lost: the next poll that succeeds tells what this one would have told.';
	return thrown.with({ description: description ? `${description} ${comfort}` : comfort });
}

/**
 * n8n with durable cursors drops what the poll at activation stores, unless it starts an execution: what changed until
 * the next poll would be lost.
 */
function commitsCursor(context: object): context is { __commitCursor: () => Promise<void> } {
	return '__commitCursor' in context && typeof context.__commitCursor === 'function';
}

function warnOfNewBeginning(context: IPollFunctions): void {
	warn(
		context,
		'The sheet, the filters, the events or the credential are others than before, or the node is of another version: it begins anew, with what changes from now on',
	);
}

function warn(context: IPollFunctions, message: string): void {
	logWarning(context, `Sheet Records Polling Trigger: ${message}`);
}
