import type { ServiceClock } from '../clock';
import type { JsonValue } from '../json';
import { textsOf, type FieldValue } from './field';

export type Row = Map<string, FieldValue>;

/** Rows by subtable ID and row ID, in insertion order. */
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
	/** Field value of the attached file, or an empty text. */
	readonly attachment: string;
	/** In ms since 1970. */
	readonly at: number;
}

export interface HistoryEntry {
	readonly at: number;
	readonly type: string;
	readonly user: string;
	readonly detail: string;
}

/** Creator and creation time of a record (in ms since 1970). */
export interface Origin {
	readonly at: number;
	readonly user: string;
}

/** A stored record. Dates and numbers are stored as the texts of the interface. */
export class SheetRecord {
	private stored: { values: Row; subtables: Subtables } = {
		values: new Map(),
		subtables: new Map(),
	};

	/** Set while a copy shares its content with its original. The first write access copies the content. */
	private isShared = false;

	starred = false;

	locked = false;

	entryManager: string;

	notifyUser = '';

	updated: Origin;
	/** Set if reads show something else as Last Update Date, because the record is damaged; `undefined` leaves the date out. */
	damagedDate?: { date: JsonValue | undefined };
	/** Set if lists show this value in place of the record. */
	damagedContent?: JsonValue;

	/** Time of the last change, in full precision. Filters use it to simulate the index lag. */
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

	/** Read-only content. Reading it does not copy a shared content. */
	get content(): RecordContent {
		return this.stored;
	}

	get values(): Row {
		return this.ownContent().values;
	}

	get subtables(): Subtables {
		return this.ownContent().subtables;
	}

	value(fieldId: string): FieldValue {
		return this.content.values.get(fieldId) ?? '';
	}

	/** Returns the value of a field as one text. Several texts are joined with commas. */
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

	/** Records a change: the Last Update Date, the edit history, and the start of the index lag. */
	noteEdit(
		clock: ServiceClock,
		{ user, type, detail = '' }: { user: string; type: string; detail?: string },
	): void {
		const at = type === 'Create' ? this.created.at : clock.stamp();
		this.writtenAt = clock.now();
		this.updated = { at, user };
		this.history.push({ at, type, user, detail });
	}

	/** Returns whether a field, a row or a comment contains the file. */
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

	/** Returns a cheap copy. The original must not be changed afterwards. */
	copy(): SheetRecord {
		const copy = new SheetRecord(this.id, this.sequence, this.created);
		Object.assign(copy, this);
		copy.isShared = true;
		copy.comments = [...this.comments];
		copy.history = [...this.history];
		copy.conversation = [...this.conversation];
		return copy;
	}

	/** Returns a copy for a write. If the write fails, the record stays unchanged. */
	draft(): SheetRecord {
		const draft = this.copy();
		draft.ownContent();
		return draft;
	}

	/** Replaces the content of this record with the draft's, in place. */
	takeOver(draft: SheetRecord): void {
		Object.assign(this, draft);
	}

	private ownContent(): { values: Row; subtables: Subtables } {
		if (this.isShared) {
			const { values, subtables } = this.stored;
			this.stored = { values: new Map(values), subtables: new Map() };
			for (const [subtableId, rows] of subtables) {
				const copiedRows = [...rows].map(([id, row]): [number, Row] => [id, new Map(row)]);
				this.stored.subtables.set(subtableId, new Map(copiedRows));
			}
			this.isShared = false;
		}
		return this.stored;
	}
}
