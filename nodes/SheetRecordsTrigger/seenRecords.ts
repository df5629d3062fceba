import type { IDataObject } from 'n8n-workflow';
import { digest } from '../api/json/digest';
import { contentDigest } from '../api/read/contentDigest';
import type { JsonObject } from '../api/json/orderedJson';
import { memoryOf, storeMemory, type Seen } from './nodeMemory';

/** A record of a delivery, as far as comparing it needs. */
export interface SeenRecord {
	recordId: string;
	event: string;
	content: JsonObject;
}

/**
 * What was last seen of each record of a node. Where several processes receive its deliveries, nothing is:
 * then no record is surely a repeat or unchanged.
 */
export class SeenRecords {
	private readonly seen: Map<string, Seen> | undefined;

	/**
	 * @param nodeKey which node of which workflow
	 * @param staticData the node's static data, which n8n stores when the webhook was answered by the node
	 */
	constructor(
		private readonly nodeKey: string,
		private readonly staticData: IDataObject,
	) {
		this.seen = memoryOf(nodeKey, staticData);
	}

	/** Whether the records, as they ended, were all last seen with the same event and content. */
	isRepeat(records: readonly SeenRecord[]): boolean {
		const last = new Map(records.map((record) => [record.recordId, record]));
		return (
			last.size > 0 &&
			[...last.values()].every(({ recordId, event, content }) => {
				const before = this.seen?.get(recordId);
				return before?.event === event && before.sent === short(digest(content));
			})
		);
	}

	/** Whether an update surely left a record as it was last seen. */
	isUnchanged({ recordId, event, content }: SeenRecord): boolean {
		const before = this.seen?.get(recordId);
		return (
			event === 'UPDATE' &&
			before !== undefined &&
			before.event !== 'DELETE' &&
			before.content === short(contentDigest(content))
		);
	}

	remember({ recordId, event, content }: SeenRecord): void {
		this.forget(recordId);
		this.seen?.set(recordId, {
			event,
			sent: short(digest(content)),
			content: short(contentDigest(content)),
		});
	}

	/** Whatever comes of the record next is new. */
	forget(recordId: string): void {
		this.seen?.delete(recordId);
	}

	/** Writes what is remembered by now into the static data. */
	store(): void {
		storeMemory(this.nodeKey, this.staticData);
	}
}

/** As many characters of a digest as nobody can find another content for. */
function short(digested: string): string {
	return digested.slice(0, 22);
}
