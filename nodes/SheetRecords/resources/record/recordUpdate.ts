import type { Plan } from '../../../api/write/plan';
import { contentFor } from '../../../api/write/recordContent';
import { StoredRecord } from '../../../api/write/storedRecord';
import type { Item } from '../../run/itemContext';
import { recordKey } from '../../run/savedRecord';
import type { RecordReads } from './recordReads';
import type { WriteInput } from './writeInput';

/** The write of an item to one record or several. */
export interface ItemWrite {
	item: Item;
	input: WriteInput;
	reads: RecordReads;
	together?: LoadTogether;
}

/** Functions that load a record and others with fewer requests than by IDs. */
export interface LoadTogether {
	/** Loads the stored records again. */
	reload?: () => Promise<unknown>;
	/** Loads the records for the outputs of unchanged ones. */
	loadReturned?: () => Promise<unknown>;
}

/** An update of one record by one item. */
export interface RecordUpdate {
	item: Item;
	input: WriteInput;
	stored: StoredRecord;
	/** The record as an answer to its update returns it, for the output if it is unchanged. Undefined if `stored` is enough. */
	returned?: StoredRecord;
	/** Key of the record (see `recordKey`). */
	key: string;
	before: RecordReads['before'];
	together: LoadTogether;
	/** Plan from the first read of the stored record. */
	firstPlan?: Promise<Plan>;
}

/** Returns the update of a record. */
export function recordUpdate(
	{ item, input, reads, together = {} }: ItemWrite,
	recordId: string,
): RecordUpdate {
	const { client } = item;
	const address = { sheet: input.sheet, recordId };
	const { before, sourceId = recordId, asReturned, readsUnchanged } = reads;
	const isSource = sourceId === recordId;
	return {
		item,
		input: { ...input, values: contentFor(recordId, input.values) },
		stored: new StoredRecord(client, address, reads.stored, together.reload),
		returned: readsUnchanged
			? new StoredRecord(client, address, asReturned, together.loadReturned)
			: undefined,
		key: recordKey(item, address),
		before: before === 'singleIfPossible' && !isSource ? 'none' : before,
		together,
	};
}
