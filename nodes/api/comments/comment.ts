import { isJsonObject, memberText, type JsonObject } from '../json/orderedJson';
import { commentsKey } from '../values/subtableKeys';

/** A comment of a record (specification, "Comment"). */
export interface RecordComment {
	commentId?: string;
	author: string;
	comment: string;
	/** Name of the attached file; empty when there is none. */
	attachment: string;
	/** ISO 8601 in UTC, from the raw timestamp; the service's own text where there is none. */
	time: string;
}

/** The comment in an answer or in a row of the comments' subtable; undefined when it holds no comment. */
export function commentOf(value: JsonObject, commentId?: string): RecordComment | undefined {
	if (!value.has('66')) return undefined;
	const text = (key: string) => memberText(value, key) ?? '';
	return {
		...(commentId === undefined ? {} : { commentId }),
		author: text('65'),
		comment: text('66'),
		attachment: text('67'),
		time: isoTime(text('73')) ?? text('61'),
	};
}

/** The comments of a record that was read with them, in the order of the answer. */
export function commentsOf(record: JsonObject): RecordComment[] {
	const rows = record.get(commentsKey);
	if (!isJsonObject(rows)) return [];
	return [...rows].flatMap(([commentId, row]) => {
		const comment = isJsonObject(row) ? commentOf(row, commentId) : undefined;
		return comment ? [comment] : [];
	});
}

function isoTime(milliseconds: string): string | undefined {
	if (!/^\d+$/.test(milliseconds)) return undefined;
	const time = new Date(Number(milliseconds));
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
