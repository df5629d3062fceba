import { demandWriting, type Call } from '../call';
import { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { errorCodes, ServiceError } from '../http/serviceError';
import type { JsonValue } from '../json';
import { RecordView, type ViewOptions } from '../reading/recordView';
import { savedRecordOptions } from '../reading/viewOptions';
import { tellWebhooks } from '../webhooks/apiWrites';
import { save } from '../writing/save';

/** Creates a record (specification, endpoint 6). */
export function createRecord(call: Call, sheet: Sheet): Answer {
	demandWriting(sheet, call.identity);
	if (!sheet.acceptsPost) {
		throw new ServiceError(errorCodes.customForm, 'Cannot POST data to a custom form.');
	}
	if (sheet.records.size >= sheet.maximumRecords) {
		throw new ServiceError(errorCodes.tooManyRecords, 'Cannot create more records.');
	}
	const options = savedRecordOptions(call);
	const record = sheet.prepare({
		at: call.state.clock.stamp(),
		user: call.identity.email,
	});
	save(call, sheet, record, true);
	sheet.keep(record);
	tellWebhooks(call, sheet, 'CREATE', [record]);
	return saved(call, sheet, record, options, {});
}

/** Updates a record; POST, PUT and PATCH all merge (specification, endpoint 7). */
export function updateRecord(call: Call, sheet: Sheet, recordId: number): Answer {
	demandWriting(sheet, call.identity);
	const record = sheet.records.get(recordId);
	if (!record) throw new ServiceError(errorCodes.recordNotFound, 'Record not found.');
	if (record.locked && call.query.flag('checkLock')) {
		throw new ServiceError(errorCodes.recordLocked, 'Record locked.');
	}
	const options = savedRecordOptions(call);
	const draft = record.draft();
	save(call, sheet, draft, false);
	record.takeOver(draft);
	tellWebhooks(call, sheet, 'UPDATE', [record]);
	return saved(call, sheet, record, options, { msg: '', warning: '' });
}

function saved(
	call: Call,
	sheet: Sheet,
	record: SheetRecord,
	options: ViewOptions,
	messages: { [key: string]: JsonValue },
): Answer {
	const { switches } = call.state;
	const view = new RecordView(sheet, options, switches);
	return jsonAnswer(
		{
			status: 'SUCCESS',
			rv: '0',
			[switches.dialect === 'ragic' ? 'ragicId' : 'svcId']: record.id,
			...messages,
			...(switches.writeWarning === '' ? {} : { warning: switches.writeWarning }),
			...(switches.answerCarriesData ? { data: view.record(record) } : {}),
		},
		call.query,
	);
}
