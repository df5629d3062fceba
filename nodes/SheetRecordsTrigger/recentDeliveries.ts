import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { digest } from '../api/json/canonicalJson';
import { getOrInsert } from '../api/json/objects';
import { contentDigest } from '../api/read/recordKeys';
import { fieldChanges, fieldStates } from '../api/read/watchedFields';
import type { FieldChanges, FieldStates } from '../api/read/watchedFields';
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
	/** The values of the watched fields. */
	states?: FieldStates;
}

interface NodeMemory {
	/** By record id, the latest last. Undefined once several processes receive: none knows what another has just seen. */
	records: Map<string, Latest> | undefined;
	/** The stamp of the static data from which the records were loaded. */
	stamp: string;
	isWarned?: boolean;
}

/** Older ones are forgotten: then an unchanged record starts the workflow once more, and none is lost. */
const mostRecords = 2_000;

/** What is sent again later is something else, such as a second deletion after a restoration that was not delivered. */
const repeatMilliseconds = 5 * 60_000;

/** As many characters of a digest as nobody can find another content for. */
const digestLength = 22;

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

	/**
	 * @param staticData the node's, which n8n stores when the node has answered the webhook itself
	 * @param watched the ids of watched fields
	 */
	constructor(
		nodeKey: string,
		private readonly staticData: IDataObject,
		private readonly watched: readonly string[] = [],
	) {
		const stamp = String(staticData.storedBy ?? '');
		const load = () => ({ records: new Map(storedRecords(staticData)), stamp });
		this.memory = getOrInsert(memories, nodeKey, load);
		const isOwn = stamp === this.memory.stamp || stamp.startsWith(processId);
		if (!isOwn || stamp === several) this.memory.records = undefined;
	}

	/**
	 * Notes what a delivery says. Returns whether all of it was said within minutes, and nothing else of any of its records
	 * since. A delivery of ids says nothing.
	 */
	noteDelivery({ event, records }: Pick<Delivery, 'event' | 'records'>, now: number): boolean {
		const latest = new Map(
			records.map(({ recordId = '', content }) => [recordId, content && short(digest(content))]),
		);
		const isRepeat = [...latest].every(([recordId, sent]) => {
			const before = this.memory.records?.get(recordId);
			const isRecent = before && before.at <= now && now - before.at < repeatMilliseconds;
			return isRecent && sent !== undefined && before.event === event && before.sent === sent;
		});
		if (isRepeat) return latest.size > 0;
		for (const [recordId, sent = ''] of latest) {
			const { content = '', states } = this.memory.records?.get(recordId) ?? {};
			this.keep(recordId, { event: event ?? '', sent, at: now, content, states });
		}
		return false;
	}

	/** Notes what a record holds. Returns whether it holds the same as before its update. */
	noteContent(record: ChangedRecord): boolean {
		const { recordId = '', event = 'UPDATE', content, deleted, unreadable } = record;
		const isKnown = content && !deleted && unreadable === undefined && event !== 'DELETE';
		const now = isKnown ? short(contentDigest(content)) : '';
		const before = this.memory.records?.get(recordId);
		if (before) this.keep(recordId, { ...before, content: now });
		return event === 'UPDATE' && now !== '' && before?.content === now;
	}

	/** Notes what the watched fields of a record hold. Returns which of them an update changed. */
	noteWatched({ recordId = '', event, content, changedFields }: ChangedRecord): FieldChanges {
		const { watched } = this;
		const before = this.memory.records?.get(recordId);
		const states = content && event !== 'DELETE' ? fieldStates(content, watched) : undefined;
		if (before && content) this.keep(recordId, { ...before, states });
		return fieldChanges(watched, before?.states, states, changedFields);
	}

	/** Returns, for the first delivery that this is true of, that nothing is skipped any more. */
	nextWarning(): string | undefined {
		if (this.memory.records || this.memory.isWarned) return undefined;
		this.memory.isWarned = true;
		return 'Nothing is skipped any more, nor is anything known of watched fields: several processes of n8n receive the deliveries of this node, and none knows what another has seen.';
	}

	private keep(recordId: string, latest: Latest): void {
		const { records } = this.memory;
		if (!records || recordId === '') return;
		records.delete(recordId);
		records.set(recordId, latest);
		const [oldest] = records.keys();
		if (records.size > mostRecords && oldest !== undefined) records.delete(oldest);
	}

	/** Writes what is remembered into the static data. */
	store(): void {
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

function short(text: string): string {
	return text.slice(0, digestLength);
}

/** Entries, since an object would sort record ids and lose which one was seen last. */
function storedRecords({ recentDeliveries }: IDataObject): Array<[string, Latest]> {
	return typeof recentDeliveries === 'string' ? JSON.parse(recentDeliveries) : [];
}
