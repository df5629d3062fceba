import type { IDataObject } from 'n8n-workflow';
import { ConfirmedWrites } from '../../api/http/confirmedWrites';
import type { RecordContent } from '../../api/write/recordContent';

/** An update of a record, of which a part may already be stored. */
export interface BegunUpdate {
	content: RecordContent;
	/** IDs of the changed fields and keys of the changed subtables. Omitted if the stored record was not read. */
	changed?: readonly string[];
}

/** Journal of all attempts of Retry On Fail for one item that has no result yet. */
export class ItemJournal {
	readonly writes = new ConfirmedWrites();
	/**
	 * Record key (see `recordKey`) → an update that failed after one of its writes was confirmed. The next attempt
	 * finishes this content. It must not compare the input with the stored record again, because the record already contains a
	 * part of the update.
	 */
	readonly begunUpdates = new Map<string, BegunUpdate>();
	/** Record ID → output of a finished write, for an item that writes several records. */
	readonly outputs = new Map<string, IDataObject>();
}
