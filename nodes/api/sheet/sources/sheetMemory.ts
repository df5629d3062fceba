import type { Client } from '../../http/client';
import { processCache, type ExpiringValue } from '../../http/processState';
import { cacheKey, CachePart } from '../../http/runCache';
import { getOrInsert } from '../../json/objects';
import type { SheetRecord } from '../../read/record';
import type { SheetAddress } from '../../values/sheetAddress';
import type { FieldIndex } from '../fieldIndex';
import type { KnownNames } from '../fieldNames';
import type { FieldList } from '../fields';
import type { FieldKinds } from '../kinds/valueKinds';
import type { ValueKind } from '../kinds/valueKind';
import { AgingValue, SharedValue } from './sharedValue';
import type { NoFields } from './sources';

export const minute = 60_000;

/** Maximum age of fields, types and choices, in minutes. */
export const maxFieldsAgeMinutes = 10;

/** Maximum age of a list from a poorer source, after a better source failed temporarily, in minutes. */
const maxProvisionalAgeMinutes = 1;

/** Maximum age of the refusal of a source, in minutes. */
const maxRefusalAgeMinutes = 10;

/** Maximum age of the knowledge which source answered last, in minutes. */
const maxAnsweringAgeMinutes = 60;

/** Maximum number of fields that the process keeps for all sheets and users together, about 40 MB. */
const maxFieldsOfProcess = 200_000;

/** Names of the sources of fields, best first. */
export const sourceNames = ['schema', 'definition', 'records'] as const;
export type SourceName = (typeof sourceNames)[number];

/** A loaded list of fields. */
export interface LoadedList {
	/** Empty if no source lists fields. */
	index: FieldIndex;
	/** Set if a better source failed temporarily, for example with a maintenance page. */
	isProvisional: boolean;
}

/** Kinds and choices that the newest records suggest for fields. */
export interface InferredFields {
	/** Kinds by field ID. */
	kinds: FieldKinds;
	/**
	 * Choices in use by field ID, for selections whose choices the service does not list. Words in use of checkboxes, most frequent
	 * first.
	 */
	choices: ReadonlyMap<string, readonly string[]>;
}

/** The keys of the fields in a read, and when they last came in this order, in ms since 1970. */
interface ReadOrder {
	keys: readonly string[];
	at: number;
}

/** Knowledge of the process about the fields of a sheet, for one user. Each part has an age of its own. Reading renews no part. */
class FieldMemory implements ExpiringValue {
	readonly list = new AgingValue<Promise<LoadedList>>(maxFieldsAgeMinutes * minute);
	readonly readNames = new AgingValue<Promise<FieldList | NoFields>>(maxFieldsAgeMinutes * minute);
	readonly inferred = new AgingValue<Promise<InferredFields | undefined>>(
		maxFieldsAgeMinutes * minute,
	);
	/** Sources that refused the user. */
	readonly refusals: Readonly<Record<SourceName, AgingValue<true>>> = {
		schema: new AgingValue(maxRefusalAgeMinutes * minute),
		definition: new AgingValue(maxRefusalAgeMinutes * minute),
		records: new AgingValue(maxRefusalAgeMinutes * minute),
	};
	/** The source that answered last. */
	readonly answering = new AgingValue<SourceName>(maxAnsweringAgeMinutes * minute);
	/** Names of an earlier list. They are used while the service lists no fields. */
	names: KnownNames = {};
	/** The keys of the fields in the latest reads by name, in their orders. */
	readOrders: readonly ReadOrder[] = [];
	/** Number of fields of the last list. */
	fieldCount = 0;

	/** Frees the parts that are too old. Keeps the names, which are used while the service lists no fields. */
	dropExpired(): void {
		for (const part of [this.list, this.readNames, this.inferred]) part.get();
	}

	/** Drops the fields and their names, types and choices. Keeps the refusals of sources. */
	forgetFields(): void {
		for (const part of [this.list, this.readNames, this.inferred]) part.clear();
		this.names = {};
		this.readOrders = [];
		this.fieldCount = 0;
	}
}

/** Knowledge of a run about the fields of a sheet. Its parts are loaded once. */
export class RunMemory {
	/** A sheet without fields is only remembered by the run. */
	readonly list: SharedValue<LoadedList>;
	/** Fields by the names that reads give them. A failed read is only remembered by the run. */
	readonly readNames: SharedValue<FieldList | NoFields>;
	/** Undefined without records, which only the run remembers. */
	readonly inferred: SharedValue<InferredFields | undefined>;
	newestRecords?: Promise<readonly SheetRecord[]>;
	/** Whether the order of the keys in a read by name was compared. */
	isReadOrderNoted = false;
	/** The index with the keys of the fields in reads, and its source. */
	named?: { from: FieldIndex; index: FieldIndex };
	names?: Promise<KnownNames>;
	/** The index with the kinds of all fields, and its source. */
	typed?: { from: FieldIndex; index: FieldIndex };
	/** The same; undefined if the kinds could not be loaded the first time. */
	typedIfKnown?: Promise<FieldIndex | undefined>;
	/** Field ID and value of a condition → the kind by which the service compares them. */
	readonly comparedKinds = new Map<string, Promise<ValueKind>>();

	constructor(readonly ofProcess: FieldMemory) {
		this.list = new SharedValue(ofProcess.list, ({ index, isProvisional }) => {
			if (index.isEmpty) return 0;
			return isProvisional ? maxProvisionalAgeMinutes * minute : undefined;
		});
		this.readNames = new SharedValue(ofProcess.readNames, (list) =>
			typeof list === 'string' ? 0 : undefined,
		);
		this.inferred = new SharedValue(ofProcess.inferred, (inferred) => (inferred ? undefined : 0));
	}
}

const memoriesOfProcess = processCache<FieldMemory>('sheetFields');
const memoriesOfRuns = new CachePart<RunMemory>();

/** Returns the memory of the run about the fields of a sheet. It belongs to the user of the client. */
export function sheetMemory(client: Client, sheet: SheetAddress): RunMemory {
	const key = cacheKey(client, sheet);
	return getOrInsert(client.cache.part(memoriesOfRuns), key, () => {
		const ofProcess = memoriesOfProcess.get(key) ?? new FieldMemory();
		memoriesOfProcess.set(key, ofProcess);
		return new RunMemory(ofProcess);
	});
}

/**
 * Notes the number of fields of a list that was loaded. If the process then keeps too many fields, drops those of the sheets that
 * were used longest ago.
 */
export function noteFieldCount({ ofProcess }: RunMemory, fieldCount: number): void {
	ofProcess.fieldCount = fieldCount;
	let count = 0;
	for (const memory of memoriesOfProcess.values().reverse()) {
		count += memory.fieldCount;
		if (count > maxFieldsOfProcess && memory !== ofProcess) memory.forgetFields();
	}
}

/** Drops the inferred kinds and choices of all sheets. For tests. */
export function forgetInferredFields(): void {
	for (const { inferred } of memoriesOfProcess.values()) inferred.clear();
}
