import { contentDigest } from '../api/read/contentDigest';
import { InputError } from '../api/values/inputError';
import { isObject } from '../api/json/objects';
import type { SheetRecord } from '../api/read/record';
import { createTime, latest, minutesBefore } from '../api/read/updateTimes';
import { nextPage, timeOf, type Place, type ReadPage } from './changePages';
import { coarsestMinutes, GivenRecords } from './emittedRecords';

/** Items of one poll: more wait for the next. */
export const mostItems = 1_000;

/** A changed record may be found by filters so much later. */
const overlapMinutes = 5;

/** When nothing was new for so long, nothing of that minute can come any more. */
const overlapMilliseconds = (overlapMinutes + coarsestMinutes) * 60_000;

/** A record that was not given out as it is, and what happened to it. */
export interface Change {
	record: SheetRecord;
	event: 'CREATE' | 'UPDATE';
}

/** One way through the list from its beginning to its end, over as many polls as it takes. */
interface Pass {
	/** Where the next one begins. */
	next: string;
	/** The mark when it began. */
	mark: string;
	/** It began so long after that mark that nothing of its minute can come any more. */
	isLast: boolean;
	/** It began so long after `knownAt` that nothing is hidden any more that was hidden then. */
	isSettled: boolean;
	place?: Place;
}

/** What is stored, but for what was given out. */
interface Progress {
	/** The greatest Last Update Date that was read; an empty text as long as the sheet has no record. */
	mark: string;
	/** When it was first read: milliseconds of this machine's clock, of which only differences count. */
	markedAt: number;
	/** Where an earlier pass let the next one begin: it met whatever was created before and not hidden. */
	known: string;
	/** When that pass ended, by the same clock. */
	knownAt: number;
	beginning?: string;
	pass?: Pass;
}

/**
 * Knows what of a list is to be given out. All its times are the service's own, as texts that sort.
 *
 * Whatever has a Last Update Date before `beginning` was given out. What has a later one may have been: each way
 * through the list passes over what was. It begins again `overlapMinutes` before the greatest date that the
 * service is known to have had by the time of the last beginning, so that what was hidden then is found now.
 */
export class ChangeReader {
	private constructor(
		private readonly progress: Progress,
		private readonly given: GivenRecords,
	) {}

	/**
	 * Begins with what changes from now on.
	 *
	 * @param newest record of the whole sheet that was changed last, with others or without; none of an empty sheet
	 * @param now milliseconds of this machine's clock
	 * @throws as `read`
	 */
	static async beginningBehind(
		[newest]: readonly SheetRecord[],
		readPage: ReadPage,
		now: number,
	): Promise<ChangeReader> {
		if (!newest) {
			// It is asked all the same: filters that the service refuses are to be told now.
			await readPage(undefined, 0, 1);
			return new ChangeReader(progressAt('', now), new GivenRecords());
		}
		const time = timeOf(newest);
		const progress = { ...progressAt(time, now), beginning: time };
		const reader = new ChangeReader(progress, new GivenRecords(time));
		reader.passOver([newest]);
		let place: Place | undefined;
		do {
			const page = await nextPage(readPage, time, mostItems, place);
			if (!page) throw tooSlow();
			const { records, isEnd, placeBehind } = page;
			reader.passOver(records.filter((record) => timeOf(record) === time));
			place = isEnd ? undefined : placeBehind(records.length);
		} while (place?.time === time);
		return reader;
	}

	/**
	 * What was not given out yet, the oldest first, and within one time by record id.
	 *
	 * @param isWanted is asked for each, once; what is not wanted counts as given out
	 * @param clock milliseconds of this machine's clock
	 * @param most of them; the rest is left for later
	 * @throws InputError when the service does not tell times, and what `readPage` throws
	 */
	async read(
		readPage: ReadPage,
		isWanted: (change: Change) => boolean | Promise<boolean>,
		clock: () => number,
		most = mostItems,
	): Promise<Change[]> {
		const changes: Change[] = [];
		const { progress } = this;
		let isResumed = progress.pass !== undefined;
		// A few more would cost as much as many.
		while (changes.length <= most / 2) {
			const asked = clock();
			const page = await nextPage(readPage, progress.beginning, most, progress.pass?.place);
			if (!page) break;
			const { records, isEnd, placeBehind } = page;
			const isFirst = progress.pass === undefined;
			const pass = (progress.pass ??= this.begunPass(records, asked));
			const answered = clock();
			let count = 0;
			for (const record of records) {
				if (changes.length === most) break;
				count += 1;
				const change = this.take(record, answered);
				if (change && (await isWanted(change))) changes.push(change);
			}
			const place = placeBehind(count);
			if (place && !(isEnd && count === records.length)) {
				pass.place = place;
				if (isFirst) {
					this.beginAnewIfShorter(pass, records.slice(0, count));
				}
				continue;
			}
			this.endPass(pass, clock());
			// What was found since an earlier poll began the pass may have a place before that one's last.
			if (!isResumed) break;
			isResumed = false;
		}
		return inOrder(changes);
	}

	private passOver(records: readonly SheetRecord[]): void {
		for (const record of records) {
			this.given.remember(record.id, timeOf(record), contentDigest(record.content));
		}
	}

