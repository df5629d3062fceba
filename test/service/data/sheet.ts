import type { Condition } from '../reading/filter';
import type { Field } from './field';
import { SheetRecord, type Origin } from './record';

/** Folder path of a sheet, without slashes at both ends, and number of the sheet. */
export interface SheetAddress {
	path: string;
	index: number;
}

export interface Subtable {
	id: string;
	name: string;
	fields: Field[];
	/** Whether the rows are records of another sheet. New rows are silently dropped. */
	showsLinkedRecords?: boolean;
}

/** An action button of a sheet (specification, "Action button"). */
export interface ActionButton {
	readonly id: string;
	readonly name: string;
	/** Groups that may run the action, in addition to administrators. */
	readonly runnableBy: readonly string[];
	/** Changes the record and returns the message of the answer. Throws if the action fails. */
	readonly press: (record: SheetRecord, user: string) => string;
}

/** Periodic import from a URL into the sheet. It is enabled in the interface. */
interface PeriodicImport {
	enabled: boolean;
	/** A key of the account's `importSources`. */
	url: string;
}

export interface SheetDefinition extends SheetAddress {
	/** Name of the sheet's folder in the menu. */
	folderName: string;
	name: string;
	keyFieldId: string;
	fields: Field[];
	subtables?: Subtable[];
	/** Rights of groups. Other groups have no right; administrators may always write. */
	rights: Record<string, 'read' | 'write'>;
	/** Shared views by ID, with the conditions that all records of the view meet. */
	sharedViews?: Record<string, Condition[]>;
	defaultFilter?: Condition[];
	/** Filters every list unless an administrator's key asks to ignore it. */
	fixedFilter?: Condition[];
	titleFieldId?: string;
	/** Prefix of the numbers in the automatic number field. */
	autoNumberPrefix?: string;
	/** Whether the schema contains the choices of selections, regardless of the switch `schemaChoices`. */
	tellsChoices?: boolean;
	/** Recalculates the formulas of a record for `doFormula`. */
	formulas?: (record: SheetRecord) => void;
	/** Workflow script that runs with a write. */
	workflow?: (record: SheetRecord, user: string) => void;
	/** Set for the sheets of the account's users, which have additional rules. */
	users?: 'internal' | 'external';
	actionButtons?: ActionButton[];
	/** Template numbers for documents (endpoint 4). */
	templates?: { mailMerge?: string; customPrint?: string };
	periodicImport?: PeriodicImport;
	fill?: (sheet: Sheet) => void;
}

/** A sheet and its records. Tests may change the public members directly. */
export class Sheet {
	readonly path: string;

	readonly index: number;

	readonly name: string;

	private ownFields: Field[] | undefined;

	readonly subtables: Subtable[];

	rights: Record<string, 'read' | 'write'>;

	sharedViews: Record<string, Condition[]>;

	defaultFilter: Condition[];

	fixedFilter: Condition[];

	readonly actionButtons: ActionButton[];

	periodicImport: PeriodicImport;

	/** False for a custom form: creates, and updates by POST, fail with code 104. */
	acceptsPost = true;

	/** Maximum number of records. Further creates fail with code 109. */
	maximumRecords = Number.POSITIVE_INFINITY;

	/** ID of the next record. The first record of a sheet without demo data has the ID 0. */
	nextRecordId = 0;

	lastRowId = 0;

	private lastSequence = 0;

	private content: Map<number, SheetRecord> | undefined;

	/** Deleted records with their time of deletion. Filters still find them during the index lag. */
	private readonly deleted = new Map<SheetRecord, number>();

	/** If an original is given, the records are copied from it. The original must not be changed. */
	constructor(
		readonly definition: SheetDefinition,
		private readonly original?: Sheet,
	) {
		this.path = definition.path;
		this.index = definition.index;
		this.name = definition.name;
		this.subtables = structuredClone(definition.subtables ?? []);
		this.rights = { ...definition.rights };
		this.sharedViews = structuredClone(definition.sharedViews ?? {});
		this.defaultFilter = structuredClone(definition.defaultFilter ?? []);
		this.fixedFilter = structuredClone(definition.fixedFilter ?? []);
		this.actionButtons = [...(definition.actionButtons ?? [])];
		this.periodicImport = { enabled: false, url: '', ...definition.periodicImport };
	}

	/** Copied from the definition at the first access, so that a reset is fast. */
	get fields(): Field[] {
		return (this.ownFields ??= structuredClone(this.definition.fields));
	}

	/** Records by ID, in insertion order. Created or copied at the first access, so that a reset is fast. */
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

	/** Returns a subtable field and its subtable. */
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

	/** Adds an empty record. Default of the ID: the next free one. */
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

	/** Deletes the record. Returns it, or undefined if it does not exist. */
	remove(id: number, at: number): SheetRecord | undefined {
		const record = this.records.get(id);
		if (this.records.delete(id) && record) this.deleted.set(record, at);
		return record;
	}

	/** Returns the records of a search index as of this time: records deleted later are included, newer records are not. */
	indexedAt(time: number): SheetRecord[] {
		const deleted = [...this.deleted].flatMap(([record, at]) => (at > time ? [record] : []));
		const isGone = ({ id }: SheetRecord) => !this.records.has(id);
		return [...this.records.values(), ...deleted.filter(isGone)].filter(
			({ writtenAt }) => writtenAt <= time,
		);
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
