import { readAfter } from '../../../nodes/api/read/pages';
import type { SheetRecord } from '../../../nodes/api/read/record';
import type { PageRange } from '../../../nodes/api/read/records';
import { stateKey, type ChangeRange } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';

/** One state of a record, as somebody has saved it. */
export interface Version {
	id: number;
	/** Seconds of the service's clock. */
	created: number;
	changed: number;
	text: string;
	/** When filters find it. */
	found: number;
}

/** How a service keeps its records. */
export interface Keeping {
	/** Seconds until a filter finds what was changed: every other change; the others are found at once. */
	lag: number;
	/** The seconds of its finest time. */
	finest: number;
	/** Whether it compares times finer than it shows them. */
	isFiner?: boolean;
}

/** Histories have many moments in common. */
const timeTexts = new Map<number, string>();

/** A sheet of the service in memory: its list by Last Update Date, its clock, and what people do. */
export class SimulatedSheet {
	/** Seconds, which always go on. */
	now = 1_700_000_000;
	/** By so many seconds the service's clock, or the account's time zone, was set back. */
	setBack = 0;
	/** What is wrong with the answers just now: there is nothing in any, or a list has but its first entry. */
	fault?: 'empty' | 'cut';
	readonly isTimeOver = false;
	readonly isFiltered = false;
	readonly records = new Map<number, Version>();
	requests = 0;
	/** Called before each answer: what people do while the node polls. */
	meanwhile: () => void = () => {};
	private nextId = 1;
	private saves = 0;

	constructor(private readonly keeping: Keeping) {}

	create(text: string, id = this.nextId++): void {
		const { clock } = this;
		this.records.set(id, { id, created: clock, changed: clock, text, found: this.foundAt() });
	}

	private get clock(): number {
		return this.now - this.setBack;
	}

	/** Saves a record, changed or not. */
	save(id: number, text?: string): void {
		const before = this.records.get(id);
		if (!before) return;
		const changes = { changed: this.clock, text: text ?? before.text, found: this.foundAt() };
		this.records.set(id, { ...before, ...changes });
	}

	private foundAt(): number {
		this.saves += 1;
		return this.now + (this.saves % 2) * this.keeping.lag;
	}

	timeText(seconds: number): string {
		return textOf(seconds - (seconds % this.keeping.finest));
	}

	private comparedText(seconds: number): string {
		return this.keeping.isFiner ? `${textOf(seconds)}.5` : this.timeText(seconds);
	}

	/** What tells two states of a record apart: a save in the same time without a change does not. */
	keyOf({ id, changed, text }: Version): string {
		return `${id} ${this.timeText(changed)} ${text}`;
	}

	/** What a filter finds, the earliest change first. */
	found(since = ''): Version[] {
		return [...this.records.values()]
			.filter(({ found }) => found <= this.now)
			.filter(({ changed }) => this.comparedText(changed) >= since)
			.sort((one, other) => {
				const [left, right] = [this.comparedText(one.changed), this.comparedText(other.changed)];
				return left === right ? one.created - other.created : left < right ? -1 : 1;
			});
	}

	private async readPage(since: string, { offset, limit }: PageRange): Promise<SheetRecord[]> {
		this.requests += 1;
		this.meanwhile();
		const versions = this.found(since).slice(offset, offset + limit);
		return this.answered(versions).map((version) => this.record(version));
	}

	private answered<T>(list: readonly T[]): readonly T[] {
		return this.fault === undefined ? list : list.slice(0, this.fault === 'cut' ? 1 : 0);
	}

	/** As the list of the whole sheet, which no index delays. */
	async newest(limit: number): Promise<SheetRecord[]> {
		const all = [...this.records.values()].sort((one, other) => other.changed - one.changed);
		return this.answered(all.slice(0, limit)).map((version) => this.record(version));
	}

	async *ids(): AsyncGenerator<string[]> {
		yield [...this.answered([...this.records.keys()])].map(String);
	}

	async has(id: string): Promise<boolean> {
		return this.fault !== 'empty' && this.records.has(Number(id));
	}

	async read(...[since, limit, after]: ChangeRange) {
		const readPage = async (range: PageRange) => await this.readPage(since, range);
		return await readAfter(readPage, limit, after, stateKey);
	}

	record({ id, created, changed, text }: Version): SheetRecord {
		const members: Array<[string, string]> = [
			['1000001', text],
			['_create_date', this.timeText(created)],
			['_update_date', this.timeText(changed)],
		];
		return { id: String(id), content: new Map(members) };
	}
}

function textOf(seconds: number): string {
	const known = timeTexts.get(seconds);
	if (known !== undefined) return known;
	const iso = new Date(seconds * 1000).toISOString();
	const text = iso.slice(0, 19).replace('T', ' ').replaceAll('-', '/');
	timeTexts.set(seconds, text);
	return text;
}
