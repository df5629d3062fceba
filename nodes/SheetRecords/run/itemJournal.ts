import type { IDataObject } from 'n8n-workflow';
import { ConfirmedWrites } from '../../api/http/confirmedWrites';
import type { RecordContent } from '../../api/write/recordContent';

/** What all attempts of Retry On Fail have done for one item that has no result yet. */
export class ItemJournal {
	readonly writes = new ConfirmedWrites();
	/**
	 * Record key (see `recordKey`) → content of an update that failed after one of its writes was confirmed. The next attempt
	 * finishes this content. It must not compare the input with the stored record again, because the record already contains a
	 * part of the update.
	 */
	readonly begunUpdates = new Map<string, RecordContent>();
	/** Record ID → output of a finished write, for an item that writes several records. */
	readonly outputs = new Map<string, IDataObject>();
}
