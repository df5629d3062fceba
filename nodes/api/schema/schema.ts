import type { Client } from '../http/client';
import { cacheKey, CachePart } from '../http/runCache';
import { ServiceError, type FailureKind } from '../http/serviceError';
import { getOrInsert, getOrLoad } from '../json/objects';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import { subtableIdIn } from '../values/subtableKeys';
import type { FieldList } from './fieldLists';
import type { KnownNames } from './fieldNames';
import { findField, idInKey, isKeyOf, isSurelyFieldId, keyWithId, nameOf } from './fields';
import { systemFields, type Field } from './fields';
import { observedValues, type ObservedValues } from './inference';
import {
	forgetLists,
	forgetSources,
	lastKnownNames,
	loadFieldList,
	loadFields,
	loadNamedList,
	loadNames,
	loadNewestRecords,
} from './loadFields';
import { findSubtable, unknownSubtable } from './subtables';
import { kindIn, type FieldKinds, type ValueKind } from './valueKinds';

/** Time limit for loading names or kinds that a run can do without, in ms. */
const maxNamesMilliseconds = 30_000;

/** Failures after which a write would not reach the service either. */
const notReached: readonly FailureKind[] = ['unreachable', 'untrusted'];

/** Maximum time that a delivery waits for names, in ms. */
const maxDeliveryWaitMilliseconds = 2_000;

/** Age in ms from which a list is loaded again for names that are ignored if they are unknown: they may come in each run. */
const minAgeForIgnoredNames = 60_000;

const namesOfRuns = new CachePart<Promise<KnownNames>>();
const kindsOfRuns = new CachePart<Promise<FieldKinds>>();
const kindsIfKnownOfRuns = new CachePart<Promise<FieldKinds | undefined>>();

/**
 * The names, types and choices of the fields of a sheet. Each is loaded when it matters, once per run; runs share lists
 * for ten minutes (see `loadFields`). All methods throw ServiceError if the service is not reached.
 */
