import { readAnswer, writeAnswer, type RawAnswer } from './http/answer';
import { type Client, recordRequest } from './http/client';
import { fallbackTo, ServiceError } from './http/serviceError';
import { saysNotFound, successWords } from './http/successWords';
import { isJsonObject, memberText, type JsonObject } from './json/orderedJson';
import { readOptionsBy } from './read/readOptions';
import { getRecord } from './read/records';
import { plainWords } from './values/plainWords';
import { FormBody, type FilePart, type FormPart } from './values/formBody';
import { inEnglish, joinedSentences } from './values/text';
import type { RecordAddress } from './values/sheetAddress';
import { commentsKey } from './values/subtableKeys';
import { outcomeUnknown } from './write/confirmation';

/** A comment of a record (specification, "Comment"). */
export interface RecordComment {
	commentId?: string;
	author: string;
	comment: string;
	/** Name of the attached file, or an empty text. */
	attachment: string;
	/** ISO 8601 in UTC from the raw timestamp, or the service's text if there is no timestamp. */
	time: string;
}

/** A new comment with its warning. */
export interface AddedComment extends RecordComment {
	/** Set if the service sent words that are no bare confirmation, or did not store the whole comment. */
	warning?: string;
}

/**
 * Adds a comment with an optional file (specification, endpoint 9). If the words of the service say that something was not found,
 * the comment must be among those of the record. Throws ServiceError.
 */
export async function addComment(
	client: Client,
	record: RecordAddress,
	text: string,
	attachment: FilePart | undefined,
): Promise<AddedComment> {
	const parts: FormPart[] = [['c', text]];
	if (attachment) parts.push(['at', attachment]);
	const request = recordRequest(client, record, []);
	const { comment, words } = await client.write(
		{ ...request, method: 'POST', body: new FormBody(parts), step: 'comment' },
		decodeComment,
	);
	const warning = await client.redactedWords(words);
	if (saysNotFound(plainWords(words)) && !(await isListed(client, record, comment))) {
		throw outcomeUnknown(warning);
	}
	const warnings = joinedSentences([warning, ...lossesOf(comment, text, attachment)]);
	return warnings === '' ? comment : { ...comment, warning: warnings };
}

/** Returns a sentence for each part of a new comment that the stored comment lacks: its file, and the end of its text. */
function lossesOf(stored: RecordComment, text: string, attachment: FilePart | undefined): string[] {
	const isCut = text.startsWith(stored.comment) && stored.comment.length < text.trimEnd().length;
	const hasLostFile = attachment !== undefined && stored.attachment === '';
	return [
		...(isCut
			? [`The service stored only ${inEnglish(stored.comment.length)} characters of the comment.`]
			: []),
		...(hasLostFile
			? [`The service stored the comment without the file '${attachment.name}'.`]
			: []),
	];
}

/** Returns whether a record has a comment with this text, file and time. */
async function isListed(
	client: Client,
	record: RecordAddress,
	{ comment, attachment, time }: RecordComment,
): Promise<boolean> {
	const listed = await listComments(client, record).catch(fallbackTo(undefined));
	const isSame = (candidate: RecordComment) =>
		candidate.comment === comment && candidate.attachment === attachment && candidate.time === time;
	return listed?.some(isSame) ?? false;
}

/** Returns the comments of a record in the service's order, or undefined if the record does not exist. */
export async function listComments(
	client: Client,
	address: RecordAddress,
): Promise<RecordComment[] | undefined> {
	const record = await getRecord(client, address, readOptionsBy('EID', ['comment', true]));
	return record && commentsOf(record.content);
}

/** Returns the comment in an answer or in a row of the comments, or undefined if it contains none. */
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

/** Returns the comments of a record that was read with `comment`, in the order of the answer. */
export function commentsOf(record: JsonObject): RecordComment[] {
	const rows = record.get(commentsKey);
	if (!isJsonObject(rows)) return [];
	return [...rows].flatMap(
		([commentId, row]) => (isJsonObject(row) && commentOf(row, commentId)) || [],
	);
}

/** Parses the answer to a new comment, which is the comment itself. Throws ServiceError for any other answer. */
function decodeComment(answer: RawAnswer): { comment: RecordComment; words: string } {
	const value = readAnswer(answer);
	const comment = isJsonObject(value) && commentOf(value);
	if (comment) return { comment, words: successWords(value) };
	// `writeAnswer` throws for any other status than SUCCESS. SUCCESS without the comment does not confirm the comment either.
	const words = plainWords(successWords(writeAnswer(answer)));
	throw new ServiceError({
		kind: 'malformed',
		message: `The service did not confirm the comment${words === '' ? '' : `: ${words}`}`,
		status: answer.status,
		serviceMessage: words || undefined,
	});
}

function isoTime(milliseconds: string): string | undefined {
	if (!/^\d+$/.test(milliseconds)) return undefined;
	const time = new Date(Number(milliseconds));
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
