import { textsOf, type FieldValue } from './field';

/** Fields of one subtable row by field id. */
export type Row = Map<string, FieldValue>;

export interface Comment {
	id: number;
	author: string;
	text: string;
	/** The attachment's stored value, empty when there is none. */
	attachment: string;
	/** Milliseconds since 1970. */
	at: number;
}

export interface HistoryEntry {
	at: number;
	type: string;
	user: string;
	detail: string;
}

/** Who made a record, and when (milliseconds since 1970). */
export interface Origin {
	at: number;
	user: string;
}

/** A record as it is stored. Dates and numbers are kept as the texts that the interface shows. */
export class SheetRecord {
	values = new Map<string, FieldValue>();

	/** Rows by subtable id and row id, in the order in which they were added. */
	subtables = new Map<string, Map<number, Row>>();

	starred = false;

	locked = false;

	entryManager: string;

	notifyUser = '';

	updated: Origin;

	/** When an API write last changed the record: such a record may be late to show up in filters. */
	writtenAt = 0;

	comments: Comment[] = [];

	history: HistoryEntry[] = [];

	conversation: Array<{ from: string; subject: string; text: string; at: number }> = [];

	approval: { status: string; approver: string; comment?: string } | undefined;

	constructor(
		readonly id: number,
		readonly sequence: number,
		readonly created: Origin,
	) {
		this.entryManager = created.user;
		this.updated = created;
	}

	/** The value of a field: the empty text when it was never set. */
	value(fieldId: string): FieldValue {
		return this.values.get(fieldId) ?? '';
	}

	/** The value of a field as one text; several are joined with a comma. */
	text(fieldId: string): string {
		return textsOf(this.values.get(fieldId)).join(',');
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

	/** Whether the stored value of a file stands in a field, in a row or in a comment. */
	holdsFile(fileValue: string): boolean {
		const holds = (row: Row) =>
			[...row.values()].some((value) => textsOf(value).includes(fileValue));
		return (
			holds(this.values) ||
			[...this.subtables.values()].some((rows) => [...rows.values()].some(holds)) ||
			this.comments.some(({ attachment }) => attachment === fileValue)
		);
	}

	/** A copy to work on, so that a refused write leaves no trace. */
	draft(): SheetRecord {
		const copy = new SheetRecord(this.id, this.sequence, this.created);
		Object.assign(copy, this);
		copy.values = new Map(this.values);
		copy.subtables = new Map();
		for (const [subtableId, rows] of this.subtables) {
			const copiedRows = [...rows].map(([id, row]): [number, Row] => [id, new Map(row)]);
			copy.subtables.set(subtableId, new Map(copiedRows));
		}
		copy.comments = [...this.comments];
		copy.history = [...this.history];
		return copy;
	}

	/** Makes everything of its draft this record's own; whoever holds the record sees the change. */
	takeOver(draft: SheetRecord): void {
		Object.assign(this, draft);
	}
}
