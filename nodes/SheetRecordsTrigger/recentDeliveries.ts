import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { digest } from '../api/json/canonicalJson';
import { getOrInsert } from '../api/json/objects';
import { contentDigest } from '../api/read/recordKeys';
import {
	DamagedState,
	LatestMap,
	parseEntries,
	parseMembers,
	parseNumber,
	parseText,
	StateCodec,
} from '../shared/storedState';
import { fieldChanges, fieldStates, parseFieldStates } from '../shared/watchedFields';
import type { FieldChanges, FieldStates } from '../shared/watchedFields';
import type { Delivery } from '../api/webhooks/delivery';
import type { ChangedRecord } from './changedRecords';

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
	records?: LatestMap<string, LastDelivery>;
	/** Stamps of static data that this process has taken over: at the activation, and when it received its first delivery. */
	stamps: readonly string[];
	/** Warning for the next item. */
	warning?: string;
}

/** Maximum number of remembered records. A record that was dropped may start the workflow once more. */
const maxRecords = 2_000;

/** Maximum age of a delivery that can be repeated, in ms. Later, the same content may be a new change, such as a second deletion. */
const maxRepeatMilliseconds = 5 * 60_000;

const memories = processCache<NodeMemory>('recentDeliveries');
const processId = randomUUID();

/** Stamp of static data when several processes receive the deliveries of a node. */
const severalProcesses = 'several processes';
/** Beginning of the stamp of static data that no process has stored since the activation. */
const activated = 'activated/';
const severalWarning =
	'Nothing is skipped any more, nor is anything known of watched fields: several processes of n8n receive the deliveries of this node, and none knows what another has seen.';
const damagedWarning =
	'What was stored of earlier deliveries could not be read, so skipping and watched fields start again: a change may come once more, and previous values are missing.';

/**
 * The last delivery of each record to a node, in the order in which this process accepted them. They are kept in memory, because
 * concurrent deliveries overwrite each other's static data. Stored deliveries are only loaded at the activation: another process
 * may have received more than it stored. The stamp of the static data begins with the ID of the process that stored it. As soon
 * as a process has loaded the stamp of another one, it remembers nothing until the next activation.
 */
export class RecentDeliveries {
	private readonly memory: NodeMemory;

	/** @param nodeKey undefined if deliveries must not be remembered */
	constructor(
		private readonly nodeKey: string | undefined,
		private readonly staticData: IDataObject,
		private readonly watched: readonly string[] = [],
	) {
		const stamp = stampOf(staticData);
		const start = (): NodeMemory => ({ stamps: [stamp], records: new LatestMap(maxRecords) });
		this.memory = nodeKey === undefined ? { stamps: [] } : getOrInsert(memories, nodeKey, start);
		if (!this.memory.records || isAlone(stamp, this.memory)) return;
		this.memory.warning = severalWarning;
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
		if (recordId) this.memory.records?.set(recordId, last);
	}

	/** Writes the records into the static data, or the mark that several processes receive deliveries. */
	store(): void {
		if (this.nodeKey === undefined) return;
		const { records } = this.memory;
		this.staticData.storedBy = records ? `${processId}/${randomUUID()}` : severalProcesses;
		this.staticData.recentDeliveries = deliveriesCodec.serialize(records ?? new Map());
		this.staticData.recentDeliveriesVersion = deliveriesCodec.version;
	}
}

/**
 * Takes over what is stored of earlier deliveries, when this process activates the node. Forgets that several processes received
 * deliveries, so that this process and processes that start later remember deliveries again.
 */
export function restartMemory(nodeKey: string, staticData: IDataObject): void {
	const before = stampOf(staticData);
	const isOwn = before.startsWith(processId) && memories.get(nodeKey)?.records !== undefined;
	if (isOwn) return;
	const stamp = `${activated}${randomUUID()}`;
	const loaded = before === severalProcesses ? { records: new Map() } : loadRecords(staticData);
	const records = new LatestMap(maxRecords, loaded.records);
	memories.set(nodeKey, { ...loaded, records, stamps: [before, stamp] });
	if (!isUnclaimed(before)) staticData.storedBy = stamp;
}

/** Returns whether no process has stored deliveries since the activation. */
function isUnclaimed(stamp: string): boolean {
	return stamp === '' || stamp.startsWith(activated);
}

function stampOf({ storedBy }: IDataObject): string {
	return typeof storedBy === 'string' ? storedBy : '';
}

/** Returns whether no other process has received deliveries, as far as the stamp of loaded static data shows. */
function isAlone(stamp: string, { stamps }: NodeMemory): boolean {
	if (stamp === severalProcesses) return false;
	const isTakenOver = stamps.length > 1 && stamps.includes(stamp);
	return isUnclaimed(stamp) || isTakenOver || stamp.startsWith(processId);
}

/** Returns the stored deliveries. Starts without any if they are damaged or of an unknown version, with a warning. */
function loadRecords({ recentDeliveries, recentDeliveriesVersion }: IDataObject) {
	if (recentDeliveries === undefined) return { records: new Map<string, LastDelivery>() };
	const records = deliveriesCodec.parse(recentDeliveries, recentDeliveriesVersion ?? null);
	return records ? { records } : { records: new Map(), warning: damagedWarning };
}

/**
 * How the last deliveries are stored: as a list of entries, because an object would sort the record IDs. Whoever changes the
 * stored form raises the version, adds a migration from this version, and keeps its fixture in the tests.
 */
const deliveriesCodec = new StateCodec<ReadonlyMap<string, LastDelivery>>({
	version: 1,
	toStored: (records) => [...records],
	parse: (stored) => new Map(parseEntries(stored, parseLastDelivery)),
	migrations: {},
});

function parseLastDelivery(stored: unknown): LastDelivery {
	const { event, sent, at, content, states } = parseMembers(stored);
	const last = {
		...{ event: parseText(event), sent: parseText(sent) },
		...{ at: parseNumber(at), content: parseText(content) },
	};
	if (states === undefined) return last;
	const known = parseFieldStates(states);
	if (!known) throw new DamagedState();
	return { ...last, states: known };
}

/** Returns the first 22 characters of a digest; long enough that collisions cannot be constructed. */
function shortDigest(text: string): string {
	return text.slice(0, 22);
}
