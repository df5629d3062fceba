import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { maxBlockMilliseconds, runCooperatively } from '../api/http/eventLoop';
import { processCache } from '../api/http/processState';
import { acquire } from '../api/http/waiting';
import { digest } from '../api/json/canonicalJson';
import type { Steps } from '../api/json/jsonReading';
import { getOrInsert } from '../api/json/objects';
import { contentDigest } from '../api/read/recordKeys';
import { holdsFieldIds } from '../api/sheet/fieldNames';
import type { DeliveredRecord, Delivery } from '../api/webhooks/delivery';
import { LatestMap } from '../shared/storedState';
import { fieldChanges, fieldStates } from '../shared/watchedFields';
import type { FieldChanges } from '../shared/watchedFields';
import type { ChangedRecord } from './changedRecords';
import type { TriggerSetup } from './triggerParameters';
import {
	deliveriesCodec,
	formatLastDelivery,
	parseLastDelivery,
	type LastDelivery,
} from './storedDeliveries';

/** Parts of a delivery that the settings of a node compare with earlier deliveries. Nothing else is computed or stored. */
export interface Comparison {
	/** Whether the delivered content is compared (Skip Repeats). */
	repeats: boolean;
	/** Whether the content is compared (Skip Unchanged). */
	content: boolean;
	/** Keys of the watched fields. */
	watched: readonly string[];
}

/** The comparison of a node without these settings. */
export const noComparison: Comparison = { repeats: false, content: false, watched: [] };

/** Returns what the settings compare; undefined for nothing. Only updates and lists of IDs with Fetch Record can be unchanged. */
export function comparisonOf(
	{ skipRepeats = false, skipUnchanged = false, events, fetchRecord }: TriggerSetup['settings'],
	watched: readonly string[],
): Comparison | undefined {
	const content = skipUnchanged && (events.includes('UPDATE') || fetchRecord === true);
	const isAny = skipRepeats || content || watched.length > 0;
	return isAny ? { repeats: skipRepeats, content, watched } : undefined;
}

interface NodeMemory {
	/**
	 * Record ID → stored form of its last delivery, most recent last. Undefined if other processes may receive deliveries, too,
	 * because they cannot share it.
	 */
	records?: LatestMap<string, string>;
	/** The same of this process alone, if other processes may receive deliveries, too. */
	received?: LatestMap<string, string>;
	/** Set after a full memory was stored as a whole: the later deliveries. */
	later?: LaterDeliveries;
	/** Stamp of the static data that this process took over at the activation. */
	takenOver?: string;
	/** Warning for the next item. */
	warning?: string;
}

/**
 * The deliveries since a full memory was stored as a whole. Only they are stored anew with each delivery, because the text of
 * 2,000 records costs as much as the rest of a delivery.
 */
interface LaterDeliveries {
	/** ID of the stored whole. */
	wholeId: string;
	records: LatestMap<string, string>;
}

/** Maximum number of remembered records. A record that was dropped may start the workflow once more. */
const maxStoredRecords = 2_000;

/** Maximum number of records that all nodes in this process remember. The nodes that wait longest for a delivery forget first. */
const maxRecordsOfProcess = 100_000;

/** Number of later records from which a full memory is stored as a whole again. */
const maxLaterRecords = 100;

/** Maximum age of a delivery that can be repeated, in ms. Later, the same content may be a new change, such as a second deletion. */
const maxRepeatMilliseconds = 5 * 60_000;

/** The same if several processes receive deliveries: one in between may be known to another process only. */
const maxSharedRepeatMilliseconds = 60_000;

const memories = processCache<NodeMemory>('recentDeliveries');
const processId = randomUUID();

/** Stamp of static data when several processes receive the deliveries of a node. */
const severalProcesses = 'several processes';
const severalWarning =
	"Nothing is skipped as unchanged any more, nor is anything known of watched fields: several processes of n8n may receive the deliveries of this node, and none knows the latest content that another has seen. 'Skip Repeats' goes on.";
const damagedWarning =
	'What was stored of earlier deliveries could not be read, so skipping and watched fields start again: a change may come once more, and previous values are missing.';

/**
 * The last delivery of each record to a node, in the order in which this process accepted them. They are kept in memory, because
 * concurrent deliveries overwrite each other's static data.
 *
 * Only the process that activated the node last knows all deliveries, because n8n does not tell a process what others received
 * until they have stored it. Its ID is the beginning of the stamp of the static data. Any other process, such as a webhook
 * processor in queue mode, marks the static data. As soon as the first process loads the mark or the stamp of another process, it
 * does not know all deliveries until the next activation.
 *
 * Such a process recognizes repeats by the static data and by its own deliveries. It may lack the latest delivery to another
 * process, so contents and watched fields are not compared: an update back to a known content would look like no change.
 */
