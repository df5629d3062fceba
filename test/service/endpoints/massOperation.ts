import { existingRecord, tellWebhooks, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { jsonMembers } from '../http/body';
import { ServiceError } from '../http/serviceError';
import { readOperation } from '../massOperations/operation';
import { recordWork } from '../massOperations/recordWork';
import { selectedRecordIds } from '../massOperations/selection';
import { demandPostParameters } from '../http/parameters';

/** Submits a mass operation, which goes on in the background (specification, endpoint 13). */
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
		recordIds: selectedRecordIds(call, sheet),
		work: (recordId) => work(existingRecord(sheet, recordId)),
		atEnd: (recordIds) => tellOfUpdates(call, sheet, type, recordIds),
	});
	return jsonAnswer({ taskId: task.id }, query);
}

/** A mass update and a search-and-replace send one delivery with all records (specification, "Events"). */
function tellOfUpdates(call: Call, sheet: Sheet, type: string, recordIds: readonly number[]): void {
	if (type !== 'massUpdate' && type !== 'massSearchReplace') return;
	const records = recordIds.flatMap((id) => sheet.records.get(id) ?? []);
	tellWebhooks(call, sheet, 'UPDATE', records);
}
