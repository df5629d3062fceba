import { asSentence } from '../api/values/text';
import { logWarning } from '../shared/trigger';
import type { PollCall } from './pollCall';
import type { PollState } from './pollState';

/** Texts of warnings without variable parts. */
export const warningTexts = {
	restart:
		'The sheet, credential or Start From changed, or the stored state is damaged. The node starts again as set in Start From',
	continued:
		'The stored state is damaged. The node starts again from now, because the records of Start From were returned before',
	emptyStart:
		'The first poll found no record although the sheet had records. The node starts from now',
	setBack:
		"Some changes have an earlier date than changes that were already returned: the service's clock or the account's time zone was set back, or a record has a date in the future. They are returned now, and the node continues from there",
	emptyList:
		'The service returned an empty list although changes are expected. The next poll reads it again',
	otherSheet:
		'The service returned a list with records that are not on this sheet. It is ignored, and the next poll reads the list again',
	otherIds:
		'The service returned a list of IDs that are not on this sheet. The next check for deleted records reads the list again',
};

/** Writes a warning to n8n's log, at most once per minute and kind. Stores it for the next item, one per kind. */
export function warn(
	{ context }: PollCall,
	{ warnings }: PollState,
	kind: string,
	text: string,
): void {
	logWarning(context, `Sheet Records Polling Trigger: ${text}`, kind);
	warnings[kind] = asSentence(text);
}
