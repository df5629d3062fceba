import type { Call } from '../call';
import type { SheetRecord } from '../data/record';

/**
 * Notes what is no edit of fields: a comment, a lock, an approval. The specification does not say whether
 * such a thing renews the Last Update Date; a switch decides.
 */
export function noteAction(
	{ state, identity }: Pick<Call, 'state' | 'identity'>,
	record: SheetRecord,
	type: string,
): void {
	if (state.switches.updateDateRenewedBy === 'edits') return;
	record.noteEdit(state.clock, { user: identity.email, type });
}
