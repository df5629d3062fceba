import { demandReading, type Call } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, type Answer } from '../http/answer';
import { errorCodes, ServiceError, StatusError } from '../http/serviceError';
import { checkReadParameters } from '../reading/readParameters';
import { RecordView } from '../reading/recordView';
import { readViewOptions } from '../reading/viewOptions';

/** Reads one record (specification, endpoint 2). */
export function readRecord(call: Call, sheet: Sheet, recordId: number): Answer {
	demandReading(sheet, call.identity);
	checkReadParameters(call, 'record');
	// `listing` is a parameter of lists.
	const options = { ...readViewOptions(call), listing: false };
	const record = sheet.records.get(recordId);
	if (!record) return missingRecord(call);
	const view = new RecordView(sheet, options, call.state.switches);
	return jsonAnswer(view.list([record]), call.query);
}

function missingRecord({ query, state }: Call): Answer {
	switch (state.switches.missingRecord) {
		case 'empty':
			return jsonAnswer({}, query);
		case 'code404':
			throw new ServiceError(errorCodes.recordNotFound, 'Record not found.');
		case 'http404':
			throw new StatusError(404, 'Not Found');
	}
}
