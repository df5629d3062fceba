import type { Client } from '../http/client';
import { eventLoopTurn } from '../http/eventLoop';
import { cacheKey, CachePart } from '../http/runCache';
import { ServiceError, type FailureKind } from '../http/serviceError';
import { getOrInsert, getOrLoad } from '../json/objects';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import { subtableIdIn } from '../values/subtableKeys';
import { kindOfEquality } from './kinds/equality';
import type { KnownNames } from './fieldNames';
import { FieldIndex, needsNames } from './fieldIndex';
import { idInKey, isFieldId, isSurelyFieldId, type Field } from './fields';
import { observedValues, type ObservedValues } from './sources/inference';
import {
	forgetLists,
	forgetSources,
	lastKnownNames,
	loadFieldList,
	loadFields,
	loadInferredFields,
	loadNamedList,
	loadNames,
	loadNewestRecords,
} from './sources/loadFields';
import { findSubtable, unknownSubtable } from './subtables';
import { kindIn, kindOf, type FieldKinds } from './kinds/valueKinds';
import type { ValueKind } from './kinds/valueKind';

/** Time limit for loading names or kinds that a run can do without, in ms. */
const maxNamesMilliseconds = 30_000;

/** Kinds of failures before the service is reached. They prevent a write, too. */
const notReached: readonly FailureKind[] = ['unreachable', 'untrusted'];

/** Maximum time that a delivery waits for names, in ms. */
const maxDeliveryWaitMilliseconds = 2_000;

/** Minimum age in ms of a list that is loaded again for unknown names that will be ignored. Such names may occur in every run. */
const minAgeForIgnoredNames = 60_000;

const namesOfRuns = new CachePart<Promise<KnownNames>>();
const kindsOfRuns = new CachePart<Promise<FieldKinds>>();
const kindsIfKnownOfRuns = new CachePart<Promise<FieldKinds | undefined>>();

/**
 * The names, kinds and choices of the fields of a sheet. They are loaded when needed, once per run, and runs share them for ten
 * minutes (see `loadFields`). Methods throw ServiceError if the service cannot be reached, unless they say otherwise.
 */
