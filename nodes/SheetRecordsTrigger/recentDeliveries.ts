import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { digest } from '../api/json/canonicalJson';
import { getOrInsert, isObject } from '../api/json/objects';
import { contentDigest } from '../api/read/recordKeys';
import { fieldChanges, fieldStates, parseFieldStates } from '../shared/watchedFields';
import type { FieldChanges, FieldStates } from '../shared/watchedFields';
import type { Delivery } from '../api/webhooks/delivery';
import type { ChangedRecord } from './changedRecords';
import { storedJson } from './storedJson';

/** Digests of the last delivery of a record. No content is stored, except short values of watched fields. */
interface LastDelivery {
	/** Empty if the delivery has no event. */
	event: string;
	/** Digest of the delivered content; empty for a delivery without content. */
	sent: string;
	/** Time of the delivery, in ms of the system clock. */
	at: number;
	/** Digest of what a person can change, as delivered or fetched; empty if it is unknown. */
	content: string;
	/** States of the watched fields. */
	states?: FieldStates;
}

interface NodeMemory {
	/**
	 * Record ID → last delivery, most recent last. Undefined if nothing is remembered, and when several processes receive
	 * deliveries, because they cannot share it.
	 */
	records?: Map<string, LastDelivery>;
	/** Stamp of the static data that the records were loaded from. Storing them does not change it. */
	stamp: string;
	/** Warning for the next item. */
	warning?: string;
}

/** Version of the stored records. Records of another version are dropped. */
const storedVersion = 1;

/** Maximum number of remembered records. A record that was dropped may start the workflow once more. */
const maxRecords = 2_000;

/** Maximum age of a delivery that can be repeated, in ms. Later, the same content may be a new change, such as a second deletion. */
const maxRepeatMilliseconds = 5 * 60_000;

const memories = processCache<NodeMemory>('recentDeliveries');
const processId = randomUUID();

/** Stamp of static data when several processes receive the deliveries of a node. */
const severalProcesses = 'several processes';
const severalWarning =
	'Nothing is skipped any more, nor is anything known of watched fields: several processes of n8n receive the deliveries of this node, and none knows what another has seen.';
const damagedWarning =
	'What was stored of earlier deliveries could not be read, so skipping and watched fields start again: a change may come once more, and previous values are missing.';

/**
 * The last delivery of each record to a node, in the order in which this process accepted them. They are kept in memory, because
 * concurrent deliveries overwrite each other's static data. Static data is only loaded if the process has no memory of the node.
 * Its stamp begins with the ID of the process that stored it, which shows whether another process has stored it since.
 */
export class RecentDeliveries {
	private readonly memory: NodeMemory;

	/** @param nodeKey undefined if deliveries must not be remembered */
	constructor(
		private readonly nodeKey: string | undefined,
		private readonly staticData: IDataObject,
		private readonly watched: readonly string[] = [],
	) {
		const stamp = String(staticData.storedBy ?? '');
		const load = () => loadMemory(staticData, stamp);
		this.memory = nodeKey === undefined ? { stamp } : getOrInsert(memories, nodeKey, load);
		const isStoredHere = stamp === this.memory.stamp || stamp.startsWith(processId);
		if (isStoredHere && stamp !== severalProcesses) return;
		if (this.memory.records) this.memory.warning = severalWarning;
		delete this.memory.records;
	}

	/**
	 * Remembers a delivery, unless it is a repeat. Returns true for a repeat: all its records had the same event and content in
	 * their last delivery, less than five minutes ago. A delivery without an event, or with a record without ID or content, is
	 * never a repeat.
	 */
	noteDelivery({ event, records }: Pick<Delivery, 'event' | 'records'>, now: number): boolean {
		if (!this.memory.records) return false;
		const sentDigests = new Map(
			records.map(({ recordId = '', content }) => [
				recordId,
				content && shortDigest(digest(content)),
			]),
		);
		const isRepeat = [...sentDigests].every(([recordId, sent]) => {
			const last = this.lastOf(recordId);
			const isRecent = last && last.at <= now && now - last.at < maxRepeatMilliseconds;
			return isRecent && sent !== undefined && last.event === event && last.sent === sent;
		});
		if (isRepeat) return sentDigests.size > 0;
		for (const [recordId, sent = ''] of sentDigests) {
			const { content = '', states } = this.lastOf(recordId) ?? {};
			this.keep(recordId, { event: event ?? '', sent, at: now, content, states });
		}
		return false;
	}

