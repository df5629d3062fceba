import type { RecordChange } from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import {
	checkDeletions,
	firstDeletionCheck,
	noteExisting,
} from '../../../nodes/SheetRecordsPollingTrigger/deletionCheck';
import {
	findChanges,
	startCursor,
	type FoundChanges,
} from '../../../nodes/SheetRecordsPollingTrigger/findChanges';
import {
	parseState,
	stateText,
	type PollState,
} from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { SimulatedSheet, type Keeping, type ListFault, type Version } from './simulatedSheet';
import type { Step } from './steps';

/** Longer than the index lag, the overlap, and the time between two comparisons. */
const longSeconds = 1_000;
const aQuarterOfAnHour = 900_000;

interface PollOptions {
	fails?: boolean;
	/** Changes by users between the requests. */
	meanwhile?: readonly Step[];
	fault?: ListFault;
}

interface Limits {
	maxChanges: number;
	compared: number;
}

/** Simulates a sheet and a node that polls it. After each poll, n8n restarts the node with its serialized state. */
export class History {
	private readonly sheet: SimulatedSheet;
	/** State that n8n stores. */
	private stored = '';
	private readonly deleted = new Set<string>();
	/** Whether a clock was set back or a list was incomplete. Then some events may have another name. */
	private wasDisturbed = false;
	/** Whether the first poll found no records. */
	private isStartEmpty = false;
	/** Whether a value was moved to another field, and whether a field was renamed or added. */
	private isMoved = false;
	private isRenamed = false;
	private count = 0;
	/** States that existed when the node started, or that were emitted since. */
	private readonly known = new Set<string>();
	private readonly knownTexts = new Set<string>();
	private readonly knownTimes = new Set<string>();
	/** Records that existed when the node started, or that were emitted since. */
	private readonly seen = new Set<number>();
	/** Records that were in a list of IDs, or that were emitted. */
	private readonly listed = new Set<number>();
	/** States that a filter found during a request and that were not emitted yet. */
	private readonly pending = new Map<string, Version>();
	/** Pending states that a filter still finds. */
	private due = new Map<string, Version>();

	constructor(
		keeping: Keeping,
		private readonly limits: Limits,
		private skew: number,
	) {
		this.sheet = new SimulatedSheet(keeping);
	}

	/** Applies changes before the node starts. The first record is ten days older than the others. */
	prepare(steps: readonly Step[]): void {
		for (const step of steps) {
			const hadRecords = this.sheet.records.size > 0;
			this.happen(step);
			if (!hadRecords && this.sheet.records.size > 0) this.sheet.now += 864_000;
		}
	}

	/** Runs the first poll. If its list is from another sheet, the poll fails and is repeated. */
	async begin(fault?: ListFault): Promise<void> {
		const { sheet, limits } = this;
		sheet.fault = fault;
		sheet.lists = 0;
		const deletions = firstDeletionCheck();
		const state = { source: '', settings: '', deletions, warnings: {} };
		const started = await startCursor(sheet, this.ownMilliseconds, limits.compared).catch(
			() => undefined,
		);
		sheet.fault = started ? fault : undefined;
		if (!started) {
			if (fault?.kind !== 'otherSheet') throw new Error('The first poll failed');
			return await this.begin();
		}
		await checkDeletions(deletions, sheet, limits.maxChanges, this.ownMilliseconds);
		sheet.fault = undefined;
		this.stored = stateText({ ...state, cursor: started.cursor });
		this.isStartEmpty = started.newest.length === 0;
		if (!this.isStartEmpty || sheet.records.size === 0) this.noteAllKnown();
		this.noteListed();
	}

	/** Whether the last poll left a part of the list of changes to the next one. */
	private get isWithinPass(): boolean {
		return parseState(this.stored)?.cursor?.pass !== undefined;
	}

	private noteListed(): void {
		for (const id of this.sheet.lastIds) this.listed.add(id);
	}

	private noteAllKnown(): void {
		for (const version of this.sheet.records.values()) {
			this.noteKnown(version);
			this.seen.add(version.id);
		}
		this.pending.clear();
		this.due.clear();
	}

	private noteKnown(version: Version): void {
		this.known.add(this.sheet.keyOf(version));
		this.knownTexts.add(this.textOf(version));
		this.noteTime(version);
	}

	private noteTime(version: Version): void {
		this.knownTimes.add(this.timeOf(version));
	}

