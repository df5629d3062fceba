import fc from 'fast-check';
import { amount } from '../../amount';
import {
	cursorBehind,
	newestRecords,
	readChanges,
	type Change,
	type Cursor,
} from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import {
	checkDeletions,
	noteThere,
	type DeletionCheck,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import { fromText, toText } from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { SimulatedSheet, type Keeping, type Version } from './simulatedSheet';
import { happening, keeping, step, trouble, type Step } from './steps';

/** Longer than anything is hidden, than the overlap, and than it takes to look back. */
const longSeconds = 1_000;

interface PollOptions {
	fails?: boolean;
	/** What people do between the requests. */
	meanwhile?: readonly Step[];
	fault?: SimulatedSheet['fault'];
}

/** A history of a sheet, and the node that polls it; after each poll n8n has its state as text only. */
class History {
	private readonly sheet: SimulatedSheet;
	/** What n8n stores. */
	private cursor = '';
	private deletions = '';
	private readonly deleted = new Set<string>();
	private wasDisturbed = false;
	private wasEmpty = false;
	private count = 0;
	/** The states that were there when the node began, or given out since. */
	private readonly known = new Set<string>();
	private readonly knownTexts = new Set<string>();
	/** The records that were there when the node began, or given out since. */
	private readonly seen = new Set<number>();
	/** The states that were found at a request and not given out yet. */
	private readonly stood = new Map<string, Version>();
	/** Those of them that are found still. */
	private due = new Map<string, Version>();

	constructor(
		keeping: Keeping,
		private readonly most: number,
		private skew: number,
		private readonly room: number,
		before: readonly Step[],
	) {
		this.sheet = new SimulatedSheet(keeping);
		for (const step of before) this.happen(step);
	}

	/** The node's first poll: it sees the newest records without filters, which are late. */
	async begin(): Promise<void> {
		const records = await newestRecords(this.sheet, this.room);
		this.cursor = toText(cursorBehind(records, this.ownMilliseconds, this.room));
		const check: DeletionCheck = { held: new Set(), checkedAt: 0 };
		await checkDeletions(check, this.sheet, this.most, this.ownMilliseconds);
		this.deletions = toText(check);
		for (const version of this.sheet.records.values()) {
			this.noteKnown(version);
			this.seen.add(version.id);
		}
	}

	private noteKnown(version: Version): void {
		this.known.add(this.sheet.keyOf(version));
		this.knownTexts.add(`${version.id} ${version.text}`);
	}

	private get ownMilliseconds(): number {
		return (this.sheet.now + this.skew) * 1000;
	}

	happen(step: Step): void {
		const ids = [...this.sheet.records.keys()];
		const id = 'at' in step ? (ids[Math.floor(step.at * ids.length)] ?? 0) : 0;
		if (step.kind === 'create') this.sheet.create(`new ${++this.count}`);
		if (step.kind === 'change') this.sheet.save(id, `changed ${++this.count}`);
		if (step.kind === 'resave') this.sheet.save(id);
		if (step.kind === 'delete') this.sheet.records.delete(id);
		if (step.kind === 'changeAll')
			for (const each of ids) this.sheet.save(each, `all ${++this.count}`);
		if (step.kind === 'pass') this.sheet.now += step.seconds;
		if (step.kind === 'setHostBack') this.skew -= step.seconds;
		if (step.kind === 'setBack') {
			this.sheet.setBack += step.seconds;
			this.wasDisturbed = true;
		}
	}

	/** Polls. A failed poll leaves no trace. */
	async poll({ fails = false, meanwhile = [], fault }: PollOptions = {}) {
		const cursor = fromText<Cursor>(this.cursor);
		const check = fromText<DeletionCheck>(this.deletions);
		const isResumed = cursor.pass !== undefined;
		const left = [...meanwhile];
		// Nothing for a quarter of an hour is believed: that an outage lasts so long and looks so is named to users.
		this.sheet.fault = this.wasEmpty ? undefined : fault;
		if (!fails) this.wasEmpty = this.sheet.fault === 'empty';
		this.wasDisturbed ||= fault !== undefined;
		this.sheet.meanwhile = () => {
			const next = left.shift();
			if (next) this.happen(next);
			this.noteDue();
		};
		const all = () => true;
		const clock = () => this.ownMilliseconds;
		const changes = await readChanges(cursor, this.sheet, all, clock, this.most);
		for (const { record } of changes) noteThere(check, record.id);
		const { emitted } = await checkDeletions(check, this.sheet, this.most, clock());
		this.sheet.fault = undefined;
		if (fails) return [];
		this.cursor = toText(cursor);
		this.deletions = toText(check);
		this.check(changes, left.length === meanwhile.length && !isResumed);
		const isWrong = (id: string) => this.sheet.records.has(Number(id)) || this.deleted.has(id);
		demandNone('not deleted, or twice', emitted.filter(isWrong));
		for (const id of emitted) this.deleted.add(id);
		return changes;
	}

	/** States that are found now are to be given out; what was changed once more, or hidden again, comes as it is then. */
	private noteDue(): void {
		const standing = new Set<string>();
		for (const version of this.sheet.found()) {
			const key = this.sheet.keyOf(version);
			if (this.sheet.fault === undefined) standing.add(key);
			if (!this.known.has(key)) this.stood.set(key, version);
		}
		// A clock that was set back makes a save without a change look as if nothing had happened.
		const isOther = ({ id, text }: Version) =>
			!this.wasDisturbed || !this.knownTexts.has(`${id} ${text}`);
		const isDue = ([key, version]: [string, Version]) => standing.has(key) && isOther(version);
		this.due = new Map([...this.stood].filter(isDue));
	}

	/** What is given out are states as they stood, none for a second time; all of them, unless they are too many. */
	private check(changes: readonly Change[], isQuiet: boolean): void {
		const given = changes.map(({ record: { id, content } }) =>
			[id, content.get('_update_date'), content.get('1000001')].join(' '),
		);
		demandNone('not due, or twice', [
			...given.filter((key) => !this.stood.has(key)),
			...given.filter((key, place) => given.indexOf(key) !== place),
		]);
		demandNone('too many', given.slice(this.most));
		this.checkEvents(changes);
		for (const key of given) {
			const version = this.stood.get(key);
			if (version) this.noteKnown(version);
			this.stood.delete(key);
			this.due.delete(key);
		}
		if (isQuiet && !this.wasDisturbed && given.length <= this.most / 2)
			demandNone('left out', this.due.keys());
	}

	private checkEvents(changes: readonly Change[]): void {
		for (const { record, event } of changes) {
			const version = this.sheet.records.get(Number(record.id));
			if (!version) continue;
			const isWrong = (event === 'UPDATE') !== this.seen.has(version.id);
			// One may count as old that was created by a clock that was set back, or hidden while many others changed.
			const isExcused = event === 'UPDATE' && (this.wasDisturbed || this.room < 500);
			if (isWrong && !isExcused) demandNone(event, [record.id]);
			this.seen.add(version.id);
		}
	}

	/** In the end nothing is left, and nothing comes any more. */
	async end(): Promise<void> {
		this.sheet.now += longSeconds;
		for (let quiet = 0; quiet < 3;) {
			quiet = (await this.poll()).length === 0 ? quiet + 1 : 0;
		}
		demandNone('never given', this.due.keys());
		this.sheet.now += longSeconds;
		for (let polls = 0; polls < 4; polls++) demandNone('at rest', await this.poll());
		const isLeft = (id: number) => !this.sheet.records.has(id) && !this.deleted.has(String(id));
		demandNone('not emitted as deleted', [...this.seen].filter(isLeft));
		const before = this.sheet.requests;
		await this.poll();
		if (!this.wasDisturbed) demandNone('requests', Array(this.sheet.requests - before - 1));
	}
}

/** Jest's `expect` would take most of the time. */
function demandNone(what: string, of: Iterable<unknown>): void {
	const found = [...of];
	if (found.length > 0) throw new Error(`${what}: ${JSON.stringify(found)}`);
}

it('whatever happens to a sheet, each state that stands at a poll is given out once', async () => {
	await fc.assert(
		fc.asyncProperty(
			keeping,
			fc.constantFrom(1, 2, 3, 5, 1_000),
			fc.constantFrom(0, -40_000, 3_000_000),
			fc.constantFrom(3, 500),
			fc.array(happening, { maxLength: 8 }),
			fc.array(fc.oneof({ weight: 7, arbitrary: step }, { weight: 1, arbitrary: trouble }), {
				minLength: 5,
				maxLength: 40,
			}),
			fc.array(happening, { minLength: 1, maxLength: 3 }),
			async (kept, most, skew, room, before, steps, busy) => {
				const history = new History(kept, most, skew, room, before);
				await history.begin();
				for (const each of steps) {
					// Trouble that more records change in than are compared loses some of them.
					if (room < 500 && ['setBack', 'emptyPoll', 'cutPoll'].includes(each.kind)) continue;
					if (each.kind === 'poll') await history.poll();
					else if (each.kind === 'failedPoll') await history.poll({ fails: true });
					else if (each.kind === 'busyPoll') await history.poll({ meanwhile: busy });
					else if (each.kind === 'emptyPoll') await history.poll({ fault: 'empty' });
					else if (each.kind === 'cutPoll') await history.poll({ fault: 'cut' });
					else history.happen(each);
				}
				await history.end();
			},
		),
		{ numRuns: amount(1_000, 10_000), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});

it('a change by a clock that was set back comes although the index hides it at first', async () => {
	const create: Step = { kind: 'create', at: 0 };
	const history = new History({ lag: 1, finest: 1 }, 1_000, 0, 500, [create]);
	await history.begin();
	const ahead: Step[] = [{ kind: 'pass', seconds: 20_000 }, create, { kind: 'pass', seconds: 1 }];
	for (const step of ahead) history.happen(step);
	for (const step of [{ kind: 'setBack', seconds: 46_800 } as const, create]) history.happen(step);
	await history.poll();
	await history.end();
});
