import type { Client } from '../http/client';
import { eventLoopTurn } from '../http/eventLoop';
import { ServiceError, type FailureKind } from '../http/serviceError';
import { hasTimeOfDay } from '../values/dates';
import { InputError, ValueError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import { subtableIdIn } from '../values/subtableKeys';
import { FieldIndex, needsNames, type FieldScope } from './fieldIndex';
import type { KnownNames } from './fieldNames';
import { idInKey, isFieldId, isSurelyFieldId, type Field } from './fields';
import { kindOfEquality } from './kinds/equality';
import { kindOf } from './kinds/valueKinds';
import type { ValueKind } from './kinds/valueKind';
import { observedValues, type ObservedValues } from './sources/inference';
import {
	forgetLists,
	forgetSources,
	kindsWithTimes,
	lastKnownNames,
	loadFieldList,
	loadInferredFields,
	loadNamedList,
	loadNames,
	loadNewestRecords,
	loadTypedList,
} from './sources/loadFields';
import { noteReadOrder } from './sources/readOrder';
import { sheetMemory, type RunMemory } from './sources/sheetMemory';
import { findSubtable, missingSubtable, unknownSubtable } from './subtables';

/** Time limit for loading names or kinds that a run can do without, in ms. */
const maxNamesMilliseconds = 30_000;

/** Kinds of failures before the service is reached. They prevent a write, too. */
const notReached: readonly FailureKind[] = ['unreachable', 'untrusted'];

/** Maximum time that a delivery waits for names, in ms. */
const maxDeliveryWaitMilliseconds = 2_000;

/** Minimum age in ms of a list that is loaded again for unknown fields that may occur in every run or delivery. */
const minAgeForUnknownNames = 60_000;

/** Knowledge about the fields of a sheet that a caller needs, besides their IDs, names and types. Each part may cost requests. */
export interface Needs {
	/** The keys of the fields in reads. They cost requests only if names are missing or not unique. */
	readNames?: boolean;
	/** The kinds of all fields. A type that no source lists is inferred from the newest records. */
	kinds?: boolean;
	/**
	 * The choices that the newest records contain, for the fields with these keys that are selections without listed choices, or
	 * checkboxes. Includes the kinds.
	 */
	choicesOf?: readonly string[];
	/**
	 * The kinds that the newest records show, for the fields with these keys that have the type of a date without a time: a service may
	 * have one type for both. Includes the kinds.
	 */
	timesOf?: readonly string[];
}

/**
 * The only place that sends requests for the fields of a sheet. It decides which source is asked, when a list is too old, when it
 * is loaded once more because a field may have been added, and how long anybody waits. Each part is loaded when it is needed first,
 * once per run. Runs share the parts for ten minutes. Methods throw ServiceError if the service cannot be reached, unless they say
 * otherwise.
 */
export class SheetFields {
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
	) {}

	/** Returns the index of the fields with all parts that are needed; an empty index if no source lists fields. */
	async load({ readNames = false, ...needs }: Needs = {}): Promise<FieldIndex> {
		const { client, sheet } = this;
		const named = readNames ? await loadNamedList(client, sheet) : undefined;
		const needsKinds = Object.values(needs).some(Boolean);
		if (!needsKinds) return named ?? (await loadFieldList(client, sheet));
		const typed = await this.typedIndex(needs);
		return named ? named.with({ kinds: typed.kinds, choices: typed.choices }) : typed;
	}

	/** Returns the index with the kinds, and with what the newest records show of the fields with these keys. */
	private async typedIndex({ choicesOf, timesOf }: Needs): Promise<FieldIndex> {
		const { client, sheet } = this;
		const index = await loadTypedList(client, sheet);
		const isAnyOf = (keys: readonly string[] = [], isOpen: (field: Field) => boolean) =>
			keys.some((key) => index.listed(key, 'anywhere').some(isOpen));
		const hasOpenChoices = (field: Field) =>
			kindOf(field).is('checkbox') || (kindOf(field).isSelection && !field.choices);
		const needsChoices = isAnyOf(choicesOf, hasOpenChoices);
		const needsTimes = isAnyOf(timesOf, (field) => kindOf(field).is('date'));
		if (!needsChoices && !needsTimes) return index;
		const inferred = await loadInferredFields(client, sheet);
		return index.with({
			choices: needsChoices ? inferred.choices : index.choices,
			kinds: needsTimes ? kindsWithTimes(index, inferred.kinds) : index.kinds,
		});
	}

	/**
	 * Returns the index with the kinds; undefined if they could not be loaded the first time in this run. Throws ServiceError if the
	 * service cannot be reached.
	 */
	async loadKindsIfKnown(): Promise<FieldIndex | undefined> {
		return await (this.memory.typedIfKnown ??= this.kindsInTime());
	}

	/**
	 * Returns the index with the kinds for a delivery, which must not wait for a busy service; undefined if they are not known within
	 * two seconds. They continue to load for the next delivery. Never throws.
	 */
	async loadKindsAtOnce(): Promise<FieldIndex | undefined> {
		return await this.withinDelivery(
			this.loadKindsIfKnown().catch(() => undefined),
			() => undefined,
		);
	}

	/**
	 * Calls `derive` and returns its result. If `isOutdated` returns true for it, for example because records that were just read
	 * contradict the list, drops the lists that other runs loaded, and calls `derive` again.
	 */
	async renewedIf<T>(
		isOutdated: (derived: T) => boolean | Promise<boolean>,
		derive: () => Promise<T>,
	): Promise<T> {
		const derived = await derive();
		if (!(await isOutdated(derived))) return derived;
		this.forgetLists();
		return await derive();
	}

	/**
	 * Calls `use` and returns its result. If it throws ValueError, drops the lists, kinds and choices that other runs loaded, and calls
	 * it once more: the user may have changed the sheet, as the error advises.
	 */
	async withNewest<T>(use: () => Promise<T>): Promise<T> {
		return await use().catch(async (error: unknown) => {
			if (!(error instanceof ValueError)) throw error;
			this.forgetLists();
			return await use();
		});
	}

	/**
	 * Returns the list of fields for these keys. Loads it again if it lacks a short number among them: it may be the name of a field
	 * that was added after another run loaded the list. Throws ServiceError.
	 */
	async loadForNumbers(keys: readonly string[]): Promise<FieldIndex> {
		const numbers = keys.filter((key) => isFieldId(key.trim()) && !isSurelyFieldId(key.trim()));
		const isUnlisted = (index: FieldIndex, key: string) =>
			index.listed(key, 'anywhere').length === 0 && index.byId(key) === undefined;
		return await this.renewedIf(
			(index) => !index.isEmpty && numbers.some((key) => isUnlisted(index, key)),
			async () => await this.load(),
		);
	}

	/** Drops lists that other runs loaded more than `minAge` ms ago. The next call that needs a list loads it again. */
	forgetLists(minAge = 0): void {
		forgetLists(this.client, this.sheet, minAge);
	}

	/**
	 * Notes the keys of a record that was read by name with all its fields. If their order changed, drops lists that other runs loaded:
	 * when two fields swap their names, no name is unknown, and a value would be written to the wrong field. Returns whether it
	 * changed. Never throws.
	 */
	async noteReadOrder(keys: readonly string[]): Promise<boolean> {
		const isOther = await noteReadOrder(this.client, this.sheet, keys);
		if (isOther) this.forgetLists();
		return isOther;
	}

	/** Drops the lists that other runs loaded, and the refusals of sources, because permissions may have changed. */
	forgetListsAndRefusals(): void {
		this.forgetLists();
		forgetSources(this.client, this.sheet);
	}

	/**
	 * Returns the field with a name or ID: of the sheet itself (also a system field), or only of the subtable if `subtableId` is
	 * set. An ID costs no request, unless its type matters or it is short enough to be a name. Throws InputError for an unknown or
	 * ambiguous name.
	 */
	async field(key: string, typeMatters = false, subtableId?: string): Promise<Field> {
		const id = key.trim();
		if (isSurelyFieldId(id) && !typeMatters) return { fieldId: id, name: id };
		const scope: FieldScope = subtableId === undefined ? 'recordOrSystem' : { subtableId };
		const known = (await this.loadForNumbers([key])).resolve(key, scope);
		// A system field is found in every sheet, so no list of fields is needed.
		if (known.kind === 'found') return known.field;
		return await this.resolved([key], (index) => index.require(key, scope));
	}

	/**
	 * Returns the field with a name or ID for a condition, an order or a match. Throws as `field`, and InputError for a short ID that a
	 * complete list of fields lacks.
	 */
	async comparedField(key: string): Promise<Field> {
		const id = key.trim();
		const field = await this.field(key);
		if (!isFieldId(id) || isSurelyFieldId(id)) return field;
		const index = await this.load();
		const isMissing = index.byId(field.fieldId) === undefined;
		if (index.isComplete && isMissing) throw index.unknown(id, 'record');
		return field;
	}

	/** Returns field names and IDs of a user's list (see `FieldIndex.keysIn`). */
	async fieldKeys(entries: readonly string[]): Promise<string[]> {
		return needsNames(entries)
			? (await this.load({ readNames: true })).keysIn(entries)
			: [...entries];
	}

	/** Returns the field of a name or ID with the kind of its values, for a value to write or to compare. Throws as `field`. */
	async fieldWithKind(key: string, value?: unknown): Promise<{ field: Field; kind: ValueKind }> {
		const field = await this.field(key, true);
		const timesOf = [value].flat().some(hasTimeOfDay) ? [key] : [];
		return { field, kind: (await this.load({ kinds: true, timesOf })).kindOf(field) };
	}

	/**
	 * Returns the result of `resolve` for the fields. If `resolve` throws InputError, it is called again with the keys of the fields
	 * in reads. If the result is not `isComplete` and the list is older than a minute, it is called again with a new list. A field may
	 * have been added a moment ago, so both load the list again, unless this run loaded it. Throws InputError for a name among the
	 * `keys` if no source lists fields.
	 */
	async resolved<T>(
		keys: readonly string[],
		resolve: (index: FieldIndex) => T | Promise<T>,
		isComplete: (result: T) => boolean = () => true,
	): Promise<T> {
		const index = await this.loadForNumbers(keys);
		const unknown = keys.find((key) => idInKey(key) === undefined);
		if (index.isEmpty && unknown !== undefined) {
			throw new InputError(
				`The field '${unknown}' cannot be found by its name: the service does not show the names of this sheet's fields to this user`,
				'Use field IDs in place of names. The field settings of the sheet show them.',
			);
		}
		const resolveFirst = async () => await resolve(index);
		const result = await resolveFirst().catch(async (error: unknown) => {
			if (!(error instanceof InputError)) throw error;
			this.forgetLists();
			const fresh = await this.load({ readNames: true });
			return await resolve(fresh.isEmpty ? index : fresh);
		});
		if (isComplete(result)) return result;
		this.forgetLists(minAgeForUnknownNames);
		const fresh = await this.load();
		return fresh === index ? result : await resolve(fresh);
	}

	/** Returns the name for messages of the field with this ID. Returns the key itself if the name is unknown. Never throws. */
	async nameFor(key: string): Promise<string> {
		const index = await this.load({ readNames: true }).catch(() => new FieldIndex({}));
		return index.labelOf(key);
	}

	/** Returns the error for a match field that is masked or missing in the stored records. Never throws. */
	async hiddenMatchField(fieldId: string): Promise<InputError> {
		return new InputError(
			`The service does not show the field '${await this.nameFor(fieldId)}' to this user, so it cannot be used to match records`,
			'Match on another field, or use a credential whose user may see this one.',
		);
	}

	/**
	 * Returns the kind by which `eq` of the service compares a field with the value of a condition: the kind of its type if a
	 * source lists it, otherwise as the service itself shows (see `kindOfEquality`). Throws ServiceError.
	 */
	async kindOfEquality(
		condition: { fieldId: string; value: string },
		field: Field | undefined,
	): Promise<ValueKind> {
		if (field?.type !== undefined) return kindOf(field);
		// Filters on fields of a subtable find nothing, so only the records can show their kind.
		if (field?.subtableId !== undefined) {
			return (await this.loadKindsIfKnown())?.kindOf(field) ?? kindOf(field);
		}
		return await kindOfEquality(this.client, this.sheet, condition.fieldId, condition.value);
	}

	/** Returns the values of fields in the newest records, by field ID. Fields that are empty in all records are left out. */
	async observedValues(fields: readonly Field[]): Promise<ReadonlyMap<string, ObservedValues>> {
		if (fields.length === 0) return new Map();
		return observedValues(await loadNewestRecords(this.client, this.sheet), fields);
	}

	/**
	 * Returns the names of fields, for records with IDs as keys. They are loaded once per run. Never throws: if the service
	 * lists no names within half a minute, returns the last names of this process, or of an earlier one (`kept`).
	 */
	async names(kept: KnownNames = {}): Promise<KnownNames> {
		return await (this.memory.names ??= this.namesInTime(kept));
	}

	/**
	 * Returns the names of fields for a delivery, which must not wait for a busy service. If the known names suffice
	 * (`isComplete`), returns them immediately. Otherwise waits for at most two seconds for a new list, because a field may be new;
	 * at most once per minute. The list continues to load for the next delivery. Never throws.
	 */
	async namesAtOnce(
		kept: KnownNames,
		isComplete: (names: KnownNames) => Promise<boolean>,
	): Promise<KnownNames> {
		const isWaiting = !(await isComplete(this.lastNames(kept)));
		if (isWaiting) this.forgetLists(minAgeForUnknownNames);
		const loading = this.names(kept);
		const milliseconds = isWaiting ? maxDeliveryWaitMilliseconds : 0;
		const names = await this.withinDelivery(loading, () => this.lastNames(kept), milliseconds);
		// Many deliveries may have waited for the same list. Their work must not block the event loop together.
		if (isWaiting) await eventLoopTurn();
		return names;
	}

	/**
	 * Throws InputError if no field of the sheet or its subtables has this name, or if several fields of the sheet itself have it.
	 * Accepts any name if no source lists fields.
	 */
	async requireField(key: string): Promise<void> {
		const index = await this.load();
		if (index.isEmpty || index.isOfRows(key)) return;
		await this.field(key, true).catch(async (error: unknown) => {
			if (!(await this.load({ readNames: true })).isOfRows(key)) throw error;
		});
	}

	/**
	 * Returns the ID of the subtable with a name or ID (see `findSubtable`). For an unknown name, the list is loaded again
	 * once. Throws InputError for an unknown or ambiguous name.
	 */
	async subtableId(key: string): Promise<string> {
		const enteredId = subtableIdIn(key);
		if (enteredId !== undefined) return enteredId;
		const isUnknown = (index: FieldIndex) => findSubtable(key, index.subtables) === undefined;
		const { subtables } = await this.renewedIf(isUnknown, async () => await this.load());
		const found = findSubtable(key, subtables);
		if (found !== undefined) return found;
		throw unknownSubtable(key, subtables);
	}

	/** Returns the name of a subtable for a message; undefined if it is not known or cannot be loaded. Never throws. */
	async subtableName(subtableId: string): Promise<string | undefined> {
		const index = await this.load().catch(() => undefined);
		return index?.subtables.find((subtable) => subtable.subtableId === subtableId)?.name;
	}

	/**
	 * Returns whether the list, loaded again if needed, has the subtable. Returns undefined if a list from records lacks it, because
	 * it may have no rows in these records.
	 */
	async hasSubtable(subtableId: string): Promise<boolean | undefined> {
		const isMissing = ({ subtables }: FieldIndex) =>
			!subtables.some((subtable) => subtable.subtableId === subtableId);
		const isOutdated = (index: FieldIndex) => !index.isEmpty && isMissing(index);
		const index = await this.renewedIf(isOutdated, async () => await this.load());
		if (!isMissing(index)) return true;
		return index.isComplete || index.isEmpty ? false : undefined;
	}

	/** Throws InputError if the list, loaded again if needed, lacks the subtable, or if no source lists anything. */
	async requireSubtable(subtableId: string): Promise<void> {
		if (await this.hasSubtable(subtableId)) return;
		throw missingSubtable(subtableId, (await this.load()).subtables);
	}

	private get memory(): RunMemory {
		return sheetMemory(this.client, this.sheet);
	}

	/** Returns the index with the kinds; undefined if the service fails, or does not answer in time. */
	private async kindsInTime(): Promise<FieldIndex | undefined> {
		const inTime = this.client.endingWith(AbortSignal.timeout(maxNamesMilliseconds));
		return await loadTypedList(inTime, this.sheet).catch((error: unknown) => {
			const isReached = !(error instanceof ServiceError) || !notReached.includes(error.kind);
			if (isReached) return undefined;
			this.memory.typedIfKnown = undefined;
			throw error;
		});
	}

	private async namesInTime(kept: KnownNames): Promise<KnownNames> {
		const inTime = this.client.endingWith(AbortSignal.timeout(maxNamesMilliseconds));
		await loadNames(inTime, this.sheet).catch(() => undefined);
		return this.lastNames(kept);
	}

	/** Returns a value that is loading. Returns `otherwise()` if it is not loaded in the time that a delivery may wait. */
	private async withinDelivery<T>(
		loading: Promise<T>,
		otherwise: () => T,
		milliseconds = maxDeliveryWaitMilliseconds,
	): Promise<T> {
		const stopWaiting = new AbortController();
		const waiting = this.client.host.sleep(milliseconds, stopWaiting.signal).catch(() => undefined);
		const waited = waiting.then(otherwise);
		return await Promise.race([loading, waited]).finally(() => stopWaiting.abort());
	}

	/** Returns the names that this process loaded last, supplemented by names of an earlier process. */
	private lastNames(kept: KnownNames): KnownNames {
		return { ...kept, ...lastKnownNames(this.client, this.sheet) };
	}
}
