import type { SheetRecord } from '../../../nodes/api/read/record';
import type { PageRange } from '../../../nodes/api/read/records';
import { changesIn, type ChangeRange } from '../../../nodes/SheetRecordsPollingTrigger/sheetReader';

/** A saved state of a record. */
export interface Version {
	id: number;
	/** In seconds of the service's clock. */
	created: number;
	changed: number;
	text: string;
	/** Set if the text is in the second field and the first field is empty. */
	isMoved?: boolean;
	/** Time from which filters find the state, in monotonic seconds. */
	found: number;
}

/** Settings of the simulated service. */
export interface Keeping {
	/** Index lag: seconds until a filter finds a change. Only every other change is delayed. */
	lag: number;
	/** Resolution of stored times in seconds. */
	finest: number;
	/** Whether filters compare times at a finer resolution than records contain. */
	isFiner?: boolean;
}

/** Wrong answers of the service during a poll. */
export interface ListFault {
	/** A list without records, with its first record only, or from another sheet. */
	kind: 'empty' | 'cut' | 'otherSheet';
	/** Affected requests: all, all lists, a single list, all lists but the first, or the lists of one kind. */
	requests: 'all' | 'lists' | 'firstList' | 'secondList' | 'laterLists' | 'changes' | 'ids';
}

/** Cached, because histories share most of their times. */
const timeTexts = new Map<number, string>();

/** A sheet in memory: its list by Last Update Date, its clock, and changes by users. */
export class SimulatedSheet {
	/** Monotonic time in seconds. */
	now = 1_700_000_000;
	/** Seconds by which the service's clock or the account's time zone was set back. */
	setBack = 0;
	fault?: ListFault;
	readonly isTimeOver = false;
	readonly hasConditions = false;
	readonly records = new Map<number, Version>();
	/** Number of requested pages of the list of changes. */
	requests = 0;
	/** IDs of the last correct list of IDs. */
	lastIds: readonly number[] = [];
	/** Number of requested lists in this poll. */
	lists = 0;
	/** Called before each answer, to change records while the node polls. */
	meanwhile: () => void = () => {};
	/** Names of the fields. A record has its text in the first or the second field. The other fields are empty. */
	fieldNames = ['1000001', '1000002'];
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

	/** Saves a record, with or without a change. */
	save(id: number, text?: string): void {
		const before = this.records.get(id);
		if (!before) return;
		const changes = { changed: this.clock, text: text ?? before.text, found: this.foundAt() };
		this.records.set(id, { ...before, ...changes });
	}

	/**
	 * Moves the text of a record to its second field. A record is moved only once, because moving back within a second would
	 * restore its earlier state.
	 */
	move(id: number): void {
		if (this.records.get(id)?.isMoved) return;
		this.save(id);
		const version = this.records.get(id);
		if (version) this.records.set(id, { ...version, isMoved: true });
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

	/** Returns the identity of a state. A save at the same time without a change keeps the identity. */
	keyOf(version: Version): string {
		return `${version.id} ${this.timeText(version.changed)} ${this.valuesOf(version).join('|')}`;
	}

	/** Returns the values of the first two fields. */
	valuesOf({ text, isMoved }: Version): string[] {
		return isMoved ? ['', text] : [text, ''];
	}

	/** Returns the identity of the state that the node has read. */
	keyOfRecord({ id, content }: SheetRecord): string {
		const fields = [...content].filter(([key]) => !key.startsWith('_'));
		const values = fields.slice(0, 2).map(([, value]) => value);
		return [id, content.get('_update_date'), values.join('|')].join(' ');
	}

	/** Returns the records that a filter finds, sorted by change, earliest first. */
	found(since = ''): Version[] {
		return this.inOrder(
			[...this.records.values()].filter(({ found }) => found <= this.now),
			since,
		);
	}

	private inOrder(versions: readonly Version[], since: string): Version[] {
		return versions
			.filter(({ changed }) => this.comparedText(changed) >= since)
			.sort((left, right) => {
				const [first, second] = [this.comparedText(left.changed), this.comparedText(right.changed)];
				return first === second ? left.created - right.created : first < second ? -1 : 1;
			});
	}

	/**
	 * Returns the records of another sheet. Some have the same IDs as records of this sheet. Some were changed or created
	 * recently.
	 */
	private otherSheet(): Version[] {
		const old = { created: 1_600_000_007, text: 'of another sheet', found: 0 };
		const version = (id: number, changed: number): Version => ({ ...old, id, changed });
		const recent = [1, 3, 4, 901].map((id) => version(id, this.clock - 13 * (id % 100) ** 3));
		const created = { ...version(902, this.clock - 13), created: this.clock - 13 };
		return [version(2, this.clock - 90_000), ...recent, created];
	}

	private async readPage(since: string, { offset, limit }: PageRange): Promise<SheetRecord[]> {
		this.requests += 1;
		this.meanwhile();
		const list = this.listed(this.found(since), 'changes', (versions) =>
			this.inOrder(versions, since),
		);
		return list.slice(offset, offset + limit).map((version) => this.record(version));
	}

	/** Returns the records, or the wrong list if a fault affects this request. */
	private listed(
		versions: readonly Version[],
		kind: 'changes' | 'ids' | 'newest',
		arrange: (versions: Version[]) => Version[],
	): readonly Version[] {
		this.lists += 1;
		const { fault } = this;
		const place = ['', 'firstList', 'secondList'][this.lists];
		const struck = ['all', 'lists', kind, place, this.lists > 1 ? 'laterLists' : ''];
		if (!fault || !struck.includes(fault.requests)) return versions;
		if (fault.kind === 'otherSheet') return arrange(this.otherSheet());
		return versions.slice(0, fault.kind === 'cut' ? 1 : 0);
	}

	/** Returns the newest records of the whole sheet, without index lag. */
	async fetchNewest(limit: number): Promise<SheetRecord[]> {
		const latestFirst = (versions: Version[]) =>
			versions.sort((left, right) => right.changed - left.changed);
		const all = latestFirst([...this.records.values()]);
		const list = this.listed(all, 'newest', latestFirst);
		return list.slice(0, limit).map((version) => this.record(version));
	}

	async *fetchIds(): AsyncGenerator<string[]> {
		const all = [...this.records.values()];
		const list = this.listed(all, 'ids', (versions) => versions);
		if (list === all) this.lastIds = list.map(({ id }) => id);
		yield list.map(({ id }) => String(id));
	}

	async fetchRecord(id: string): Promise<SheetRecord | undefined> {
		this.meanwhile();
		const isSilent = this.fault?.kind === 'empty' && this.fault.requests === 'all';
		const version = isSilent ? undefined : this.records.get(Number(id));
		return version && this.record(version);
	}

	async fetchChanges({ since, limit, after }: ChangeRange) {
		const readPage = async (range: PageRange) => await this.readPage(since, range);
		return await changesIn(readPage, limit, after);
	}

	record(version: Version): SheetRecord {
		const { id, created, changed } = version;
		const values = this.valuesOf(version);
		const members = this.fieldNames.map((name, place): [string, string] => [
			name,
			values[place] ?? '',
		]);
		const content = new Map([
			...members,
			['_create_date', this.timeText(created)],
			['_update_date', this.timeText(changed)],
		]);
		return { id: String(id), content };
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