	/** Whether the record is one to look at, and was not given out as it is. */
	isUnknown(record: SheetRecord): boolean {
		const time = timeOf(record);
		return this.isLater(time) && !this.given.holds(record.id, time, contentDigest(record.content));
	}

	/** For when contents come in another form than before. */
	forgetContents(): void {
		this.given.dropDigests();
	}

	private begunPass(records: readonly SheetRecord[], asked: number): Pass {
		const { progress } = this;
		// A clock that was set back tells nothing.
		progress.markedAt = Math.min(progress.markedAt, asked);
		progress.knownAt = Math.min(progress.knownAt, asked);
		const { mark, markedAt, knownAt } = progress;
		const greatest = latest([mark, ...records.map(timeOf)]);
		return {
			next: greatest === '' ? '' : minutesBefore(greatest, overlapMinutes),
			mark,
			isLast: mark !== '' && asked - markedAt >= overlapMilliseconds,
			isSettled: asked - knownAt >= overlapMilliseconds,
		};
	}

	/** The record with what happened to it, unless it was given out. */
	private take(record: SheetRecord, answered: number): Change | undefined {
		const { id, content } = record;
		const time = timeOf(record);
		if (time > this.progress.mark) {
			this.progress.mark = time;
			this.progress.markedAt = answered;
		}
		if (!this.isUnknown(record)) return undefined;
		const isNew = this.given.isNew(id, createTime(content) ?? '');
		this.given.remember(id, time, contentDigest(content));
		return { record, event: isNew ? 'CREATE' : 'UPDATE' };
	}

	/** Whether a time is one that is looked at; of earlier ones nobody knows any more what was given out. */
	private isLater(time: string): boolean {
		const { beginning } = this.progress;
		return beginning === undefined || time >= beginning;
	}

	private endPass(pass: Pass, now: number): void {
		const { progress } = this;
		progress.pass = undefined;
		const isOver = pass.isLast && progress.mark === pass.mark;
		// Not just behind the mark: the service may keep times finer than it tells them.
		this.beginAt(isOver ? minutesBefore(progress.mark, -coarsestMinutes) : pass.next);
		if (!pass.isSettled) return;
		this.given.forgetBefore(progress.known);
		const { beginning = '' } = progress;
		if (beginning !== progress.known) Object.assign(progress, { known: beginning, knownAt: now });
	}

	/**
	 * One request has told all from the beginning up to the last of these records: the next pass may begin before that
	 * one, if that is nearer than the whole way once more. Where many have one time, it is not.
	 */
	private beginAnewIfShorter({ next }: Pass, records: readonly SheetRecord[]): void {
		const times = records.map(timeOf);
		const last = times.at(-1) ?? '';
		const time = next < last ? next : last;
		if (times.filter((one) => one >= time).length > times.length / 2) return;
		this.progress.pass = undefined;
		this.beginAt(time);
	}

	/** It never goes back. */
	private beginAt(time: string): void {
		if (time <= (this.progress.beginning ?? '')) return;
		this.progress.beginning = time;
		this.given.dropDigests((one) => !this.isLater(one));
	}

	/** As it is stored, in about so many characters at most. */
	store(mostCharacters = Infinity) {
		const { progress, given } = this;
		return {
			...progress,
			given: given.store(mostCharacters),
			pass: storedPass(progress.pass),
		};
	}

	/** What `store` made; undefined for what is no such thing. */
	static load(stored: unknown): ChangeReader | undefined {
		if (!isObject(stored)) return undefined;
		const { mark, markedAt, known, knownAt, beginning, pass, given } = stored;
		if (typeof mark !== 'string' || typeof markedAt !== 'number') return undefined;
		const progress = { mark, markedAt, known: String(known), knownAt: Number(knownAt) };
		return new ChangeReader(
			{ ...progress, beginning: textOrNone(beginning), pass: loadedPass(pass) },
			GivenRecords.load(given),
		);
	}
}

function progressAt(time: string, now: number): Progress {
	return { mark: time, markedAt: now, known: time, knownAt: now };
}

function tooSlow(): InputError {
	return new InputError(
		'There was no time to read all records that were changed last: too many have the same Last Update Date',
		'Try again later, after another change of the sheet.',
	);
}

function inOrder(changes: Change[]): Change[] {
	const keyed = changes.map((change) => ({ change, time: timeOf(change.record) }));
	keyed.sort((left, right) =>
		left.time === right.time
			? Number(left.change.record.id) - Number(right.change.record.id)
			: left.time < right.time
				? -1
				: 1,
	);
	return keyed.map(({ change }) => change);
}

function storedPass(pass: Pass | undefined) {
	if (!pass?.place) return {};
	const { place, ...others } = pass;
	return { ...others, ...place, ids: [...place.ids] };
}

function loadedPass(stored: unknown): Pass | undefined {
	if (!isObject(stored) || !Array.isArray(stored.ids)) return undefined;
	const { next, mark, isLast, isSettled, time, count, ids } = stored;
	const place = { time: String(time), count: Number(count), ids: ids.map(String) };
	const began = { isLast: isLast === true, isSettled: isSettled === true };
	return { next: String(next), mark: String(mark), ...began, place };
}

function textOrNone(stored: unknown): string | undefined {
	return typeof stored === 'string' ? stored : undefined;
}
