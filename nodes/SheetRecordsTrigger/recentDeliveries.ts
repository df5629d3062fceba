import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { digest } from '../api/json/canonicalJson';
import { getOrInsert } from '../api/json/objects';
import { contentDigest } from '../api/read/recordKeys';
import { fieldChanges, fieldStates } from '../shared/watchedFields';
import type { FieldChanges, FieldStates } from '../shared/watchedFields';
import type { Delivery } from '../api/webhooks/delivery';
import type { ChangedRecord } from './changedRecords';

/** What the latest delivery of a record said, in digests: nothing readable is stored, but for short values of watched fields. */
interface Latest {
	event: string;
	/** Of all that was sent, and when: milliseconds of this machine's clock. */
	sent: string;
	at: number;
	/** Of what a person can change, as it was delivered or fetched; empty when that is unknown. */
	content: string;
	/** Of the watched fields. */
	states?: FieldStates;
}

interface NodeMemory {
	/** By record id, the latest last. None once several processes receive: none knows what another has just seen. */
	records?: Map<string, Latest>;
	/** The stamp of the static data from which the records were loaded. */
	stamp: string;
	isWarned?: boolean;
}

/** Older ones are forgotten: then an unchanged record starts the workflow once more, and none is lost. */
const mostRecords = 2_000;

/** What is sent again later is something else, such as a second deletion after a restoration that was not delivered. */
const repeatMilliseconds = 5 * 60_000;

const memories = processCache<NodeMemory>('recentDeliveries');
const processId = randomUUID();

/** The stamp of static data where several processes receive the deliveries of a node. */
const several = 'several processes';

/**
 * What the latest deliveries to a node said of each record, in the order in which this process has taken them. Of
 * deliveries that come together the last one to store static data wins: these only show where a process begins, and by
 * their stamp whether another process has stored since.
 */
export class RecentDeliveries {
	private readonly memory: NodeMemory;

	/** @param nodeKey undefined where nothing is remembered; n8n stores `staticData` when the node has answered by itself */
	constructor(
		private readonly nodeKey: string | undefined,
		private readonly staticData: IDataObject,
		private readonly watched: readonly string[] = [],
	) {
		const { storedBy = '', recentDeliveries = '[]' } = staticData;
		const stamp = String(storedBy);
		const load = () => {
			// Entries, since an object would sort record ids and lose which one was seen last.
			const stored: Array<[string, Latest]> = JSON.parse(String(recentDeliveries));
			return { records: new Map(stored), stamp };
		};
		const none = { stamp, isWarned: true };
		this.memory = nodeKey === undefined ? none : getOrInsert(memories, nodeKey, load);
		const isOwn = stamp === this.memory.stamp || stamp.startsWith(processId);
		if (!isOwn || stamp === several) delete this.memory.records;
	}

	/** Notes what a delivery says. Returns whether all of it, which is more than ids, was what its records said last, within minutes. */
	noteDelivery({ event, records }: Pick<Delivery, 'event' | 'records'>, now: number): boolean {
		const latest = new Map(
			records.map(({ recordId = '', content }) => [recordId, content && short(digest(content))]),
		);
		const isRepeat = [...latest].every(([recordId, sent]) => {
			const before = this.latestOf(recordId);
			const isRecent = before && before.at <= now && now - before.at < repeatMilliseconds;
			return isRecent && sent !== undefined && before.event === event && before.sent === sent;
		});
		if (isRepeat) return latest.size > 0;
		for (const [recordId, sent = ''] of latest) {
			const { content = '', states } = this.latestOf(recordId) ?? {};
			this.keep(recordId, { event: event ?? '', sent, at: now, content, states });
		}
		return false;
	}

	/** Notes what a record holds. Returns whether it holds the same as before its update. */
	noteContent(record: ChangedRecord): boolean {
		const { recordId, event = 'UPDATE', content, deleted, unreadable } = record;
		const isKnown = content && !deleted && unreadable === undefined && event !== 'DELETE';
		const now = isKnown ? short(contentDigest(content)) : '';
		const before = this.latestOf(recordId);
		if (before) this.keep(recordId, { ...before, content: now });
		return event === 'UPDATE' && now !== '' && before?.content === now;
	}

	/** Notes what the watched fields of a record hold. Returns which of them an update changed; undefined for what counts anyway. */
	noteWatched(record: ChangedRecord): FieldChanges | undefined {
		const { recordId, event = 'UPDATE', content, changedFields } = record;
		const { watched } = this;
		if (!content || watched.length === 0) return undefined;
		const before = this.latestOf(recordId);
		const states = event === 'DELETE' ? undefined : fieldStates(content, watched);
		if (before) this.keep(recordId, { ...before, states });
		if (event !== 'UPDATE') return undefined;
		return fieldChanges(watched, before?.states, states, changedFields);
	}

	/** Returns, for the first delivery that this is true of, that nothing is skipped any more. */
	nextWarning(): string | undefined {
		if (this.memory.records || this.memory.isWarned) return undefined;
		this.memory.isWarned = true;
		return 'Nothing is skipped any more, nor is anything known of watched fields: several processes of n8n receive the deliveries of this node, and none knows what another has seen.';
	}

	private latestOf(recordId = ''): Latest | undefined {
		return this.memory.records?.get(recordId);
	}

	private keep(recordId: string | undefined, latest: Latest): void {
		const { records } = this.memory;
		if (!records || !recordId) return;
		records.delete(recordId);
		records.set(recordId, latest);
		const [oldest] = records.keys();
		if (records.size > mostRecords && oldest !== undefined) records.delete(oldest);
	}

	/** Writes what is remembered into the static data. */
	store(): void {
		if (this.nodeKey === undefined) return;
		const { records } = this.memory;
		this.staticData.storedBy = records ? `${processId}/${randomUUID()}` : several;
		this.staticData.recentDeliveries = JSON.stringify([...(records ?? [])]);
	}
}

/** Lets a node that is activated remember again although several processes received its deliveries before. */
export function restartMemory(nodeKey: string, staticData: IDataObject): void {
	if (staticData.storedBy !== several) return;
	memories.delete(nodeKey);
	staticData.storedBy = randomUUID();
}

/** As many characters of a digest as nobody can find another content for. */
function short(text: string): string {
	return text.slice(0, 22);
}
