import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../api/read/record';
import type { SheetAddress } from '../api/values/sheetAddress';
import type { WebhookEvent } from '../api/webhooks/delivery';

/** What happened to a record, as far as it is known. */
interface Change {
	event?: WebhookEvent;
	recordId?: string;
	/** Whether it surely comes from the service. */
	verified: boolean;
	/** As the item shows it. */
	record?: IDataObject;
	/** The record is known to be gone. */
	deleted?: boolean;
}

/** Returns the item of a changed record, the same for both triggers. */
export function changeItem(
	{ event, recordId, verified, record, deleted }: Change,
	account: string,
	sheet: SheetAddress,
): IDataObject {
	return {
		event: event ?? null,
		recordId: recordId === undefined ? null : numberOrText(recordId),
		account,
		path: sheet.folders.join('/'),
		sheetIndex: sheet.sheetIndex,
		verified,
		record: record ?? null,
		...(deleted ? { deleted } : {}),
	};
}
