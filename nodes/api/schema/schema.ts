import type { Client } from '../http/client';
import { processCache } from '../http/processState';
import { cached, cacheKey, type CachePart } from '../http/runCache';
import { fallbackTo, refusals, ServiceError, type FailureKind } from '../http/serviceError';
import { getOrInsert, getOrLoad } from '../json/objects';
import { readOptionsBy } from '../read/readOptions';
import type { SheetRecord } from '../read/record';
import { listPage, newestFirst, recordsIn } from '../read/records';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import type { FieldList } from './fieldLists';
import { haveOddNames, knownNames, withReadNames, type KnownNames } from './fieldNames';
import { findField, idInKey, isKeyOf, isSurelyFieldId, keyWithId, nameOf } from './fields';
import { systemFields, type Field } from './fields';
import { inferredKinds, observedValues, type ObservedValues } from './inference';
import { fieldsByDefinition, fieldsByRecords, fieldsBySchema } from './sources';
import { kindIn, kindOf, type FieldKinds, type ValueKind } from './valueKinds';

/** Maximum time for loading names or kinds that a write can do without, in ms. */
const maxWaitMilliseconds = 30_000;

/** Failures after which a write would not reach the service either. */
const notReached: readonly FailureKind[] = ['unreachable', 'untrusted'];

/** Enough records to meet most fields with a value, and the choices that are in use. */
const recordsToInfer = 200;

/** What fields hold, with the kinds that this suggests. */
interface ShownByRecords {
	records: readonly SheetRecord[];
	kinds: FieldKinds;
}

const fieldLists = processCache<Promise<FieldList | undefined>>('fieldLists');
const readNames = processCache<Promise<FieldList | undefined>>('readNames');
const lastNames = processCache<KnownNames>('lastNames');
const names: CachePart<Promise<KnownNames>> = { name: 'names' };
const newestRecords: CachePart<Promise<ShownByRecords>> = { name: 'newestRecords' };
const fieldKinds: CachePart<Promise<FieldKinds>> = { name: 'fieldKinds' };
const kindsIfKnown: CachePart<Promise<FieldKinds | undefined>> = { name: 'kindsIfKnown' };

/**
 * What the fields of a sheet are called, of what type they are and which choices they have. Each is asked for when it
 * matters, once for a run; runs share lists for a minute. All methods throw ServiceError when the service is not reached.
 */
