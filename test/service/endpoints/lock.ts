import { demandWriting, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { errorCodes, ServiceError } from '../http/serviceError';
import { noteAction } from '../writing/noteAction';
import { demandPostParameters } from '../writing/postParameters';

/** Locks or unlocks a record (specification, endpoint 11). */
export function setLock(call: Call, sheet: Sheet, recordId: number, locked: boolean): Answer {
	demandWriting(sheet, call.identity);
	demandPostParameters(call, locked ? 'lock' : 'unlock');
	const record = sheet.records.get(recordId);
	if (!record) throw new ServiceError(errorCodes.recordNotFound, 'Record not found.');
	record.locked = locked;
	noteAction(call, record, locked ? 'Lock' : 'Unlock');
	return jsonAnswer({ status: 'SUCCESS', code: 200 }, call.query);
}
