import fc from 'fast-check';
import { amount } from '../../amount';
import { readChanges, startCursor } from '../../../nodes/SheetRecordsPollingTrigger/changes';
import {
	loadedCursor,
	storedCursor,
	type Change,
} from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import { SimulatedSheet, type Keeping, type Version } from './simulatedSheet';

/** What happens around the polls of a node, and the polls. */
type Step = Readonly<
	| { kind: 'create' | 'change' | 'resave' | 'delete'; at: number }
	| { kind: 'changeAll' | 'poll' | 'failedPoll' | 'busyPoll' }
	| { kind: 'pass'; seconds: number }
>;

/** Longer than anything is hidden, and longer than the overlap. */
const longSeconds = 1_000;

/** A history of a sheet, and the node that polls it; after each poll n8n has its state as text only. */
class History {
	private readonly sheet: SimulatedSheet;

	private stored = '';

	private count = 0;

	/** The states that were there when the node began, or given out since. */
	private readonly known = new Set<string>();

	/** The records that were there when the node began, or given out since. */
	private readonly seen = new Set<number>();

	/** When the first request and the last one did not find a record that had not been given out yet. */
	private readonly missed = new Map<number, [first: number, last: number]>();

	/** The states that were found at a request and not given out yet. */
	private readonly stood = new Map<string, Version>();

	/** Those of them that are found still. */
	private due = new Map<string, Version>();

	constructor(
		keeping: Keeping,
		private readonly most: number,
		private readonly skew: number,
		before: readonly Step[],
	) {
		this.sheet = new SimulatedSheet(keeping);
		for (const step of before) this.happen(step);
	}

	/** The node's first poll: it sees the newest record without filters, which are late. */
	async begin(): Promise<void> {
		const [newest] = [...this.sheet.records.values()].sort(
			(one, other) => other.changed - one.changed,
		);
		const record = newest && this.sheet.record(newest);
		const cursor = await startCursor(record, this.sheet, () => this.ownMilliseconds);
		this.stored = JSON.stringify(storedCursor(cursor));
		// What was changed in that time and is found later counts as changed afterwards.
		const time = newest && this.sheet.timeText(newest.changed);
		const found = new Set(this.sheet.found());
		for (const version of this.sheet.records.values()) {
			const isLate = version !== newest && !found.has(version);
			const isTold = isLate && this.sheet.timeText(version.changed) === time;
			if (!isTold) this.known.add(this.sheet.keyOf(version));
			const isNew = isTold && this.sheet.timeText(version.created) === time;
			if (!isNew) this.seen.add(version.id);
		}
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
	}

	/**
	 * Polls. A failed poll leaves no trace.
	 *
	 * @param meanwhile what people do between its requests
	 */
	async poll({ fails = false, meanwhile = [] as readonly Step[] } = {}): Promise<Change[]> {
		const cursor = loadedCursor(JSON.parse(this.stored));
		if (!cursor) throw new Error('The cursor is not understood');
		const left = [...meanwhile];
		this.sheet.meanwhile = () => {
			const next = left.shift();
			if (next) this.happen(next);
			this.noteDue();
		};
		const all = () => true;
		const clock = () => this.ownMilliseconds;
		const changes = await readChanges(cursor, this.sheet, all, clock, this.most);
		if (fails) return [];
		this.stored = JSON.stringify(storedCursor(cursor));
		this.check(changes, left.length === meanwhile.length);
		return changes;
	}

