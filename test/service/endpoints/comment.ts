import { demandWriting, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import type { RequestBody } from '../http/body';
import { errorCodes, ServiceError } from '../http/serviceError';
import { commentView } from '../reading/attachedViews';
import { noteAction } from '../writing/noteAction';
import { demandPostParameters } from '../writing/postParameters';

/** Multipart form data with a field `c` is a comment, not an update. */
export function isComment(body: RequestBody): boolean {
	return body.kind === 'form' && body.multipart && body.fields.some(([name]) => name === 'c');
}

/** Adds a comment, with or without an attachment (specification, endpoint 9). */
export function addComment(call: Call, sheet: Sheet, recordId: number): Answer {
	demandWriting(sheet, call.identity);
	demandPostParameters(call);
	const record = sheet.records.get(recordId);
	if (!record) throw new ServiceError(errorCodes.recordNotFound, 'Record not found.');
	const form = call.body.kind === 'form' ? call.body : undefined;
	const [, text = ''] = form?.fields.find(([name]) => name === 'c') ?? [];
	if (!form || text === '') throw new ServiceError(errorCodes.parameters, 'Missing c.');

	const file = form.files.find(({ fieldName }) => fieldName === 'at');
	const attachment = file
		? call.state.data.storeFile(file.fileName, file.mimeType, file.content)
		: '';
	const id = Math.max(0, ...record.comments.map((comment) => comment.id)) + 1;
	const comment = {
		id,
		author: call.identity.email,
		text,
		attachment,
		at: call.state.clock.stamp(),
	};
	record.comments.push(comment);
	noteAction(call, record, 'Comment');
	return jsonAnswer(commentView(comment), call.query);
}