export class RecentDeliveries {
	private readonly memory: NodeMemory;
	/** The memory, or the stored deliveries if there is no memory. Undefined if deliveries must not be remembered. */
	private readonly records?: LatestMap<string, string>;
	private readonly compared: Comparison;
	/** Keys of the watched fields. */
	readonly watched: readonly string[];

	/** @param nodeKey undefined if deliveries must not be remembered */
	constructor(
		private readonly nodeKey: string | undefined,
		private readonly staticData: IDataObject,
		compared: Comparison,
	) {
		const start = (): NodeMemory => ({ records: new LatestMap(maxStoredRecords) });
		this.memory = nodeKey === undefined ? {} : getOrInsert(memories, nodeKey, start);
		this.noteOtherProcesses(compared);
		this.watched = compared.watched;
		this.compared = this.memory.records ? compared : { ...noComparison, repeats: compared.repeats };
		this.records = this.memory.records ?? this.storedRecords();
	}

	/** Drops the memory if other processes may receive deliveries, too. */
	private noteOtherProcesses({ content, watched }: Comparison): void {
		if (!this.memory.records || isAlone(stampOf(this.staticData), this.memory)) return;
		if (content || watched.length > 0) this.memory.warning = severalWarning;
		delete this.memory.records;
		delete this.memory.later;
		this.memory.received = new LatestMap(maxStoredRecords);
	}

	/** Returns the stored deliveries, if repeats are recognized by them. */
	private storedRecords(): LatestMap<string, string> | undefined {
		if (this.nodeKey === undefined || !this.compared.repeats) return undefined;
		return new LatestMap(maxStoredRecords, loadRecords(this.staticData).records);
	}

	/**
	 * Returns the result of the steps. They yield to the event loop, so the deliveries of a node wait for each other, and their order
	 * is kept.
	 */
	async inTurn<T>(steps: Steps<T>): Promise<T> {
		if (!this.memory.records) return await runCooperatively(steps, maxBlockMilliseconds);
		const release = await acquire(`deliveries of ${this.nodeKey}`);
		return await runCooperatively(steps, maxBlockMilliseconds).finally(release);
	}

	/**
	 * Remembers a delivery, unless it is a repeat. Returns true for a repeat: all its records had the same event and content in
	 * their last delivery, less than five minutes ago. A delivery without an event, or with a record without ID or content, is
	 * never a repeat, nor is a delivery of more records than are remembered.
	 */
	*noteDelivery(
		{ event, records }: Pick<Delivery, 'event' | 'records'>,
		now: number,
		isChosen = true,
	): Steps<boolean> {
		if (!this.records) return false;
		const latest = latestRecords(records);
		// A delivery that starts no workflow cannot be skipped, so its content is not compared.
		const isCompared = this.compared.repeats && isChosen;
		const sentDigests = isCompared ? yield* digestsOf(latest) : new Map<string, string>();
		const isWhole = latest.size > 0 && records.every(({ recordId = '' }) => latest.has(recordId));
		const isRepeat =
			isWhole && [...sentDigests].every(([id, sent]) => this.isRepeat(id, event, sent, now));
		if (isRepeat && isCompared) return true;
		for (const recordId of latest.keys()) {
			const sent = sentDigests.get(recordId) ?? '';
			this.keepDelivery(recordId, { event: event ?? '', sent, at: now });
		}
		return false;
	}

	/** Remembers the delivery of a record, and keeps the compared parts of its earlier delivery. */
	private keepDelivery(recordId: string, delivery: { event: string; sent: string; at: number }) {
		const { content = '', states } = this.lastOf(recordId) ?? {};
		this.keep(recordId, {
			...delivery,
			content: this.compared.content ? content : '',
			states: this.compared.watched.length > 0 ? states : undefined,
		});
	}

	private get maxRepeatMilliseconds(): number {
		return this.memory.records ? maxRepeatMilliseconds : maxSharedRepeatMilliseconds;
	}

	private isRepeat(recordId: string, event: string | undefined, sent: string, now: number) {
		const latest = this.latestOf(recordId);
		if (latest.length === 0 || sent === '') return false;
		return latest.every((last) => {
			const isRecent = last.at <= now && now - last.at < this.maxRepeatMilliseconds;
			return isRecent && last.event === event && last.sent === sent;
		});
	}

