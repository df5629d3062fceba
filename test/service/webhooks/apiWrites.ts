import type { Call } from '../call';
import type { SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { WebhookEvent } from './receivers';

/**
 * Writes through the API send webhooks as well, unless a switch says otherwise: one delivery with all
 * records of the event.
 */
export function tellWebhooks(
	{ state }: Pick<Call, 'state'>,
	sheet: Sheet,
	event: WebhookEvent,
	records: readonly SheetRecord[],
): void {
	if (state.switches.webhooksOfApiWrites) state.webhooks.changed(sheet, event, records);
}
