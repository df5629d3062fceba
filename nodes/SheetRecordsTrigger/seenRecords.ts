import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../wire/orderedJson';
import type { JsonObject, JsonValue } from '../wire/orderedJson';
import { plain } from '../wire/record';
import { isObject } from '../wire/objects';

/** How a record was last seen. */
interface Seen {
	event: string;
	/** Of all that was sent. */
	sent: string;
	/** Of what a person can change. */
	content: string;
}

/** A record of a delivery, as far as comparing it needs. */
export interface SeenRecord {
	recordId: string;
	event: string;
	content: JsonObject;
}

/** The oldest are forgotten: then an unchanged record starts the workflow once more, and none is lost. */
const mostRecords = 2_000;

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
 * What was last seen of each record, kept in the node's static data: an array, since an object would
 * sort record ids and lose which one was seen last.
 */
export class SeenRecords {
	private readonly seen: Map<string, Seen>;

	/** @param staticData the node's static data, which n8n stores when the webhook was answered by the node */
	constructor(private readonly staticData: IDataObject) {
		this.seen = new Map(storedEntries(staticData.seenRecords));
	}

	/** Whether the records, as they ended, were all last seen with the same event and content. */
	isRepeat(records: readonly SeenRecord[]): boolean {
		const last = new Map(records.map((record) => [record.recordId, record]));
		return (
			last.size > 0 &&
			[...last.values()].every(({ recordId, event, content }) => {
				const before = this.seen.get(recordId);
				return before?.event === event && before.sent === digest(content);
			})
		);
	}

	/** Whether an update left a record as it was last seen. */
	isUnchanged({ recordId, event, content }: SeenRecord): boolean {
		const before = this.seen.get(recordId);
		return (
			event === 'UPDATE' &&
			before !== undefined &&
			before.event !== 'DELETE' &&
			before.content === contentDigest(content)
		);
	}

	/** Remembers the record as it is now. */
	remember({ recordId, event, content }: SeenRecord): void {
		this.seen.delete(recordId);
		this.seen.set(recordId, { event, sent: digest(content), content: contentDigest(content) });
	}

	/** Writes what is remembered into the static data. */
	store(): void {
		this.staticData.seenRecords = [...this.seen]
			.slice(-mostRecords)
			.map(([recordId, { event, sent, content }]) => ({ recordId, event, sent, content }));
	}
}

function storedEntries(stored: unknown): Array<[string, Seen]> {
	if (!Array.isArray(stored)) return [];
	return stored
		.filter(isObject)
		.map(({ recordId, event, sent, content }) => [
			String(recordId),
			{ event: String(event), sent: String(sent), content: String(content) },
		]);
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
