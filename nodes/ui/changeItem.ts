import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../api/read/record';
import type { SheetAddress } from '../api/values/sheetAddress';
import type { WebhookEvent } from '../api/webhooks/delivery';

/** What happened to a record, for an item. */
export interface ChangeTold {
	/** Undefined where the service does not tell. */
	event: WebhookEvent | undefined;
	recordId: string | undefined;
	/** Whether the service is known to have told it. */
	verified: boolean;
	/** As the item shows it, where its content is known. */
	record: IDataObject | undefined;
	/** The record is known to be gone. */
	deleted?: boolean;
}

/** What an item of a trigger says of a changed record, whatever the trigger learnt it by. */
export function changeItem(
	{ event, recordId, verified, record, deleted }: ChangeTold,
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
