import { demandReading, demandWriting, existingRecord, sendWebhooks, type Call } from '../call';
import { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import type { RequestBody } from '../http/body';
import { checkReadParameters, demandPostParameters, recordParameters } from '../http/query';
import { refusal, ServiceError } from '../http/serviceError';
import type { JsonValue } from '../json';
import { commentView } from '../reading/attachedViews';
import { RecordView, type ViewOptions } from '../reading/recordView';
import { readViewOptions, savedRecordOptions } from '../reading/viewOptions';
import type { Switches } from '../switches';
import { save } from '../writing/save';

/** Reads one record (specification, endpoint 2). */
export function readRecord(call: Call, sheet: Sheet, recordId: number): Answer {
	demandReading(sheet, call.identity);
	checkReadParameters(call, recordParameters);
	// `listing` is a parameter of lists only.
	const options = { ...readViewOptions(call), listing: false };
	const record = sheet.records.get(recordId);
	if (!record) {
		const { missingRecord } = call.state.switches;
		if (missingRecord === 'empty') return jsonAnswer({}, call.query);
		throw refusal(missingRecord);
	}
	const view = new RecordView(sheet, options, call.state.switches);
	return jsonAnswer(view.list([record]), call.query);
}

/** Creates a record (specification, endpoint 6). */
export function createRecord(call: Call, sheet: Sheet): Answer {
	demandWriting(sheet, call.identity);
	demandPost(call, sheet);
	if (sheet.records.size >= sheet.maximumRecords) throw new ServiceError('tooManyRecords');
	const options = savedRecordOptions(call);
	const record = sheet.prepare({ at: call.state.clock.stamp(), user: call.identity.email });
	save(call, sheet, record, true);
	sheet.keep(record);
	sendWebhooks(call, sheet, 'CREATE', [record]);
	const { createAnswer } = call.state.switches;
	if (createAnswer === 'recordById' || createAnswer === 'wholeSheet') {
		const view = new RecordView(sheet, options, call.state.switches);
		const answered = createAnswer === 'wholeSheet' ? [...sheet.records.values()] : [record];
		return jsonAnswer(view.list(answered), call.query);
	}
	return saved(call, sheet, record, options, {});
}

/** Updates a record. POST, PUT and PATCH all merge (specification, endpoint 7). */
export function updateRecord(call: Call, sheet: Sheet, recordId: number): Answer {
	demandWriting(sheet, call.identity);
	demandPost(call, sheet);
	const record = existingRecord(sheet, recordId);
	if (record.locked && call.query.flag('checkLock')) throw new ServiceError('recordLocked');
	const options = savedRecordOptions(call);
	const draft = record.draft();
	save(call, sheet, draft, false);
	record.takeOver(draft);
	sendWebhooks(call, sheet, 'UPDATE', [record]);
	return saved(call, sheet, record, options, { msg: '', warning: '' });
}

/** Rejects a POST on a custom form (specification, "Errors"). */
function demandPost({ method }: Call, { acceptsPost }: Sheet): void {
	if (method === 'POST' && !acceptsPost) throw new ServiceError('customForm');
}

function idKey({ answerId, dialect }: Switches): string {
	if (answerId === 'underscored') return '_ragic_id';
	const key = dialect === 'ragic' ? 'ragicId' : 'svcId';
	return answerId === 'asInRecords' ? `_${key}` : key;
}

function saved(
	call: Call,
	sheet: Sheet,
	record: SheetRecord,
	options: ViewOptions,
	messages: { [key: string]: JsonValue },
): Answer {
	const { switches } = call.state;
	const { answerId, writeWarning } = switches;
	const writeMessage = call.notes?.join(' ') || switches.writeMessage;
	const view = new RecordView(sheet, options, switches);
	return jsonAnswer(
		{
			status: 'SUCCESS',
			rv: '0',
			[idKey(switches)]: answerId === 'asText' ? String(record.id) : record.id,
			...messages,
			...(writeMessage === '' ? {} : { msg: writeMessage }),
			...(writeWarning === '' ? {} : { warning: writeWarning }),
			...(switches.answerCarriesData ? { data: view.record(record) } : {}),
		},
		call.query,
	);
}

/** Deletes a record (endpoint 8). A missing record is an error only if the switch says so. */
export function deleteRecord(call: Call, sheet: Sheet, id: number): Answer {
	const { identity, query, state } = call;
	demandWriting(sheet, identity);
	const record = sheet.remove(id, state.clock.now());
	if (record) sendWebhooks(call, sheet, 'DELETE', [record]);
	const { missingDelete, deleteMessage, deletionAnswer } = state.switches;
	if (!record && state.switches.falseSuccess) {
		return jsonAnswer({ status: 'SUCCESS', msg: `Record ${id} not found.` }, query);
	}
	if (!record && missingDelete === 'code404') throw refusal('code404');
	if (deletionAnswer === 'messageOnly') {
		const msg = 'The record has been moved to recycle bin.';
		return jsonAnswer({ msg, [idKey(state.switches)]: id }, query);
	}
	const answer: { [key: string]: JsonValue } = { status: 'SUCCESS' };
	if (deleteMessage !== '') answer.msg = deleteMessage;
	return jsonAnswer(answer, query);
}

/** Locks or unlocks a record (specification, endpoint 11). A mark that is turned off, such as `lock=0`, changes nothing. */
export function setLock(
	call: Call,
	sheet: Sheet,
	recordId: number,
	action: 'lock' | 'unlock',
): Answer {
	demandWriting(sheet, call.identity);
	demandPostParameters(call, action);
	const record = existingRecord(sheet, recordId);
	const isOff = ['0', 'false'].includes(call.query.first(action) ?? '');
	if (!isOff) record.locked = action === 'lock';
	return jsonAnswer({ status: 'SUCCESS', code: 200 }, call.query);
}

/** Returns whether the body is a comment instead of an update: multipart form data with a field `c`. */
export function isComment(body: RequestBody): boolean {
	return body.kind === 'form' && body.multipart && body.fields.some(([name]) => name === 'c');
}

/** Adds a comment, with or without an attachment (specification, endpoint 9). */
export function addComment(call: Call, sheet: Sheet, recordId: number): Answer {
	demandWriting(sheet, call.identity);
	demandPostParameters(call);
	const record = existingRecord(sheet, recordId);
	const form = call.body.kind === 'form' ? call.body : undefined;
	const [, text = ''] = form?.fields.find(([name]) => name === 'c') ?? [];
	if (!form || text === '') throw new ServiceError('parameters', 'Missing c.');

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
	const view = commentView(comment);
	const { writeWarning } = call.state.switches;
	if (writeWarning !== '') view.set('warning', writeWarning);
	return jsonAnswer(view, call.query);
}