export class Schema {
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
	) {}

	/** Drops lists that other runs loaded more than `minAge` ms ago. The next call that needs a list loads it again. */
	forgetLists(minAge = 0): void {
		forgetLists(this.client, this.sheet, minAge);
	}

	/** Drops the lists that other runs loaded, and the refusals of sources, because permissions may have changed. */
	forgetListsAndRefusals(): void {
		this.forgetLists();
		forgetSources(this.client, this.sheet);
	}

	/** Returns the fields and subtables from the best source that lists them for the user; an empty index if no source does. */
	async index(): Promise<FieldIndex> {
		return await loadFieldList(this.client, this.sheet);
	}

	/** Returns the index with the keys of the fields in reads. They cost requests only if names are missing or not unique. */
	async namedIndex(): Promise<FieldIndex> {
		return await loadNamedList(this.client, this.sheet);
	}

	/**
	 * Returns the field with a name or ID: of the sheet itself (also a system field), or only of the subtable if `subtableId` is
	 * set. An ID costs no request, unless its type matters or it is short enough to be a name. Throws InputError for an unknown or
	 * ambiguous name.
	 */
	async field(key: string, typeMatters = false, subtableId?: string): Promise<Field> {
		const id = key.trim();
		if (isSurelyFieldId(id) && !typeMatters) return { fieldId: id, name: id };
		const scope = subtableId === undefined ? 'recordOrSystem' : { subtableId };
		const known = (await this.index()).resolve(key, scope);
		// A system field is found in every sheet, so no list of fields is needed.
		if (known.kind === 'found') return known.field;
		return await this.resolved([key], (index) => index.require(key, scope));
	}

	/**
	 * Returns the field with a name or ID for a condition. Throws as `field`, and InputError for a short ID that a complete list of
	 * fields lacks. Loads the kinds only if `kindMatters`; otherwise the kind is that of the type, if the field is listed with one.
	 */
	async comparedField(
		key: string,
		kindMatters: boolean,
	): Promise<{ field: Field; kind: ValueKind }> {
		const id = key.trim();
		const { field, kind } = kindMatters
			? await this.fieldWithKind(key)
			: await this.field(key).then((found) => ({ field: found, kind: kindOf(found) }));
		const isChecked = isFieldId(id) && !isSurelyFieldId(id);
		const isListed = (index: FieldIndex) => index.byId(field.fieldId) !== undefined;
		if (!isChecked || isListed(await this.index())) return { field, kind };
		this.forgetLists();
		const fresh = await this.index();
		if (fresh.isComplete && !isListed(fresh)) throw fresh.unknown(id, 'record');
		return { field, kind };
	}

	/** Returns field names and IDs of a user's list (see `FieldIndex.keysIn`). */
	async fieldKeys(entries: readonly string[]): Promise<string[]> {
		return needsNames(entries) ? (await this.namedIndex()).keysIn(entries) : [...entries];
	}

	/** Returns the field of a name or ID with the kind of its values. Throws as `field`. */
	async fieldWithKind(key: string): Promise<{ field: Field; kind: ValueKind }> {
		const field = await this.field(key, true);
		return { field, kind: kindIn(await this.kinds(), field) };
	}

	/**
	 * Returns the result of `resolve` for the fields. If `resolve` throws InputError, it is called again with `namedIndex`. If the
	 * result is not `isComplete` and the list is older than a minute, it is called again with a new list. A field may have been
	 * added a moment ago, so both load the list again, unless this run loaded it. Throws InputError for a name among the `keys` if
	 * no source lists fields.
	 */
	async resolved<T>(
		keys: readonly string[],
		resolve: (index: FieldIndex) => T | Promise<T>,
		isComplete: (result: T) => boolean = () => true,
	): Promise<T> {
		const index = await this.index();
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
			const fresh = await this.namedIndex();
			return await resolve(fresh.isEmpty ? index : fresh);
		});
		if (isComplete(result)) return result;
		this.forgetLists(minAgeForIgnoredNames);
		const fresh = await this.index();
		return fresh === index ? result : await resolve(fresh);
	}

	/** Returns the name for messages of the field with this ID. Returns the key itself if the name is unknown. Never throws. */
	async nameFor(key: string): Promise<string> {
		const index = await this.namedIndex().catch(() => new FieldIndex({}));
		return index.labelOf(key);
	}

	/** Returns the kinds of fields, loaded once per run. A type that no source lists is inferred from the newest records. */
	async kinds(): Promise<FieldKinds> {
		const { client, sheet } = this;
		return await getOrLoad(client.cache.part(kindsOfRuns), cacheKey(client, sheet), async () => {
			return (await loadFields(client, sheet)).kinds;
		});
	}

	/**
	 * Returns the kinds of fields; undefined if they could not be loaded the first time in this run. Throws ServiceError if the
	 * service cannot be reached.
	 */
	async kindsIfKnown(): Promise<FieldKinds | undefined> {
		const { client, sheet } = this;
		const key = cacheKey(client, sheet);
		return await getOrLoad(client.cache.part(kindsIfKnownOfRuns), key, async () => {
			const inTime = client.endingWith(AbortSignal.timeout(maxNamesMilliseconds));
			return await new Schema(inTime, sheet).kinds().catch((error: unknown) => {
				const isReached = !(error instanceof ServiceError) || !notReached.includes(error.kind);
				if (isReached) return undefined;
				throw error;
			});
		});
	}

	/**
	 * Returns the kind by which `eq` of the service compares a field with the value of a condition: the kind of its type if a
	 * source lists it, otherwise as the service itself shows (see `kindOfEquality`). Throws ServiceError.
	 */
	async kindOfEquality(
		{ fieldId, value }: { fieldId: string; value: string },
		field: Field | undefined,
	): Promise<ValueKind> {
		if (field?.type !== undefined) return kindOf(field);
		// Filters on fields of a subtable find nothing, so only the records can show their kind.
		if (field?.subtableId !== undefined) return kindIn(await this.kindsIfKnown(), field);
		return await kindOfEquality(this.client, this.sheet, fieldId, value);
	}

	/**
	 * Returns the kinds of fields for a delivery, which must not wait for a busy service; undefined if they are not known within
	 * two seconds. They continue to load for the next delivery. Never throws.
	 */
	async kindsAtOnce(): Promise<FieldKinds | undefined> {
		return await this.withinDelivery(
			this.kindsIfKnown().catch(() => undefined),
			() => undefined,
		);
	}

	/**
	 * Returns the choices in the newest records, by field ID, for selections whose choices no source lists, and the words of
	 * checkboxes, most frequent first. Loads the fields (see `loadFields`). Loads the newest records only if one of the keys stands
	 * for such a field, or if the type of any field is unknown. Throws ServiceError.
	 */
	async observedChoices(keys: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
		const index = await loadFields(this.client, this.sheet);
		const hasOpenChoices = (field: Field) =>
			kindOf(field).is('checkbox') || (kindOf(field).isSelection && !field.choices);
		const isOpen = keys.some((key) => index.listed(key, 'anywhere').some(hasOpenChoices));
		return isOpen ? (await loadInferredFields(this.client, this.sheet)).choices : index.choices;
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
		const { client, sheet } = this;
		return await getOrInsert(client.cache.part(namesOfRuns), cacheKey(client, sheet), async () => {
			const inTime = client.endingWith(AbortSignal.timeout(maxNamesMilliseconds));
			await loadNames(inTime, sheet).catch(() => undefined);
			return this.lastNames(kept);
		});
	}

	/**
	 * Returns the names of fields for a delivery, which must not wait for a busy service. If the known names suffice
	 * (`isComplete`), returns them immediately. Otherwise waits for at most two seconds. The list continues to load for the
	 * next delivery. Never throws.
	 */
	async namesAtOnce(
		kept: KnownNames,
		isComplete: (names: KnownNames) => boolean,
	): Promise<KnownNames> {
		const loading = this.names(kept);
		const isWaiting = !isComplete(this.lastNames(kept));
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
		const index = await this.index();
		const isOfRows = index.listed(key, 'rows').length > 0;
		if (!index.isEmpty && !isOfRows) await this.field(key, true);
	}

	/**
	 * Returns the ID of the subtable with a name or ID (see `findSubtable`). For an unknown name, the list is loaded again
	 * once. Throws InputError for an unknown or ambiguous name.
	 */
	async subtableId(key: string): Promise<string> {
		const enteredId = subtableIdIn(key);
		if (enteredId !== undefined) return enteredId;
		const known = findSubtable(key, (await this.index()).subtables);
		if (known !== undefined) return known;
		this.forgetLists();
		const { subtables } = await this.index();
		const found = findSubtable(key, subtables);
		if (found !== undefined) return found;
		throw unknownSubtable(key, subtables);
	}

	/** Returns the name of a subtable for a message; undefined if it is not known or cannot be loaded. Never throws. */
	async subtableName(subtableId: string): Promise<string | undefined> {
		const index = await this.index().catch(() => undefined);
		return index?.subtables.find((subtable) => subtable.subtableId === subtableId)?.name;
	}

	/** Throws InputError if the list, loaded again if needed, lacks the subtable, or if no source lists anything. */
	async requireSubtable(subtableId: string): Promise<void> {
		const isIn = ({ subtables }: FieldIndex) =>
			subtables.some((subtable) => subtable.subtableId === subtableId);
		const index = await this.index();
		if (isIn(index)) return;
		if (!index.isEmpty) this.forgetLists();
		if (isIn(await this.index())) return;
		throw new InputError(
			`The sheet has no subtable ${subtableId}`,
			'Pick the subtable from the list, or give its ID, e.g. 2000001.',
		);
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