	private timeOf(version: Version): string {
		return `${version.id} ${this.sheet.timeText(version.changed)}`;
	}

	private textOf(version: Version): string {
		return [version.id, ...this.sheet.valuesOf(version)].join(' ');
	}

	private get ownMilliseconds(): number {
		return (this.sheet.now + this.skew) * 1000;
	}

	async take(step: Step, busy: readonly Step[]): Promise<void> {
		if (step.kind === 'poll') await this.poll();
		else if (step.kind === 'failedPoll') await this.poll({ fails: true });
		else if (step.kind === 'busyPoll') await this.poll({ meanwhile: busy });
		else if (step.kind === 'faultyPoll') await this.poll({ fault: step.fault });
		else this.happen(step);
	}

	happen(step: Step): void {
		const { sheet } = this;
		// The node notes the time of a save without a change, although it does not emit it.
		if (this.wasDisturbed) for (const version of sheet.records.values()) this.noteTime(version);
		const ids = [...sheet.records.keys()];
		const id = 'at' in step ? (ids[Math.floor(step.at * ids.length)] ?? 0) : 0;
		if (step.kind === 'create') sheet.create(`new ${++this.count}`);
		if (step.kind === 'change') sheet.save(id, `changed ${++this.count}`);
		if (step.kind === 'move') this.move(id);
		if (step.kind === 'resave') sheet.save(id);
		if (step.kind === 'delete') sheet.records.delete(id);
		if (step.kind === 'changeAll') for (const each of ids) sheet.save(each, `all ${++this.count}`);
		if (step.kind === 'rename') this.setFieldNames(sheet.fieldNames.map((name) => `${name}'`));
		if (step.kind === 'addField')
			this.setFieldNames([...sheet.fieldNames, `added ${++this.count}`]);
		if (step.kind === 'pass') sheet.now += step.seconds;
		// After a pause within a pass, the node could not tell how long ago the pass began.
		if (step.kind === 'setHostBack' && !this.isWithinPass) this.skew -= step.seconds;
		if (step.kind === 'setBack') {
			sheet.setBack += step.seconds;
			this.wasDisturbed = true;
		}
	}

	/**
	 * Moves the value of a record. Skipped after a field was renamed or the clock was set back, because then the node cannot
	 * detect the move.
	 */
	private move(id: number): void {
		if (this.isRenamed || this.wasDisturbed) return;
		this.isMoved = true;
		this.sheet.move(id);
	}

	private setFieldNames(names: string[]): void {
		if (this.isMoved) return;
		this.isRenamed = true;
		this.sheet.fieldNames = names;
	}

	/** Polls once. A failed poll stores nothing. */
	async poll({ fails = false, meanwhile = [], fault }: PollOptions = {}): Promise<RecordChange[]> {
		const { sheet, limits } = this;
		const state = parseState(this.stored);
		if (!state?.cursor) throw new Error(`A stored state was not understood: ${this.stored}`);
		const { cursor, deletions } = state;
		const isResumed = cursor.pass !== undefined;
		const remaining = [...meanwhile];
		const { emptySince = Infinity } = deletions;
		// After a quarter of an hour without any records, the node accepts that the sheet is empty, as documented.
		const isBelieved = this.ownMilliseconds - emptySince >= aQuarterOfAnHour;
		sheet.fault = isBelieved && fault?.kind === 'empty' ? undefined : fault;
		sheet.lists = 0;
		sheet.lastIds = [];
		if (fault?.kind === 'cut') this.wasDisturbed = true;
		sheet.meanwhile = () => {
			const next = remaining.shift();
			if (next) this.happen(next);
			this.noteDue();
		};
		const select = async (changes: RecordChange[]) => {
			for (const { record } of changes) noteExisting(deletions, record.id);
			return changes;
		};
		const clock = () => this.ownMilliseconds;
		const found = await findChanges(cursor, sheet, select, { ...limits, now: clock });
		const checked = await checkDeletions(deletions, sheet, limits.maxChanges, clock());
		const isFaulty = sheet.fault !== undefined;
		sheet.fault = undefined;
		sheet.meanwhile = () => {};
		if (fails) return [];
		await this.store(state, found);
		const isQuiet = remaining.length === meanwhile.length && !isResumed && !isFaulty;
		this.check(found.changes, isQuiet);
		const isWrong = (id: string) => sheet.records.has(Number(id)) || this.deleted.has(id);
		demandNone('not deleted, or twice', checked.deletedIds.filter(isWrong));
		for (const id of checked.deletedIds) this.deleted.add(id);
		// The node ignores a list that contains a record which is deleted at this moment.
		if (!checked.isOtherSheet) this.noteListed();
		return found.changes;
	}

