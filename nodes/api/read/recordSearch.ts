import type { Client } from '../http/client';
import { fallbackTo } from '../http/serviceError';
import { listPages } from './pages';
import type { SheetRecord } from './record';
import { recordsAs, recordsIn, type ListRequest } from './records';

/** Maximum number of missing records to read one by one. If a whole list lacks more, as many misses prove that all are gone. */
export const maxSingleReads = 10;
/** Number of records that a list returns in the time of a single read. */
const listedPerRead = 100;

const withoutContent = recordsAs((id): SheetRecord => ({ id, content: new Map() }));

/**
 * Searches records in a list while more than `maxSingleReads` are missing. Reads at most `listedPerRead` list entries per record,
 * or the whole list without contents if `areIdsEnough`. Returns the records found, and whether the whole list was read. A
 * ServiceError only ends the list, because the caller reads missing records one by one.
 */
export async function fetchListed(
	client: Client,
	request: ListRequest,
	recordIds: readonly string[],
	areIdsEnough = false,
): Promise<{ found: SheetRecord[]; isWhole: boolean }> {
	const missing = new Set(recordIds);
	const found: SheetRecord[] = [];
	const read = async () => {
		if (missing.size <= maxSingleReads) return false;
		const limit = areIdsEnough ? Infinity : listedPerRead * missing.size;
		const decode = areIdsEnough ? withoutContent : recordsIn;
		let listed = 0;
		for await (const page of listPages(client, request, decode, { limit })) {
			for (const record of page) if (missing.delete(record.id)) found.push(record);
			listed += page.length;
			if (missing.size <= maxSingleReads) return false;
		}
		return listed < limit;
	};
	const isWhole = await read().catch(fallbackTo(false));
	return { found, isWhole };
}
