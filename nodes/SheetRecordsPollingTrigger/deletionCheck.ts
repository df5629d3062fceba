import { isObject } from '../api/json/objects';
import { packIds, unpackIds } from '../api/values/packedNumbers';
import { InputError } from '../api/values/inputError';
import type { SheetReader } from './sheetReader';

/** More ids would fill what n8n stores for a node. */
export const mostKnown = 50_000;
/** So many are looked at one by one before the list is believed that they are gone. */
const mostLooks = 10;

/** There are too many to notice those that are gone. */
export class TooManyRecords extends InputError {
	constructor(
		what = `More than ${mostKnown.toLocaleString('en')} records match, too many to notice deleted ones`,
	) {
		super(
			what,
			"Take Record Deleted out of 'Trigger On', narrow 'Filters', or use Sheet Records Trigger, which the service tells of deletions.",
		);
	}
}

/** Notices records that are gone by what the list does not hold any more. */
export class DeletionCheck {
	private constructor(
		/** The records that were there; undefined before they were first listed. */
		private known: Set<string> | undefined,
		private pollsLeft: number,
	) {}

	/** Nothing is known yet, and the first look is due. */
	static begun(): DeletionCheck {
		return new DeletionCheck(undefined, 0);
	}

	/** A record that is there although the last look has not seen it. */
	add(recordId: string): void {
		if (this.known && this.known.size < mostKnown) this.known.add(recordId);
	}

	/**
	 * The records that are gone since the last look, at most so many; others wait for the next poll. None in polls
	 * between two looks.
	 *
	 * @param every polls
	 * @throws TooManyRecords when there are more than `mostKnown`, or more than can be listed in the time of the poll,
	 *   and what the service throws
	 */
	async read(reader: SheetReader, every: number, most: number): Promise<string[]> {
		this.pollsLeft -= 1;
		if (this.pollsLeft > 0 || most <= 0) return [];
		this.pollsLeft = every;
		const found = await reader.inTime(this.look(reader, most));
		if (!found) {
			throw new TooManyRecords(
				'There was no time to look for deleted records: too many records match',
			);
		}
		if (!found.isAll) this.pollsLeft = 0;
		return found.gone;
	}

	private async look(
		reader: SheetReader,
		most: number,
	): Promise<{ gone: string[]; isAll: boolean }> {
		const listed = new Set<string>();
		for await (const ids of reader.ids(true)) {
			for (const id of ids) listed.add(id);
			if (listed.size > mostKnown) throw new TooManyRecords();
		}
		const missing = [...(this.known ?? [])].filter((id) => !listed.has(id));
		const { gone, unsure } = await surelyGone(reader, missing);
		this.known = new Set([...listed, ...unsure, ...gone.slice(most)]);
		return { gone: gone.slice(0, most), isAll: gone.length <= most };
	}

	/** As it is stored: at most 4/3 to 8/3 of a character for each record, less where ids follow each other. */
	store() {
		const { known, pollsLeft } = this;
		return { pollsLeft, ...(known ? { known: packIds([...known].map(Number)) } : {}) };
	}

	static load(stored: unknown): DeletionCheck {
		if (!isObject(stored) || typeof stored.known !== 'string') return DeletionCheck.begun();
		return new DeletionCheck(
			new Set(unpackIds(stored.known).map(String)),
			Number(stored.pollsLeft) || 0,
		);
	}
}

/**
 * Those of the records that are on the sheet no more. A list may leave out what is there: what does not match the
 * filters any more, what their index does not show yet, and everything when the service errs.
 */
async function surelyGone(
	reader: SheetReader,
	missing: readonly string[],
): Promise<{ gone: string[]; unsure: string[] }> {
	let absent = missing;
	if (reader.isFiltered && missing.length > mostLooks) {
		const open = new Set(missing);
		for await (const ids of reader.ids(false)) {
			for (const id of ids) open.delete(id);
			if (open.size === 0) break;
		}
		absent = [...open];
	}
	const looked = absent.slice(0, mostLooks);
	const gone: string[] = [];
	for (const id of looked) if (!(await reader.has(id))) gone.push(id);
	const others = absent.slice(mostLooks);
	const isBelieved = gone.length === looked.length;
	return isBelieved ? { gone: [...gone, ...others], unsure: [] } : { gone, unsure: others };
}