	/** Stores the state. Restarts the node if its first poll found no records although the sheet had some. */
	private async store(state: PollState, found: FoundChanges): Promise<void> {
		const { sheet, limits } = this;
		if (found.problem === 'emptyStart') {
			// After a clock was set back, new records look older than the start.
			if (!this.isStartEmpty) demandNone('started again', [this.stored]);
			const { cursor } = await startCursor(sheet, this.ownMilliseconds, limits.compared);
			this.stored = stateText({ ...state, cursor });
			this.isStartEmpty = false;
			this.noteAllKnown();
		} else {
			this.stored = stateText(state);
		}
	}

	/** Collects the states that the node must emit: a pending state is due while filters find it. */
	private noteDue(): void {
		const found = new Set<string>();
		for (const version of this.sheet.found()) {
			const key = this.sheet.keyOf(version);
			if (this.sheet.fault === undefined) found.add(key);
			if (!this.known.has(key)) this.pending.set(key, version);
		}
		// After a clock was set back, a save without a change, or at an emitted time, cannot be detected.
		const isOther = (version: Version) =>
			!this.wasDisturbed ||
			(!this.knownTexts.has(this.textOf(version)) && !this.knownTimes.has(this.timeOf(version)));
		const isDue = ([key, version]: [string, Version]) => found.has(key) && isOther(version);
		this.due = new Map([...this.pending].filter(isDue));
	}

	/** Checks the emitted changes: each is a pending state, none is emitted twice, and all are emitted up to the limit. */
	private check(changes: readonly RecordChange[], isQuiet: boolean): void {
		const { maxChanges } = this.limits;
		const emittedKeys = changes.map(({ record }) => this.sheet.keyOfRecord(record));
		demandNone('not due, or twice', [
			...emittedKeys.filter((key) => !this.pending.has(key)),
			...emittedKeys.filter((key, place) => emittedKeys.indexOf(key) !== place),
		]);
		demandNone('too many', emittedKeys.slice(maxChanges));
		this.checkEvents(changes);
		for (const key of emittedKeys) {
			const version = this.pending.get(key);
			if (version) this.noteKnown(version);
			this.pending.delete(key);
			this.due.delete(key);
		}
		if (isQuiet && !this.wasDisturbed && emittedKeys.length <= maxChanges / 2)
			demandNone('left out', this.due.keys());
	}

	private checkEvents(changes: readonly RecordChange[]): void {
		for (const { record, event } of changes) {
			const version = this.sheet.records.get(Number(record.id));
			if (!version) continue;
			const isWrong = (event === 'UPDATE') !== this.seen.has(version.id);
			// A record may count as old if a clock that was set back created it, or if it was hidden while many others
			// changed.
			const isExcused = event === 'UPDATE' && (this.wasDisturbed || this.limits.compared < 500);
			if (isWrong && !isExcused) demandNone(event, [record.id]);
			this.seen.add(version.id);
			this.listed.add(version.id);
		}
	}

	/** Checks that after some polls all changes have been emitted and no more follow. */
	async end(): Promise<void> {
		this.sheet.now += longSeconds;
		for (let quiet = 0; quiet < 3;) {
			quiet = (await this.poll()).length === 0 ? quiet + 1 : 0;
		}
		demandNone('never given', this.due.keys());
		this.sheet.now += longSeconds;
		for (let polls = 0; polls < 4; polls++) demandNone('at rest', await this.poll());
		const isLeft = (id: number) => !this.sheet.records.has(id) && !this.deleted.has(String(id));
		demandNone('not emitted as deleted', [...this.listed].filter(isLeft));
		const before = this.sheet.requests;
		await this.poll();
		if (!this.wasDisturbed) demandNone('requests', Array(this.sheet.requests - before - 1));
	}
}

/** Throws if there are elements. Jest's `expect` would take most of the time. */
function demandNone(what: string, of: Iterable<unknown>): void {
	const found = [...of];
	if (found.length > 0) throw new Error(`${what}: ${JSON.stringify(found)}`);
}