	/**
	 * Returns the latest known delivery of a record: the stored one, or the own one of this process, or both if their times are equal.
	 * A concurrent delivery may have overwritten a later own one in the static data.
	 */
	private latestOf(recordId: string): LastDelivery[] {
		const known = [this.records, this.memory.received].flatMap((deliveries) => {
			const text = deliveries?.get(recordId);
			return text === undefined ? [] : [parseLastDelivery(text)];
		});
		const latestTime = Math.max(...known.map(({ at }) => at));
		return known.filter(({ at }) => at === latestTime);
	}

	/** Remembers a digest of the content of a record. Returns true for an update that did not change the content. */
	noteContent(record: ChangedRecord): boolean {
		const { recordId, event = 'UPDATE', content, deleted, unreadable } = record;
		const last = this.compared.content ? this.lastOf(recordId) : undefined;
		if (!last) return false;
		const isCurrent = !deleted && unreadable === undefined && event !== 'DELETE';
		const current =
			isCurrent && content && holdsFieldIds(content) ? shortDigest(contentDigest(content)) : '';
		this.keep(recordId, { ...last, content: current });
		return event === 'UPDATE' && current !== '' && last.content === current;
	}

	/**
	 * Stores the watched fields of a record, if this process knows all deliveries. After a record without content, they are unknown.
	 * Returns the changes of an update; undefined for other events, without watched fields, and for a record without content. In a
	 * test run, all watched fields changed.
	 */
	noteWatched(record: ChangedRecord): FieldChanges | undefined {
		const { recordId, event = 'UPDATE', content, changedFields } = record;
		const { watched } = this;
		if (watched.length === 0) return undefined;
		const last = this.compared.watched.length > 0 ? this.lastOf(recordId) : undefined;
		const isKept = last && event !== 'DELETE';
		const states = isKept && content ? fieldStates(content, watched) : undefined;
		if (last) this.keep(recordId, { ...last, states });
		if (!content || event !== 'UPDATE') return undefined;
		const reported = this.nodeKey === undefined ? undefined : changedFields;
		return fieldChanges(watched, last?.states, states, reported);
	}

	/** Returns the warning for the next item, and removes it. */
	nextWarning(): string | undefined {
		const { warning } = this.memory;
		delete this.memory.warning;
		return warning;
	}

	private lastOf(recordId = ''): LastDelivery | undefined {
		const text = this.records?.get(recordId);
		return text === undefined ? undefined : parseLastDelivery(text);
	}

	private keep(recordId: string | undefined, last: LastDelivery): void {
		if (!recordId || !this.records) return;
		const text = formatLastDelivery(last);
		this.records.set(recordId, text);
		this.memory.received?.set(recordId, text);
		this.memory.later?.records.set(recordId, text);
	}

	/** Writes the records into the static data, with the stamp of this process or the mark of several processes. */
	store(): void {
		if (this.nodeKey === undefined) return;
		limitMemories();
		// n8n stores the static data of a delivery that changes them.
		if (!this.records && stampOf(this.staticData) === severalProcesses) return;
		const isAlone = this.memory.records !== undefined;
		this.staticData.storedBy = isAlone ? `${processId}/${randomUUID()}` : severalProcesses;
		if (this.storeLater()) return;
		this.memory.later = undefined;
		this.staticData.recentDeliveries = deliveriesCodec.serialize(this.records ?? new Map());
		this.staticData.recentDeliveriesVersion = deliveriesCodec.version;
		delete this.staticData.laterDeliveries;
		delete this.staticData.wholeDeliveriesId;
		if (this.memory.records?.size !== maxStoredRecords) return;
		const wholeId = randomUUID();
		this.memory.later = { wholeId, records: new LatestMap(maxLaterRecords) };
		this.staticData.wholeDeliveriesId = wholeId;
	}

	/** Stores the later deliveries beside the stored whole. Returns false if the whole must be stored. */
	private storeLater(): boolean {
		const { later } = this.memory;
		const isStored = later !== undefined && this.staticData.wholeDeliveriesId === later.wholeId;
		if (!isStored || later.records.size >= maxLaterRecords) return false;
		this.staticData.laterDeliveries = deliveriesCodec.serialize(later.records);
		return true;
	}
}