	/** Remembers a digest of the content of a record. Returns true for an update that did not change the content. */
	noteContent(record: ChangedRecord): boolean {
		if (!this.memory.records) return false;
		const { recordId, event = 'UPDATE', content, deleted, unreadable } = record;
		const isKnown = content && !deleted && unreadable === undefined && event !== 'DELETE';
		const current = isKnown ? shortDigest(contentDigest(content)) : '';
		const last = this.lastOf(recordId);
		if (last) this.keep(recordId, { ...last, content: current });
		return event === 'UPDATE' && current !== '' && last?.content === current;
	}

	/**
	 * Stores the watched fields of a record. Returns the changes of an update; undefined for other events, without watched
	 * fields, and for a record without content.
	 */
	noteWatched(record: ChangedRecord): FieldChanges | undefined {
		const { recordId, event = 'UPDATE', content, changedFields } = record;
		const { watched } = this;
		if (!content || watched.length === 0) return undefined;
		const last = this.lastOf(recordId);
		const states = event === 'DELETE' ? undefined : fieldStates(content, watched);
		if (last) this.keep(recordId, { ...last, states });
		if (event !== 'UPDATE') return undefined;
		return fieldChanges(watched, last?.states, states, changedFields);
	}

	/** Returns the warning for the next item, and removes it. */
	nextWarning(): string | undefined {
		const { warning } = this.memory;
		delete this.memory.warning;
		return warning;
	}

	private lastOf(recordId = ''): LastDelivery | undefined {
		return this.memory.records?.get(recordId);
	}

	private keep(recordId: string | undefined, last: LastDelivery): void {
		const { records } = this.memory;
		if (!records || !recordId) return;
		records.delete(recordId);
		records.set(recordId, last);
		const [oldest] = records.keys();
		if (records.size > maxRecords && oldest !== undefined) records.delete(oldest);
	}

	/** Writes the records into the static data, or the mark that several processes receive deliveries. */
	store(): void {
		if (this.nodeKey === undefined) return;
		const { records } = this.memory;
		this.staticData.storedBy = records ? `${processId}/${randomUUID()}` : severalProcesses;
		this.staticData.recentDeliveries = JSON.stringify([...(records ?? [])]);
		this.staticData.recentDeliveriesVersion = storedVersion;
	}
}

/**
 * Forgets at activation that several processes received deliveries, so that this process and processes that start later
 * remember deliveries again.
 */
export function restartMemory(nodeKey: string, staticData: IDataObject): void {
	if (staticData.storedBy !== severalProcesses) return;
	memories.delete(nodeKey);
	staticData.storedBy = randomUUID();
}

/** Returns the stored records. Drops all records if one is damaged or of another version, with a warning. */
function loadMemory(staticData: IDataObject, stamp: string): NodeMemory {
	const { recentDeliveries, recentDeliveriesVersion } = staticData;
	if (recentDeliveries === undefined) return { stamp, records: new Map() };
	const isOfThisVersion = recentDeliveriesVersion === storedVersion;
	const records = isOfThisVersion ? parseRecords(recentDeliveries) : undefined;
	return records ? { stamp, records } : { stamp, records: new Map(), warning: damagedWarning };
}

/** Returns the stored records; undefined if they are damaged. They are stored as a list, because an object would sort the record IDs. */
function parseRecords(text: unknown): Map<string, LastDelivery> | undefined {
	const stored = storedJson(text);
	if (!Array.isArray(stored)) return undefined;
	const records = new Map<string, LastDelivery>();
	for (const entry of stored) {
		const [recordId, members]: unknown[] = Array.isArray(entry) ? entry : [];
		const last = parseLastDelivery(members);
		if (typeof recordId !== 'string' || !last) return undefined;
		records.set(recordId, last);
	}
	return records;
}

function parseLastDelivery(stored: unknown): LastDelivery | undefined {
	if (!isObject(stored)) return undefined;
	const { event, sent, at, content, states } = stored;
	if (typeof event !== 'string' || typeof sent !== 'string') return undefined;
	if (typeof content !== 'string' || typeof at !== 'number') return undefined;
	if (states === undefined) return { event, sent, at, content };
	const known = parseFieldStates(states);
	return known && { event, sent, at, content, states: known };
}

/** Returns the first 22 characters of a digest; long enough that collisions cannot be constructed. */
function shortDigest(text: string): string {
	return text.slice(0, 22);
}