export class Schema {
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
	) {}

	/** Drops lists that other runs loaded more than `maxAge` ms ago, so that the next question loads them again. */
	forgetLists(maxAge = 0): void {
		forgetLists(this.client, this.sheet, maxAge);
	}

	/** Drops everything that is known, refusals of sources too: somebody may have changed rights a moment ago. */
	forgetAll(): void {
		this.forgetLists();
		forgetSources(this.client, this.sheet);
	}

	/** Returns the fields and subtables from the best source that lists them to the user, if any. */
	async list(): Promise<FieldList | undefined> {
		return await loadFieldList(this.client, this.sheet);
	}

	/** Returns the fields of the sheet and its subtables; none when no source returns them. */
	async fields(): Promise<readonly Field[]> {
		return (await this.list())?.fields ?? [];
	}

	/** Returns the same list with the names that reads give the fields, which are loaded where names are double or missing. */
	async namedList(): Promise<FieldList | undefined> {
		return await loadNamedList(this.client, this.sheet);
	}

	/** Returns the fields of the same list; none when no source returns them. */
	async namedFields(): Promise<readonly Field[]> {
		return (await this.namedList())?.fields ?? [];
	}

	/**
	 * Returns the field that a name or id stands for, maybe a system field. An id is taken as it is, unless its type matters, or
	 * it is so short that it may be a name. Throws InputError for an unknown or ambiguous name.
	 */
	async field(key: string, typeMatters = false, subtableId?: string): Promise<Field> {
		const id = key.trim();
		if (isSurelyFieldId(id) && !typeMatters) return { fieldId: id, name: id };
		const fields = await this.fields();
		const isOwn = fields.some((field) => field.name === key && field.subtableId === subtableId);
		const system = systemFields.find(
			(field) => field.fieldId === id || [field.name, keyWithId(field, [])].includes(key),
		);
		if (system && !isOwn && subtableId === undefined) return system;
		return await this.resolved([key], (known) => findField(known, key, subtableId));
	}

	/** Returns names and ids that a user gave as a list: a single one that is no field's name is several with commas between. */
	async fieldKeys(given: readonly string[]): Promise<string[]> {
		const isOne = given.length === 1;
		const isOpen = given.some((key) => key !== key.trim() || (isOne && key.includes(',')));
		if (!isOpen) return [...given];
		const fields = await this.namedFields();
		const isName = (key: string) =>
			fields.some((field) => [field.name, nameOf(field)].includes(key));
		const isSplit = isOne && !given.some((key) => isName(key) || isName(key.trim()));
		const keys = isSplit ? given.flatMap((key) => key.split(',')) : given;
		// White space around a name counts only where a field is called so.
		return keys.map((key) => (isName(key) ? key : key.trim())).filter((key) => key !== '');
	}

	/** Returns the field of a name or ID with the kind of its values. Throws as `field`. */
	async fieldWithKind(key: string): Promise<{ field: Field; kind: ValueKind }> {
		const field = await this.field(key, true);
		return { field, kind: kindIn(await this.kinds(), field) };
	}

	/**
	 * Returns what `resolve` makes of the fields. If it throws InputError, the list is loaded again, unless this run loaded
	 * it: a field may have been added a moment ago. The same if its result is not `isComplete` and the list is older than
	 * a minute. Throws InputError for a name among the `keys` if no source lists fields.
	 */
	async resolved<T>(
		keys: readonly string[],
		resolve: (fields: readonly Field[]) => T | Promise<T>,
		isComplete: (result: T) => boolean = () => true,
	): Promise<T> {
		const fields = await this.fields();
		const unknown = keys.find((key) => idInKey(key) === undefined);
		if (fields.length === 0 && unknown !== undefined) {
			throw new InputError(
				`The field '${unknown}' cannot be found by its name: the service does not show the names of this sheet's fields to this user`,
				'Use field IDs in place of names. The field settings of the sheet show them.',
			);
		}
		const resolveFirst = async () => await resolve(fields);
		const result = await resolveFirst().catch(async (error: unknown) => {
			if (!(error instanceof InputError)) throw error;
			this.forgetLists();
			const fresh = await this.namedFields();
			return await resolve(fresh.length > 0 ? fresh : fields);
		});
		if (isComplete(result)) return result;
		this.forgetLists(minAgeForIgnoredNames);
		const fresh = await this.fields();
		return fresh === fields ? result : await resolve(fresh);
	}

	/** Returns what a message calls the field that a user's key stands for; the key where its name is not known. Never fails. */
	async nameFor(key: string): Promise<string> {
		const own = await this.namedFields().catch(() => []);
		const field = [...own, ...systemFields].find(({ fieldId }) => fieldId === key.trim());
		return field ? nameOf(field) : key;
	}

	/** Returns the kinds of fields, loaded once per run. A type that no source lists is inferred from the newest records. */
	async kinds(): Promise<FieldKinds> {
		const { client, sheet } = this;
		return await getOrLoad(client.cache.part(kindsOfRuns), cacheKey(client, sheet), async () => {
			return (await loadFields(client, sheet)).kinds;
		});
	}

	/** Returns the same kinds; undefined if they could not be loaded when this run asked first. Throws ServiceError if the service is not reached. */
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

	/** Returns the choices that the newest records hold, by field ID, of selections whose choices no source lists. Costs no request after `kinds`. */
	async observedChoices(): Promise<ReadonlyMap<string, readonly string[]>> {
		return (await loadFields(this.client, this.sheet)).choices;
	}

	/** Returns the values of fields in the newest records, by field id; without fields that are empty in all. */
	async choices(fields: readonly Field[]): Promise<ReadonlyMap<string, ObservedValues>> {
		if (fields.length === 0) return new Map();
		return observedValues(await loadNewestRecords(this.client, this.sheet), fields);
	}

	/**
	 * Returns the names of fields, for records that come by IDs. A run keeps its first answer. Never fails: if the service
	 * lists no names within half a minute, they are as it last listed them, to this process or to an earlier one (`kept`).
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
	 * Returns the names of fields for a delivery, which must not wait for a busy service. Names that are known from before
	 * and suffice (`isComplete`) are used at once; else the delivery waits two seconds at most. The list goes on loading
	 * for the next delivery. Never fails.
	 */
	async namesAtOnce(
		kept: KnownNames,
		isComplete: (names: KnownNames) => boolean,
	): Promise<KnownNames> {
		const loading = this.names(kept);
		const milliseconds = isComplete(this.lastNames(kept)) ? 0 : maxDeliveryWaitMilliseconds;
		const isLoaded = new AbortController();
		const waiting = this.client.host.sleep(milliseconds, isLoaded.signal).catch(() => undefined);
		const waited = waiting.then(() => this.lastNames(kept));
		return await Promise.race([loading, waited]).finally(() => isLoaded.abort());
	}

	/** Throws InputError for a name that no field of the sheet or of its subtables has; where no source lists fields, none. */
	async requireField(key: string): Promise<void> {
		const fields = await this.fields();
		const isOfRows = fields.some((one) => one.subtableId !== undefined && isKeyOf(key, one));
		if (fields.length > 0 && !isOfRows) await this.field(key, true);
	}

	/**
	 * Returns the ID of the subtable that a user's key stands for, as `findSubtable`. An unknown name is looked for in a fresh
	 * list once. Throws InputError for an unknown and for an ambiguous name.
	 */
	async subtableId(key: string): Promise<string> {
		const given = subtableIdIn(key);
		if (given !== undefined) return given;
		const known = findSubtable(key, await this.list());
		if (known !== undefined) return known;
		this.forgetLists();
		const list = await this.list();
		const found = findSubtable(key, list);
		if (found !== undefined) return found;
		throw unknownSubtable(key, list);
	}

	/** Throws InputError for a subtable that no source lists. */
	async requireSubtable(subtableId: string): Promise<void> {
		const isIn = (list: FieldList) =>
			list.subtables.some((subtable) => subtable.subtableId === subtableId);
		const list = await this.list();
		if (list && isIn(list)) return;
		if (list) this.forgetLists();
		const fresh = await this.list();
		if (fresh && isIn(fresh)) return;
		throw new InputError(
			`The sheet has no subtable ${subtableId}`,
			'Pick the subtable from the list, or give its ID, e.g. 2000001.',
		);
	}

	/** Returns the names that this process loaded last, and for other fields those that were kept from an earlier process. */
	private lastNames(kept: KnownNames): KnownNames {
		return { ...kept, ...lastKnownNames(this.client, this.sheet) };
	}
}
