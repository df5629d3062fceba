import { existingRecord, isAdministrator, sendWebhooks, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { jsonMembers } from '../http/body';
import { refusal, ServiceError } from '../http/serviceError';
import { readOperation, selectedRecordIds } from '../massOperations/operation';
import { recordWork } from '../massOperations/recordWork';
import { demandPostParameters } from '../http/query';
import { taskView } from '../massOperations/backgroundTask';
import { discover } from './discovery';

/** Submits a mass operation, which runs in the background (specification, endpoint 13). */
export function submitMassOperation(call: Call, sheet: Sheet, type: string): Answer {
	const { query, body, state, identity } = call;
	demandPostParameters(call, 'where', 'recordId');
	if (body.kind !== 'json') throw new ServiceError('parameters', 'The body is no JSON.');
	const operation = readOperation(type, jsonMembers(body.text), state.switches);
	const work = recordWork(call, sheet, operation);
	const { path, index } = sheet;
	const task = state.tasks.submit({
		name: type,
		owner: identity.email,
		sheet: { path, index },
		recordIds: selectedRecordIds(withBodySelection(call), sheet),
		work: (recordId) => work(existingRecord(sheet, recordId)),
		atEnd: (recordIds) => sendUpdateWebhooks(call, sheet, type, recordIds),
	});
	return jsonAnswer({ taskId: task.id }, query);
}

/** Returns the call with the `recordIds` of its body among those of the query, if a switch says so. */
function withBodySelection(call: Call): Call {
	if (call.state.switches.massSelection === 'query' || call.body.kind !== 'json') return call;
	const { recordIds } = jsonMembers(call.body.text);
	const ids = Array.isArray(recordIds) ? recordIds.map(String) : [];
	call.query.add(ids.map((id) => ['recordId', id] as const));
	return call;
}

/** Sends one webhook delivery with all records of a mass update or a search-and-replace (specification, "Events"). */
function sendUpdateWebhooks(
	call: Call,
	sheet: Sheet,
	type: string,
	recordIds: readonly number[],
): void {
	if (type !== 'massUpdate' && type !== 'massSearchReplace') return;
	const records = recordIds.flatMap((id) => sheet.records.get(id) ?? []);
	sendWebhooks(call, sheet, 'UPDATE', records);
}

/** Returns the progress of a mass operation (endpoint 3), at the address of the account or of the sheet. */
export function showTaskProgress(call: Call, sheet?: Sheet): Answer {
	return discover(call, sheet ? 'taskAtSheet' : 'taskAtAccount', () => {
		const { query, state, identity } = call;
		const task = state.tasks.look(query.first('taskId') ?? '', state.switches.looksUntilForgotten);
		const isHere = !sheet || isSame(task?.order.sheet, sheet);
		const mayLook = isAdministrator(identity) || task?.order.owner === identity.email;
		if (task && isHere && mayLook) return taskView(task, state.account, state.switches);
		const { unknownTask } = state.switches;
		if (unknownTask === 'empty') return {};
		throw refusal(unknownTask);
	});
}

function isSame(address: { path: string; index: number } | undefined, sheet: Sheet): boolean {
	return address?.path === sheet.path && address.index === sheet.index;
}

export function asksForTask({ query }: Call): boolean {
	return query.has('taskId');
}