	/** States that are found now are to be given out; what was changed once more, or hidden again, comes as it is then. */
	private noteDue(): void {
		const standing = new Set<string>();
		for (const version of this.sheet.found()) {
			const key = this.sheet.keyOf(version);
			standing.add(key);
			if (!this.known.has(key)) this.stood.set(key, version);
		}
		for (const version of this.sheet.records.values()) {
			const isMissed = !standing.has(this.sheet.keyOf(version)) && !this.seen.has(version.id);
			const [first] = this.missed.get(version.id) ?? [this.sheet.now];
			if (isMissed) this.missed.set(version.id, [first, this.sheet.now]);
		}
		this.due = new Map([...this.stood].filter(([key]) => standing.has(key)));
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
			this.stood.delete(key);
			this.due.delete(key);
			this.known.add(key);
		}
		if (isQuiet && given.length <= this.most / 2) demandNone('left out', this.due.keys());
	}

	private checkEvents(changes: readonly Change[]): void {
		for (const { record, event } of changes) {
			const version = this.sheet.records.get(Number(record.id));
			if (!version) continue;
			// One that was hidden from polls over six minutes, since it was changed again and again, counts as old.
			const [first = 0, last = 0] = this.missed.get(version.id) ?? [];
			const isHidden = last - first >= 360;
			const isWrong = (event === 'UPDATE') !== this.seen.has(version.id);
			if (isWrong && !(isHidden && event === 'UPDATE')) demandNone(event, [record.id]);
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
		const before = this.sheet.requests;
		await this.poll();
		demandNone('requests', Array(this.sheet.requests - before - 1));
	}
}

/** Jest's `expect` would take most of the time. */
function demandNone(what: string, of: Iterable<unknown>): void {
	const found = [...of];
	if (found.length > 0) throw new Error(`${what}: ${JSON.stringify(found)}`);
}

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const happening = fc.oneof(
	fc.record({ kind: fc.constantFrom('create', 'change', 'change', 'resave', 'delete'), at: place }),
	fc.constant({ kind: 'changeAll' }),
	fc.record({
		kind: fc.constant('pass'),
		seconds: fc.constantFrom(0, 1, 1, 30, 59, 61, 200, 299, 400, 900),
	}),
) as fc.Arbitrary<Step>;
const step = fc.oneof(
	{ weight: 3, arbitrary: happening },
	{
		weight: 2,
		arbitrary: fc.constantFrom<Step>(
			{ kind: 'poll' },
			{ kind: 'busyPoll' },
			{ kind: 'failedPoll' },
		),
	},
);
const keeping = fc.record({
	lag: fc.constantFrom(0, 1, 20, 120, 300),
	finest: fc.constantFrom(1, 1, 60),
	isFiner: fc.boolean(),
});

it('whatever happens to a sheet, each state that stands at a poll is given out once', async () => {
	await fc.assert(
		fc.asyncProperty(
			keeping,
			fc.constantFrom(1, 2, 3, 5, 1_000),
			fc.constantFrom(0, -40_000, 3_000_000),
			fc.array(happening, { maxLength: 8 }),
			fc.array(step, { minLength: 5, maxLength: 40 }),
			fc.array(happening, { minLength: 1, maxLength: 3 }),
			async (kept, most, skew, before, steps, busy) => {
				const history = new History(kept, most, skew, before);
				await history.begin();
				for (const each of steps) {
					if (each.kind === 'poll') await history.poll();
					else if (each.kind === 'failedPoll') await history.poll({ fails: true });
					else if (each.kind === 'busyPoll') await history.poll({ meanwhile: busy });
					else history.happen(each);
				}
				await history.end();
			},
		),
		{ numRuns: amount(2_000, 10_000) },
	);
});

it('a record that changes before it is found for the first time comes as created', async () => {
	// Every other save is found at once, the others 300 seconds later.
	const create: Step = { kind: 'create', at: 0 };
	const changeFirst: Step = { kind: 'change', at: 0 };
	const changeLast: Step = { kind: 'change', at: 0.999 };
	const pass = (seconds: number): Step => ({ kind: 'pass', seconds });
	const history = new History({ lag: 300, finest: 1 }, 1_000, 0, [create, create, pass(900)]);
	await history.begin();
	// It is found after ten minutes, and missed by the polls of five of them.
	const polls: Step[][] = [
		[create, pass(200)],
		[pass(85), changeFirst, pass(5), changeLast, pass(110), changeFirst, pass(10)],
		[pass(90)],
		[pass(100)],
	];
	const events: string[] = [];
	for (const steps of polls) {
		for (const step of steps) history.happen(step);
		events.push(...(await history.poll()).map(({ record, event }) => `${record.id} ${event}`));
	}
	expect(events.filter((event) => event.startsWith('3'))).toEqual(['3 CREATE']);
	await history.end();
});
