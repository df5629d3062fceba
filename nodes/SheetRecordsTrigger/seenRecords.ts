import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../wire/orderedJson';
import type { JsonObject, JsonValue } from '../wire/orderedJson';
import { plain } from '../wire/record';
import { memoryOf, storeMemory } from './nodeMemory';
import type { Seen } from './nodeMemory';

/** A record of a delivery, as far as comparing it needs. */
export interface SeenRecord {
	recordId: string;
	event: string;
	content: JsonObject;
}

/** Keys that change whenever a record is saved, modified or not. */
const savedKeys: ReadonlySet<string> = new Set([
	'_update_date',
	'_update_user',
	'_dataTimestamp',
	'_index_calDates_',
	'_index_',
	'changedFields',
	'109',
]);

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
				return before?.event === event && before.sent === digest(content);
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
			before.content === contentDigest(content)
		);
	}

	/** Remembers the record as it is now. */
	remember({ recordId, event, content }: SeenRecord): void {
		this.forget(recordId);
		this.seen?.set(recordId, { event, sent: digest(content), content: contentDigest(content) });
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

function contentDigest(content: JsonObject): string {
	return digest(new Map([...content].filter(([key]) => !savedKeys.has(key))));
}

function digest(content: JsonObject): string {
	return createHash('sha256')
		.update(JSON.stringify(sorted(content)))
		.digest('base64')
		.slice(0, 22);
}

/** The same text for the same content, in whatever order its keys came. */
function sorted(value: JsonValue): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isJsonObject(value)) return plain(value);
	return [...value]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([key, element]) => [key, sorted(element)]);
}
