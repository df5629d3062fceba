import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { digest } from '../api/json/canonicalJson';
import { getOrInsert, isObject } from '../api/json/objects';
import { contentDigest } from '../api/read/recordKeys';
import type { ChangedRecord } from './changedRecords';

/** What the latest delivery of a record said, in digests: nothing readable of the record is stored. */
interface Latest {
	event: string;
	/** Of all that was sent. */
	sent: string;
	/** Of what a person can change. */
	content: string;
}

interface NodeMemory {
	/** By record id, the latest last. Undefined once several processes receive: none knows what another has just seen. */
	records: Map<string, Latest> | undefined;
	/** The stamp of the static data from which the records were loaded. */
	stamp: string;
}

/** Older ones are forgotten: then an unchanged record starts the workflow once more, and none is lost. */
const mostRecords = 2_000;

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

	/** @param staticData the node's, which n8n stores when the node has answered the webhook itself */
	constructor(
		nodeKey: string,
		private readonly staticData: IDataObject,
	) {
		const stamp = String(staticData.storedBy ?? '');
		const load = () => ({ records: new Map(storedRecords(staticData)), stamp });
		this.memory = getOrInsert(memories, nodeKey, load);
		const isOwn = stamp === this.memory.stamp || stamp.startsWith(processId);
		if (!isOwn || stamp === several) this.memory.records = undefined;
	}

	/** Returns the records of a delivery that are neither repeats nor unchanged, and remembers all of them. */
	filterNew(
		changed: readonly ChangedRecord[],
		{ skipRepeats, skipUnchanged }: { skipRepeats: boolean; skipUnchanged: boolean },
	): ChangedRecord[] {
		const compared = changed.map((record) => ({ record, latest: latestIn(record) }));
		const ends = new Map(compared.map(({ record, latest }) => [record.recordId, latest]));
		const isRepeat = skipRepeats && [...ends].every(([id, latest]) => this.isRepeated(id, latest));
		const fresh = compared.filter(({ record: { recordId }, latest }) => {
			const isUnchanged = skipUnchanged && this.isUnchanged(recordId, latest);
			this.keep(recordId, latest);
			return !isRepeat && !isUnchanged;
		});
		return fresh.map(({ record }) => record);
	}

	remember(record: ChangedRecord): void {
		this.keep(record.recordId, latestIn(record));
	}

	/** Makes whatever comes of the record next count as new. */
	forget({ recordId = '' }: ChangedRecord): void {
		this.memory.records?.delete(recordId);
	}

	private isRepeated(recordId = '', latest?: Latest): boolean {
		const before = this.memory.records?.get(recordId);
		return before !== undefined && before.event === latest?.event && before.sent === latest.sent;
	}

	private isUnchanged(recordId = '', latest?: Latest): boolean {
		const before = this.memory.records?.get(recordId);
		if (!before || before.event === 'DELETE' || latest?.event !== 'UPDATE') return false;
		return before.content === latest.content;
	}

	/** Records without an id, or whose content is unknown, are not comparable. */
	private keep(recordId?: string, latest?: Latest): void {
		const { records } = this.memory;
		if (!records || recordId === undefined || !latest) return;
		records.delete(recordId);
		records.set(recordId, latest);
		const [oldest] = records.keys();
		if (records.size > mostRecords && oldest !== undefined) records.delete(oldest);
	}

	/** Writes what is remembered into the static data. */
	store(): void {
		const { records } = this.memory;
		this.staticData.storedBy = records ? `${processId}/${randomUUID()}` : several;
		const entries = [...(records ?? [])].map(([recordId, latest]) => ({ recordId, ...latest }));
		this.staticData.recentDeliveries = entries;
	}
}

/** Lets a node that is activated remember again although several processes received its deliveries before. */
export function restartMemory(nodeKey: string, staticData: IDataObject): void {
	if (staticData.storedBy !== several) return;
	memories.delete(nodeKey);
	staticData.storedBy = randomUUID();
}

/** A record read for a delivery of ids counts as updated: a new one has not been seen before. */
function latestIn({ event = 'UPDATE', content, deleted }: ChangedRecord): Latest | undefined {
	const compared = deleted ? new Map() : content;
	if (!compared) return undefined;
	return {
		event: deleted ? 'DELETE' : event,
		sent: digest(compared).slice(0, digestLength),
		content: contentDigest(compared).slice(0, digestLength),
	};
}

/** An array, since an object would sort record ids and lose which one was seen last. */
function storedRecords({ recentDeliveries }: IDataObject): Array<[string, Latest]> {
	if (!Array.isArray(recentDeliveries)) return [];
	return recentDeliveries
		.filter(isObject)
		.map(({ recordId, event, sent, content }) => [
			String(recordId),
			{ event: String(event), sent: String(sent), content: String(content) },
		]);
}
