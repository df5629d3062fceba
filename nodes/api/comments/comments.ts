import { readAnswer, type RawAnswer } from '../http/answer';
import { commentOf, commentsOf, type RecordComment } from './comment';
import { FormBody, type FilePart, type FormPart } from '../values/formBody';
import { isJsonObject } from '../json/orderedJson';
import { ServiceError } from '../http/serviceError';
import type { RecordAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { readingBy } from '../read/readOptions';
import { getRecord } from '../read/records';
import { recordRequest } from '../http/sheetRequest';

/**
 * Adds a comment to a record, with a file when there is one (specification, endpoint 9). Throws ServiceError,
 * also when the answer is not the comment.
 */
export async function addComment(
	client: Client,
	record: RecordAddress,
	text: string,
	attachment: FilePart | undefined,
): Promise<RecordComment> {
	const parts: FormPart[] = [['c', text]];
	if (attachment) parts.push(['at', attachment]);
	const request = recordRequest(client, record, []);
	return await client.write({ ...request, method: 'POST', body: new FormBody(parts) }, readComment);
}

/**
 * The comments of a record, in the order of the service. Undefined when there is no such record. Throws
 * ServiceError.
 */
export async function listComments(
	client: Client,
	address: RecordAddress,
): Promise<RecordComment[] | undefined> {
	const record = await getRecord(client, address, readingBy('EID', ['comment', true]));
	return record && commentsOf(record.content);
}

/** A comment is answered by itself, without a status: anything else is no confirmation. */
function readComment(answer: RawAnswer): RecordComment {
	const value = readAnswer(answer);
	const comment = isJsonObject(value) ? commentOf(value) : undefined;
	if (comment) return comment;
	throw new ServiceError({
		kind: 'malformed',
		message: 'The service did not confirm the comment',
		status: answer.status,
	});
}
