import type { IDataObject } from 'n8n-workflow';
import type { SavedRecord } from '../service/records';
import { numberOrText, plain, simplifiedRecord } from '../wire/record';

/**
 * The output of a write: the saved record when the answer carries one, else its id and the answer; and
 * the service's warning, when it gave one.
 */
export function savedRecordJson({
	recordId,
	saved,
	answer,
	offsetHours,
}: SavedRecord): IDataObject {
	const warning = answer.get('warning');
	const json: IDataObject = saved
		? simplifiedRecord({ id: recordId, content: saved })
		: { _recordId: numberOrText(recordId), ...answerJson(answer) };
	// Its times are those of that offset: whoever writes it back has to know.
	if (saved && offsetHours !== undefined) json._timeZone = offsetHours;
	return typeof warning === 'string' && warning !== '' ? { ...json, _warning: warning } : json;
}

function answerJson(answer: SavedRecord['answer']): IDataObject {
	return Object.fromEntries([...answer].map(([key, value]) => [key, plain(value)]));
}