export class Schema {
	private readonly key: string;

	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
	) {
		this.key = cacheKey(client, sheet);
	}

	/** Returns the fields and subtables from the best source that the user may ask, if any; `refresh` asks although another run just has. */
	async list(refresh = false): Promise<FieldList | undefined> {
		const { client, sheet, key } = this;
		if (refresh) readNames.delete(key);
		const ask = async () =>
			(await fieldsBySchema(client, sheet)) ??
			(await fieldsByDefinition(client, sheet)) ??
			(await this.listAsRead());
		return await cached(client, fieldLists, key, ask, refresh);
	}

	/** Returns the fields of the sheet and its subtables; none when no source returns them. */
	async fields(): Promise<readonly Field[]> {
		return (await this.list())?.fields ?? [];
	}

	/** Returns the same list with the names that reads give the fields, which are asked for where names are double or missing. */
	async namedList(refresh = false): Promise<FieldList | undefined> {
		const list = await this.list(refresh);
		if (!list || !haveOddNames(list.fields)) return list;
		const asRead = await this.listAsRead().catch(fallbackTo(undefined));
		return { ...list, fields: withReadNames(list.fields, asRead?.fields) };
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
	 * Returns what `resolve` makes of the fields; where it throws InputError, of those that are asked for again: one may have
	 * been added a moment ago. Throws InputError for a name among its `keys` when there are no fields.
	 */
	async resolved<T>(
		keys: readonly string[],
		resolve: (fields: readonly Field[]) => T | Promise<T>,
	): Promise<T> {
		const fields = await this.fields();
		const unknown = keys.find((key) => idInKey(key) === undefined);
		if (fields.length === 0 && unknown !== undefined) {
			throw new InputError(
				`The field '${unknown}' cannot be found by its name: the service does not show the names of this sheet's fields to this user`,
				'Use field IDs in place of names. The field settings of the sheet show them.',
			);
		}
		const first = async () => await resolve(fields);
		return await first().catch(async (error: unknown) => {
			if (!(error instanceof InputError)) throw error;
			const fresh = await this.namedList(true);
			return await resolve(fresh?.fields ?? fields);
		});
	}

	/** Returns what a message calls the field that a user's key stands for; the key where its name is not known. Never fails. */
	async nameFor(key: string): Promise<string> {
		const own = await this.namedFields().catch(() => []);
		const field = [...own, ...systemFields].find(({ fieldId }) => fieldId === key.trim());
		return field ? nameOf(field) : key;
	}

	/** Returns the kinds of fields, loaded once per run. A type that no source lists is inferred from the newest records. */
	async kinds(): Promise<FieldKinds> {
		return await getOrLoad(this.client.cache.part(fieldKinds), this.key, async () => {
			const fields = await this.fields();
			const typed = fields.filter(({ type }) => type !== undefined);
			const kinds = typed.map((field) => [field.fieldId, kindOf(field)] as const);
			const isComplete = fields.length > 0 && typed.length === fields.length;
			return new Map([...(isComplete ? [] : (await this.newest()).kinds), ...kinds]);
		});
	}

	/** Returns the same kinds; undefined if they could not be loaded when this run asked first. Throws ServiceError if the service is not reached. */
	async kindsIfKnown(): Promise<FieldKinds | undefined> {
		const { client, sheet, key } = this;
		return await getOrLoad(client.cache.part(kindsIfKnown), key, async () => {
			const inTime = client.endingWith(AbortSignal.timeout(maxWaitMilliseconds));
			return await new Schema(inTime, sheet).kinds().catch((error: unknown) => {
				const isReached = !(error instanceof ServiceError) || !notReached.includes(error.kind);
				if (isReached) return undefined;
				throw error;
			});
		});
	}

	/** Returns the values of fields in the newest records, by field id; without fields that are empty in all. */
	async choices(fields: readonly Field[]): Promise<ReadonlyMap<string, ObservedValues>> {
		return fields.length === 0 ? new Map() : observedValues((await this.newest()).records, fields);
	}

	/**
	 * Returns what the fields are called, for records that come by ids. A run keeps to its first answer. Never fails: names that
	 * the service does not return now are as it last returned them, to this process or to an earlier one (`kept`).
	 */
	async names(kept: KnownNames = {}): Promise<KnownNames> {
		const { client, sheet, key } = this;
		return await getOrInsert(client.cache.part(names), key, async () => {
			const inTime = client.endingWith(AbortSignal.timeout(maxWaitMilliseconds));
			const schema = new Schema(inTime, sheet);
			const list = await schema.namedList().catch(() => undefined);
			const known = { ...kept, ...lastNames.get(key), ...knownNames(list?.fields ?? []) };
			lastNames.set(key, known);
			return known;
		});
	}

	/** Throws InputError for a name that no field of the sheet or of its subtables has; where no source lists fields, none. */
	async requireField(key: string): Promise<void> {
		const fields = await this.fields();
		const isOfRows = fields.some((one) => one.subtableId !== undefined && isKeyOf(key, one));
		if (fields.length > 0 && !isOfRows) await this.field(key, true);
	}

	/** Throws InputError for a subtable that no source lists. */
	async requireSubtable(subtableId: string): Promise<void> {
		const { subtables = [] } = (await this.list()) ?? {};
		if (subtables.some((subtable) => subtable.subtableId === subtableId)) return;
		throw new InputError(
			`The sheet has no subtable ${subtableId}`,
			'Pick the subtable from the list, or give its ID, e.g. 2000001.',
		);
	}

	private async listAsRead(): Promise<FieldList | undefined> {
		const { client, sheet, key } = this;
		return await cached(client, readNames, key, async () => await fieldsByRecords(client, sheet));
	}

	/** Returns the newest records with the types that they show, as this run read them first; none where they may not be read. */
	private async newest(): Promise<ShownByRecords> {
		const { client, sheet, key } = this;
		return await getOrLoad(client.cache.part(newestRecords), key, async () => {
			const request = { sheet, where: [], reading: readOptionsBy('EID'), order: [newestFirst] };
			const page = listPage(client, request, { offset: 0, limit: recordsToInfer }, recordsIn);
			const records = await page.catch(fallbackTo([], ...refusals));
			return { records, kinds: inferredKinds(records) };
		});
	}
}
