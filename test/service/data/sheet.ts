import type { Condition } from '../reading/filter';
import type { Field } from './field';
import { SheetRecord, type Origin } from './record';

/** Where a sheet is: its folder path without slashes at the ends, and its number. */
export interface SheetAddress {
	path: string;
	index: number;
}

export interface Subtable {
	id: string;
	name: string;
	fields: Field[];
	/** Its rows are records of another sheet: new ones are dropped without a word. */
	showsLinkedRecords?: boolean;
}

/** A button of a sheet that users press on a record (specification, "Action button"). */
export interface ActionButton {
	readonly id: string;
	readonly name: string;
	/** Groups that may press it; administrators always may. */
	readonly runnableBy: readonly string[];
	/** Changes the record and gives the message of the answer; what it throws refuses the press. */
	readonly press: (record: SheetRecord, user: string) => string;
}

/** The periodic import from a URL of one sheet; it is turned on in the interface. */
interface PeriodicImport {
	enabled: boolean;
	/** One of the account's import sources. */
	url: string;
}

export interface SheetDefinition extends SheetAddress {
	/** What the menu calls its folder. */
	folderName: string;
	name: string;
	keyFieldId: string;
	fields: Field[];
	subtables?: Subtable[];
	/** The rights of groups. Without one a group has none; administrators always have all. */
	rights: Record<string, 'read' | 'write'>;
	/** Shared views by id: all conditions that a record must meet. */
	sharedViews?: Record<string, Condition[]>;
	defaultFilter?: Condition[];
	/** Applied to every list unless an administrator's key asks to ignore it. */
	fixedFilter?: Condition[];
	titleFieldId?: string;
	/** The beginning of the numbers that the automatic number field counts through. */
	autoNumberPrefix?: string;
	/** Whether the schema names the choices of its selections, whatever the switch says. */
	tellsChoices?: boolean;
	/** Recalculates what `doFormula` recalculates. */
	formulas?: (record: SheetRecord) => void;
	/** The workflow script that runs with a write. */
	workflow?: (record: SheetRecord, user: string) => void;
	/** Set on the sheets that hold the account's users, to which rules of their own apply. */
	users?: 'internal' | 'external';
	actionButtons?: ActionButton[];
	/** The templates for documents (endpoint 4), by their numbers. */
	templates?: { mailMerge?: string; customPrint?: string };
	periodicImport?: PeriodicImport;
	fill?: (sheet: Sheet) => void;
}

/** A sheet and its records. The members that tests may turn are plain and mutable. */
export class Sheet {
	readonly path: string;

	readonly index: number;

	readonly name: string;

	readonly fields: Field[];

	readonly subtables: Subtable[];

	rights: Record<string, 'read' | 'write'>;

	sharedViews: Record<string, Condition[]>;

	defaultFilter: Condition[];

	fixedFilter: Condition[];

	readonly actionButtons: ActionButton[];

	periodicImport: PeriodicImport;

	/** False for a custom form: a create, and an update by POST, answer code 104. */
	acceptsPost = true;

	/** With this many records a create answers code 109. */
	maximumRecords = Number.POSITIVE_INFINITY;

	/** The id of the next record; a sheet that begins empty begins with record 0. */
	nextRecordId = 0;

	lastRowId = 0;

	private lastSequence = 0;

	private content: Map<number, SheetRecord> | undefined;

	/** With an original, which nobody changes, its records are copied instead of made. */
	constructor(
		readonly definition: SheetDefinition,
		private readonly original?: Sheet,
	) {
		this.path = definition.path;
		this.index = definition.index;
		this.name = definition.name;
		this.fields = structuredClone(definition.fields);
		this.subtables = structuredClone(definition.subtables ?? []);
		this.rights = { ...definition.rights };
		this.sharedViews = structuredClone(definition.sharedViews ?? {});
		this.defaultFilter = structuredClone(definition.defaultFilter ?? []);
		this.fixedFilter = structuredClone(definition.fixedFilter ?? []);
		this.actionButtons = [...(definition.actionButtons ?? [])];
		this.periodicImport = { enabled: false, url: '', ...definition.periodicImport };
	}

	/** By id, in the order in which they were added; made or copied on first sight, so a reset is fast. */
	get records(): Map<number, SheetRecord> {
		if (!this.content) {
			this.content = new Map();
			if (this.original) this.takeRecordsOf(this.original);
			else this.definition.fill?.(this);
		}
		return this.content;
	}

	record(id: number): SheetRecord {
		const record = this.records.get(id);
		if (!record) throw new Error(`Sheet ${this.path}/${this.index} has no record ${id}`);
		return record;
	}

	field(fieldId: string): Field | undefined {
		return this.fields.find((field) => field.id === fieldId);
	}

	/** The subtable that a subtable field belongs to, with the field. */
	subtableField(fieldId: string): { subtable: Subtable; field: Field } | undefined {
		for (const subtable of this.subtables) {
			const field = subtable.fields.find((candidate) => candidate.id === fieldId);
			if (field) return { subtable, field };
		}
		return undefined;
	}

	subtable(subtableId: string): Subtable | undefined {
		return this.subtables.find((subtable) => subtable.id === subtableId);
	}

	/** Adds an empty record; the id is the next free one unless it is given. */
	add(created: Origin, id?: number): SheetRecord {
		const record = this.prepare(created, id);
		this.keep(record);
		return record;
	}

	prepare(created: Origin, id?: number): SheetRecord {
		const { size } = this.records;
		this.lastSequence = Math.max(this.lastSequence, size);
		return new SheetRecord(id ?? this.nextRecordId, this.lastSequence + 1, created);
	}

	keep(record: SheetRecord): void {
		this.records.set(record.id, record);
		this.nextRecordId = Math.max(this.nextRecordId, record.id + 1);
		this.lastSequence = Math.max(this.lastSequence, record.sequence);
	}

	private takeRecordsOf(original: Sheet): void {
		for (const record of original.records.values()) this.keep(record.copy());
		this.lastRowId += original.lastRowId;
	}

	titleOf(record: SheetRecord): string {
		return record.text(this.definition.titleFieldId ?? this.definition.keyFieldId);
	}

	takeRowId(): number {
		this.lastRowId += 1;
		return this.lastRowId;
	}

	takeAutoNumber(record: SheetRecord): string {
		return `${this.definition.autoNumberPrefix ?? ''}${String(record.sequence).padStart(5, '0')}`;
	}
}