/** Empties the memories of the nodes that wait longest for a delivery, if all nodes together remember too many records. */
function limitMemories(): void {
	let count = 0;
	for (const memory of memories.values().reverse()) {
		count += (memory.records?.size ?? 0) + (memory.received?.size ?? 0);
		if (count > maxRecordsOfProcess) emptyMemory(memory);
	}
}

function emptyMemory(memory: NodeMemory): void {
	memory.later = undefined;
	if (memory.records) memory.records = new LatestMap(maxStoredRecords);
	if (memory.received) memory.received = new LatestMap(maxStoredRecords);
}

/** Returns the last records with an ID or without one, by ID: at most as many as are remembered, in the order of the delivery. */
function latestRecords(records: readonly DeliveredRecord[]): Map<string, DeliveredRecord> {
	const latest = new Map<string, DeliveredRecord>();
	for (let index = records.length - 1; index >= 0 && latest.size < maxStoredRecords; index--) {
		const record = records[index] ?? {};
		const { recordId = '' } = record;
		if (!latest.has(recordId)) latest.set(recordId, record);
	}
	return new Map([...latest].reverse());
}

/** Returns a digest of the content of each record; '' for a record without content or without fields, such as a mere record ID. */
function* digestsOf(records: ReadonlyMap<string, DeliveredRecord>): Steps<Map<string, string>> {
	const digests = new Map<string, string>();
	for (const [recordId, { content }] of records) {
		const isKnown = content !== undefined && holdsFieldIds(content);
		digests.set(recordId, isKnown ? shortDigest(digest(content)) : '');
		yield;
	}
	return digests;
}

/**
 * Takes over the stored earlier deliveries when this process activates the node, and marks the static data as its own.
 * Forgets that several processes received deliveries, so that this process remembers them again.
 */
export function restartMemory(nodeKey: string, staticData: IDataObject): void {
	const before = stampOf(staticData);
	const isOwn = before.startsWith(processId) && memories.get(nodeKey)?.records !== undefined;
	if (isOwn) return;
	const loaded = before === severalProcesses ? { records: new Map() } : loadRecords(staticData);
	const records = new LatestMap(maxStoredRecords, loaded.records);
	memories.set(nodeKey, { ...loaded, records, takenOver: before });
	staticData.storedBy = `${processId}/${randomUUID()}`;
}

/**
 * Forgets all deliveries when this process activates a node that compares nothing. Otherwise, later comparisons would use outdated
 * deliveries.
 */
export function forgetMemory(nodeKey: string, staticData: IDataObject): void {
	memories.delete(nodeKey);
	delete staticData.storedBy;
	deleteRecords(staticData);
}

/** Forgets the records of a node that has another sheet now: other records have their IDs there. */
export function forgetRecords(nodeKey: string, staticData: IDataObject): void {
	const memory = memories.get(nodeKey);
	if (memory) emptyMemory(memory);
	deleteRecords(staticData);
}

function deleteRecords(staticData: IDataObject): void {
	delete staticData.recentDeliveries;
	delete staticData.laterDeliveries;
	delete staticData.wholeDeliveriesId;
	delete staticData.recentDeliveriesVersion;
}

function stampOf({ storedBy }: IDataObject): string {
	return typeof storedBy === 'string' ? storedBy : '';
}

/**
 * Returns whether this process activated the node, and no other process has activated it or received deliveries, as far as the
 * stamp of loaded static data shows. Deliveries that arrive during the activation still load the stamp before it.
 */
function isAlone(stamp: string, { takenOver }: NodeMemory): boolean {
	if (stamp === severalProcesses) return false;
	return stamp.startsWith(processId) || stamp === takenOver;
}

/** Returns the stored deliveries. Starts without any if they are damaged or of an unknown version, with a warning. */
function loadRecords(staticData: IDataObject) {
	const { recentDeliveries, laterDeliveries, recentDeliveriesVersion } = staticData;
	if (recentDeliveries === undefined) return { records: new Map<string, string>() };
	const all = deliveriesCodec.parse(recentDeliveries, recentDeliveriesVersion ?? null);
	const later = laterDeliveries === undefined ? new Map() : deliveriesCodec.parse(laterDeliveries);
	if (!all || !later) return { records: new Map(), warning: damagedWarning };
	return { records: new LatestMap(maxStoredRecords, [...all, ...later]) };
}

/** Returns the first 22 characters of a digest; long enough that collisions cannot be constructed. */
function shortDigest(text: string): string {
	return text.slice(0, 22);
}
