import { InputError } from '../api/values/inputError';
import type { SheetRecord } from '../api/read/record';
import { updateTime } from '../api/read/updateTimes';

/** By one of the last records the place in a list is found again. */
const mostIds = 5;
/** A list has so many records unless it is asked for more, and may be cut to them (specification, "Limits"). */
const surePage = 1_000;

/**
 * Records from a Last Update Date on, or all, in the order of these dates: at most `limit`, without the first
 * `offset`. Undefined when there is no time left.
 */
export type ReadPage = (
	beginning: string | undefined,
	offset: number,
	limit: number,
) => Promise<SheetRecord[] | undefined>;

/** How far a list has been read: up to one of the records that have a certain time. */
export interface Place {
	time: string;
	/** Which of them it is, counted from 1. */
	count: number;
	/** It and some before it. */
	ids: readonly string[];
}

/** Records of a list, those of one time together. */
export interface ChangePage {
	records: readonly SheetRecord[];
	isEnd: boolean;
	/** The place behind so many of them. */
	placeBehind: (count: number) => Place | undefined;
}

/**
 * The records behind a place, at most so many, and some before it again. A record that is changed leaves its place
 * for one at the end, and others move up: what was read last is looked for further and further back, at last
 * from the first one of the same time on.
 *
 * @returns undefined when there is no time left
 */
export async function nextPage(
	readPage: ReadPage,
	beginning: string | undefined,
	most: number,
	place: Place | undefined,
): Promise<ChangePage | undefined> {
	const from = place ? place.time : beginning;
	const limit = place ? most + mostIds : most;
	const isBefore = (record: SheetRecord) =>
		place?.ids.includes(record.id) === true && timeOf(record) === place.time;
	let offset = place ? Math.max(0, place.count - mostIds) : 0;
	for (let step = 10 * mostIds; ; step *= 10) {
		const records = await readPage(from, offset, limit);
		if (!records) return undefined;
		if (offset === 0 || records.some(isBefore)) {
			const isEnd = records.length < Math.min(limit, surePage);
			const skipped = offset;
			const placeBehind = (count: number) => placeOf(records.slice(0, count), from, skipped);
			return { records, isEnd, placeBehind };
		}
		offset = Math.max(0, offset - step);
	}
}

function placeOf(
	records: readonly SheetRecord[],
	from: string | undefined,
	skipped: number,
): Place | undefined {
	const last = records.at(-1);
	if (!last) return undefined;
	const time = timeOf(last);
	const sameTime = records.filter((record) => timeOf(record) === time);
	const areAll = sameTime.length === records.length && from === time;
	const count = sameTime.length + (areAll ? skipped : 0);
	return { time, count, ids: sameTime.slice(-mostIds).map(({ id }) => id) };
}

/** When a record was last changed. Throws InputError when the service does not tell. */
export function timeOf({ id, content }: SheetRecord): string {
	const time = updateTime(content);
	if (time !== undefined) return time;
	throw new InputError(
		`The service does not tell when record ${id} was last changed`,
		'Polling needs that date. Check that the credential may read it, or use Sheet Records Trigger.',
	);
}
