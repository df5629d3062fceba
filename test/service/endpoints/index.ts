import type { Call } from '../call';
import type { Sheet } from '../data/sheet';
import type { Answer } from '../http/answer';
import { wrongMethod } from '../http/serviceError';
import type { Target } from '../http/target';
import { exportDocument, exportList } from '../documents';
import { listActionButtons, pressActionButton } from './actionButton';
import { describeDefinition, describeMenu, describeSchema } from './discovery';
import { importFromUrl, isImport } from './importFromUrl';
import { listRecords } from './list';
import { asksForTask, showTaskProgress, submitMassOperation } from './massOperation';
import {
	addComment,
	createRecord,
	deleteRecord,
	isComment,
	readRecord,
	setLock,
	updateRecord,
} from './record';

/** Dispatches a call to its endpoint by target and method. */
export function answerCall(call: Call, target: Target): Answer | Promise<Answer> {
	if (target.kind === 'record') return answerRecordCall(call, target.sheet, target.recordId);
	if (target.kind === 'sheet') return answerSheetCall(call, target.sheet);
	if (target.kind === 'massOperation' && call.method === 'POST') {
		return submitMassOperation(call, target.sheet, target.type);
	}
	if (call.method === 'GET') {
		if (target.kind === 'account' && asksForTask(call)) return showTaskProgress(call);
		if (target.kind === 'account') return describeMenu(call);
		if (target.kind === 'tab') return describeMenu(call, target.path);
		if (target.kind === 'list') return listRecords(call, target.sheet);
		if (target.kind === 'document') return exportDocument(call, target);
		if (target.kind === 'listDocument') return exportList(call, target);
		if (target.kind === 'schema') return describeSchema(call, target.sheet);
		if (target.kind === 'actionButtons') return listActionButtons(call, target.sheet);
	}
	throw wrongMethod();
}

function answerSheetCall(call: Call, sheet: Sheet): Answer {
	if (call.method === 'GET' && asksForTask(call)) return showTaskProgress(call, sheet);
	if (call.method === 'GET' && call.query.has('def')) return describeDefinition(call, sheet);
	if (call.method === 'GET') return listRecords(call, sheet);
	if (call.method === 'POST' && isImport(call.body)) return importFromUrl(call, sheet);
	if (call.method === 'POST') return createRecord(call, sheet);
	throw wrongMethod();
}

function answerRecordCall(call: Call, sheet: Sheet, recordId: number): Answer {
	switch (call.method) {
		case 'GET':
			return readRecord(call, sheet, recordId);
		case 'POST':
			if (call.query.has('lock')) return setLock(call, sheet, recordId, 'lock');
			if (call.query.has('unlock')) return setLock(call, sheet, recordId, 'unlock');
			if (call.query.has('bId')) return pressActionButton(call, sheet, recordId);
			if (isComment(call.body)) return addComment(call, sheet, recordId);
			return updateRecord(call, sheet, recordId);
		case 'PUT':
		case 'PATCH':
			return updateRecord(call, sheet, recordId);
		case 'DELETE':
			return deleteRecord(call, sheet, recordId);
		default:
			throw wrongMethod();
	}
}
