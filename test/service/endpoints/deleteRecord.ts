import { demandWriting, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { errorCodes, ServiceError } from '../http/serviceError';
import type { JsonValue } from '../json';
import { tellWebhooks } from '../webhooks/apiWrites';

/**
 * Deletes a record (specification, endpoint 8). One that is not there gives no error unless a
 * switch says so.
 */
export function deleteRecord({ identity, query, state }: Call, sheet: Sheet, id: number): Answer {
	demandWriting(sheet, identity);
	const record = sheet.records.get(id);
	const wasThere = sheet.records.delete(id);
	if (record) tellWebhooks({ state }, sheet, 'DELETE', [record]);
	const { missingDelete, deleteMessage } = state.switches;
	if (!wasThere && missingDelete === 'code404') {
		throw new ServiceError(errorCodes.recordNotFound, 'Record not found.');
	}
	const answer: { [key: string]: JsonValue } = { status: 'SUCCESS' };
	if (deleteMessage !== '') answer.msg = deleteMessage;
	return jsonAnswer(answer, query);
}
