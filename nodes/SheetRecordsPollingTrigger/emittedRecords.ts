import { isObject } from '../api/json/objects';
import { NumberReader, packNumbers, runsOf, unpackNumbers } from '../api/values/packedNumbers';
import { latest, minutesBefore, secondsOf, timeAt } from '../api/read/updateTimes';

/** As a record was last given out, or passed over for good. */
interface Given {
	time: string;
	/** Of its content; without one, whatever it held at that time counts as given out. */
	digest?: string;
}

/** Some services tell times without seconds. */
export const coarsestMinutes = 1;
/** Enough to tell two contents of one record in one second apart: 36 bits. */
const digestLength = 6;
/** As many as some polls give out. Of others the time alone is kept. */
const mostDigests = 5_000;
/** Of more the oldest are forgotten, and may come twice. */
const mostRecords = 100_000;

/** What is stored of them. */
export interface StoredRecords extends Record<string, string> {
	since: string;
	withDigest: string;
	digests: string;
	others: string;
}

/** What was given out since a time of the service: in the order of giving. */
export class GivenRecords {
	private readonly records = new Map<string, Given>();

	/** @param since what was given out with an earlier time is forgotten */
	constructor(private since = '') {}

	/** Whether a record that was created at that time was never given out, in any state. */
	isNew(id: string, created: string): boolean {
		return created >= this.since && !this.records.has(id);
	}

	/** Whether the record was given out as it is, or as it was later. */
	holds(id: string, time: string, digest: string): boolean {
		const known = this.records.get(id);
		if (known === undefined || known.time < time) return false;
		return known.time > time || (known.digest ?? shortened(digest)) === shortened(digest);
	}

	remember(id: string, time: string, digest: string): void {
		this.records.delete(id);
		this.records.set(id, { time, digest: shortened(digest) });
	}

	forgetBefore(since: string): void {
		if (since <= this.since) return;
		this.since = since;
		for (const [id, { time }] of this.records) if (time < since) this.records.delete(id);
	}

	/** Forgets the contents of what is not compared any more. */
	dropDigests(isOver: (time: string) => boolean = () => true): void {
		for (const known of this.records.values()) if (isOver(known.time)) delete known.digest;
	}

	/**
	 * As it is stored: a few hundred characters for what changes in a few minutes. Where they would be too many, the
	 * oldest are forgotten.
	 */
	store(mostCharacters: number): StoredRecords {
		let most = mostRecords;
		for (;;) {
			const stored = this.stored(most);
			const { length } = Object.values(stored).join('');
			if (length <= mostCharacters || most === 0) return stored;
			most = Math.floor(Math.min(most, this.records.size) * Math.min(0.9, mostCharacters / length));
		}
	}

	private stored(most: number): StoredRecords {
		const kept = [...this.records];
		const forgotten = kept.splice(0, Math.max(0, kept.length - most));
		const last = latest(forgotten.map(([, { time }]) => time));
		const behind = last === '' ? '' : minutesBefore(last, -coarsestMinutes);
		const others = kept.splice(0, kept.length - mostDigests);
		const isDigested = ([, { digest }]: [string, Given]) => digest !== undefined;
		const plain = [...others, ...kept.filter((entry) => !isDigested(entry))];
		const digested = kept.filter(isDigested);
		const inOrder = grouped(digested).flatMap(({ ids }) => ids);
		return {
			since: latest([this.since, behind]),
			withDigest: packed(digested),
			digests: inOrder.map((id) => this.records.get(String(id))?.digest ?? '').join(''),
			others: packed(plain),
		};
	}

	static load(stored: unknown): GivenRecords {
		if (!isObject(stored)) return new GivenRecords();
		const given = new GivenRecords(String(stored.since));
		const digests = String(stored.digests ?? '');
		for (const { id, time } of unpacked(stored.others)) given.records.set(id, { time });
		for (const [place, { id, time }] of unpacked(stored.withDigest).entries()) {
			const start = place * digestLength;
			given.records.set(id, { time, digest: digests.slice(start, start + digestLength) });
		}
		return given;
	}
}

function shortened(digest: string): string {
	return digest.slice(0, digestLength);
}

/** The ids of each time, the earliest first. */
function grouped(records: ReadonlyArray<[string, Given]>): Array<{ time: string; ids: number[] }> {
	const groups = new Map<string, number[]>();
	for (const [id, { time }] of records) {
		const group = groups.get(time);
		if (group) group.push(Number(id));
		else groups.set(time, [Number(id)]);
	}
	return [...groups]
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([time, ids]) => ({ time, ids: ids.sort((left, right) => left - right) }));
}

/** For each time the seconds since the one before, and the ids. */
function packed(records: ReadonlyArray<[string, Given]>): string {
	let before = 0;
	const numbers: number[] = [];
	for (const { time, ids } of grouped(records)) {
		const seconds = secondsOf(time);
		// One by one: a long list of arguments would exhaust the stack.
		for (const number of [seconds - before, ...runsOf(ids)]) numbers.push(number);
		before = seconds;
	}
	return packNumbers(numbers);
}

function unpacked(text: unknown): Array<{ id: string; time: string }> {
	const reader = new NumberReader(unpackNumbers(typeof text === 'string' ? text : ''));
	const records: Array<{ id: string; time: string }> = [];
	for (let seconds = 0; !reader.isAtEnd;) {
		seconds += reader.next();
		const time = timeAt(seconds);
		for (const id of reader.ids()) records.push({ id: String(id), time });
	}
	return records;
}
