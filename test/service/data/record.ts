import type { ServiceClock } from '../clock';
import { textsOf, type FieldValue } from './field';

export type Row = Map<string, FieldValue>;

/** Rows by subtable id and row id, in the order in which they were added. */
type Subtables = Map<string, Map<number, Row>>;

export type ReadonlyRow = ReadonlyMap<string, FieldValue>;

interface RecordContent {
	readonly values: ReadonlyRow;
	readonly subtables: ReadonlyMap<string, ReadonlyMap<number, ReadonlyRow>>;
}

export interface Comment {
	readonly id: number;
	readonly author: string;
	readonly text: string;
	/** The attachment's stored value, empty when there is none. */
	readonly attachment: string;
	/** Milliseconds since 1970. */
	readonly at: number;
}

export interface HistoryEntry {
	readonly at: number;
	readonly type: string;
	readonly user: string;
	readonly detail: string;
}

/** Who made a record, and when (milliseconds since 1970). */
export interface Origin {
	readonly at: number;
	readonly user: string;
}

/** A record as it is stored. Dates and numbers are kept as the texts that the interface shows. */
export class SheetRecord {
	private held: { values: Row; subtables: Subtables } = { values: new Map(), subtables: new Map() };

	/** A copy holds what its original holds, until somebody asks for what can be changed. */
	private isShared = false;

	starred = false;

	locked = false;

	entryManager: string;

	notifyUser = '';

	updated: Origin;

	/** When it was last changed by the clock, however times are stored: it may be late to show up in filters. */
	writtenAt = 0;

	comments: Comment[] = [];

	history: HistoryEntry[] = [];

	conversation: Array<Readonly<{ from: string; subject: string; text: string; at: number }>> = [];

	approval: Readonly<{ status: string; approver: string; comment?: string }> | undefined;

	constructor(
		readonly id: number,
		readonly sequence: number,
		readonly created: Origin,
	) {
		this.entryManager = created.user;
		this.updated = created;
	}

	/** What it holds, to look at only: a look costs no copy. */
	get content(): RecordContent {
		return this.held;
	}

	get values(): Row {
		return this.own().values;
	}

	get subtables(): Subtables {
		return this.own().subtables;
	}

	value(fieldId: string): FieldValue {
		return this.content.values.get(fieldId) ?? '';
	}

	/** The value of a field as one text; several are joined with a comma. */
	text(fieldId: string): string {
		return textsOf(this.value(fieldId)).join(',');
	}

	set(fieldId: string, value: FieldValue): this {
		this.values.set(fieldId, value);
		return this;
	}

	rows(subtableId: string): Map<number, Row> {
		let rows = this.subtables.get(subtableId);
		if (!rows) {
			rows = new Map();
			this.subtables.set(subtableId, rows);
		}
		return rows;
	}

	/** Notes a change: the Last Update Date, the edit history, and since when filters may come to know of it. */
	noteEdit(
		clock: ServiceClock,
		{ user, type, detail = '' }: { user: string; type: string; detail?: string },
	): void {
		const at = type === 'Create' ? this.created.at : clock.stamp();
		this.writtenAt = clock.now();
		this.updated = { at, user };
		this.history.push({ at, type, user, detail });
	}

	/** Whether the stored value of a file stands in a field, in a row or in a comment. */
	holdsFile(fileValue: string): boolean {
		const { values, subtables } = this.content;
		const holds = (row: ReadonlyRow) =>
			[...row.values()].some((value) => textsOf(value).includes(fileValue));
		return (
			holds(values) ||
			[...subtables.values()].some((rows) => [...rows.values()].some(holds)) ||
			this.comments.some(({ attachment }) => attachment === fileValue)
		);
	}

	/** A copy that costs little, of a record that nobody changes any more. */
	copy(): SheetRecord {
		const copy = new SheetRecord(this.id, this.sequence, this.created);
		Object.assign(copy, this);
		copy.isShared = true;
		copy.comments = [...this.comments];
		copy.history = [...this.history];
		copy.conversation = [...this.conversation];
		return copy;
	}

	/** A copy to work on, so that a refused write leaves no trace. */
	draft(): SheetRecord {
		const draft = this.copy();
		draft.own();
		return draft;
	}

	/** Makes everything of its draft this record's own; whoever holds the record sees the change. */
	takeOver(draft: SheetRecord): void {
		Object.assign(this, draft);
	}

	private own(): { values: Row; subtables: Subtables } {
		if (this.isShared) {
			const { values, subtables } = this.held;
			this.held = { values: new Map(values), subtables: new Map() };
			for (const [subtableId, rows] of subtables) {
				const copiedRows = [...rows].map(([id, row]): [number, Row] => [id, new Map(row)]);
				this.held.subtables.set(subtableId, new Map(copiedRows));
			}
			this.isShared = false;
		}
		return this.held;
	}
}
