import { logWarning } from '../shared/trigger';
import type { PollCall } from './pollCall';
import type { PollState } from './pollState';

/** Texts of warnings without variable parts. */
export const warningTexts = {
	restart:
		'The sheet, the filters, the events or the credential are others than before, the node is of another version, or what n8n stored for it is damaged: it starts again where Start From says',
	emptyStart: 'The first poll found no record although the sheet had some: the node starts now',
	setBack:
		"Changes are dated before others that were emitted: the service's clock or the account's time zone was set back, or a record is dated ahead. They are emitted now, and the node goes on from there",
	emptyList:
		'The service returned an empty list although changes are expected. The next poll reads it again',
	otherSheet:
		'The service returned a list of another sheet, with records that are not on this sheet. Nothing of it is emitted, and the next poll reads the list again',
	otherIds:
		'The service returned a list of IDs of another sheet, with records that are not on this sheet. The next check for deleted records reads it again',
};

/** Writes a warning to n8n's log, and stores it for the next item, one per kind. */
export function warn(
	{ context }: PollCall,
	{ warnings }: PollState,
	kind: string,
	text: string,
): void {
	logWarning(context, `Sheet Records Polling Trigger: ${text}`, kind);
	warnings[kind] = `${text}.`.replace(/\.+$/, '.');
}
