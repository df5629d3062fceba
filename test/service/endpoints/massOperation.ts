import type { Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { jsonMembers } from '../http/body';
import { errorCodes, ServiceError } from '../http/serviceError';
import { readOperation } from '../massOperations/operation';
import { recordWork } from '../massOperations/recordWork';
import { selectedRecordIds } from '../massOperations/selection';

/** Everything else in the query is refused, as on every POST. */
const parameters = new Set([
	'api',
	'APIKey',
	'sid',
	'version',
	'v',
	'callback',
	'where',
	'recordId',
]);

/** Submits a mass operation, which goes on in the background (specification, endpoint 13). */
export function submitMassOperation(call: Call, sheet: Sheet, type: string): Answer {
	const { query, body, state, identity } = call;
	const stranger = query.parameters.find(({ name }) => !parameters.has(name));
	if (stranger) {
		throw new ServiceError(errorCodes.parameters, `Error processing parameter: ${stranger.name}`);
	}
	if (body.kind !== 'json') throw new ServiceError(errorCodes.parameters, 'The body is no JSON.');
	const operation = readOperation(type, jsonMembers(body.text), state.switches);
	const work = recordWork(call, sheet, operation);
	const { path, index } = sheet;
	const task = state.tasks.submit({
		name: type,
		owner: identity.email,
		sheet: { path, index },
		recordIds: selectedRecordIds(call, sheet),
		work: (recordId) => {
			const record = sheet.records.get(recordId);
			if (!record) throw new ServiceError(errorCodes.recordNotFound, 'Record not found.');
			work(record);
		},
		atEnd: (recordIds) => tellWebhooks(call, sheet, type, recordIds),
	});
	return jsonAnswer({ taskId: task.id }, query);
}

/** A mass update and a search-and-replace send one delivery with all records (specification, "Events"). */
function tellWebhooks(
	{ state }: Call,
	sheet: Sheet,
	type: string,
	recordIds: readonly number[],
): void {
	const isUpdate = type === 'massUpdate' || type === 'massSearchReplace';
	if (!isUpdate || !state.switches.webhooksOfApiWrites) return;
	const records = recordIds.flatMap((id) => sheet.records.get(id) ?? []);
	state.webhooks.changed(sheet, 'UPDATE', records);
}
