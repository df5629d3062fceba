import { momentText } from '../data/dates';
import type { Comment, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { JsonValue, OrderedObject } from '../json';

export function commentView(comment: Comment, timeZone = 0): OrderedObject {
	const [, fileName = ''] = /^[^@]*@(.*)$/s.exec(comment.attachment) ?? [];
	return new Map<string, JsonValue>([
		['61', momentText(comment.at, timeZone)],
		['65', comment.author],
		['66', comment.text],
		['67', fileName],
		['73', String(comment.at)],
	]);
}

export function commentsView(record: SheetRecord, timeZone: number): OrderedObject {
	return new Map(
		record.comments.map((comment) => [String(comment.id), commentView(comment, timeZone)]),
	);
}

/** Returns the edits, oldest first, in UTC (specification, "Edit history entry"). */
export function historyView(record: SheetRecord, sheet: Sheet): JsonValue {
	return record.history.map(({ at, type, user, detail }) => ({
		Time: momentText(at),
		Type: type,
		Sheet: sheet.name,
		User: user,
		Detail: detail,
	}));
}

/** Returns the approval. The specification shows no structure, so this one is a plausible guess. */
export function approvalView({ approval }: SheetRecord): JsonValue {
	return approval ? { ...approval } : {};
}

/** Returns the conversation. The specification shows no structure, so this one is a plausible guess. */
export function conversationView(record: SheetRecord, timeZone: number): JsonValue {
	return record.conversation.map(({ at, ...message }) => ({
		...message,
		date: momentText(at, timeZone),
	}));
}
