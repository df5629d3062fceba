import type { Client } from '../http/client';
import { processCache } from '../http/processState';
import { cached, cacheKey, type CachePart } from '../http/runCache';
import { fallbackTo, refusals } from '../http/serviceError';
import { getOrInsert, getOrLoad } from '../json/objects';
import { readOptionsBy } from '../read/readOptions';
import type { SheetRecord } from '../read/record';
import { listPage, newestFirst, recordsIn } from '../read/records';
import { isDateLike } from '../values/dates';
import { InputError } from '../values/inputError';
import type { SheetAddress } from '../values/sheetAddress';
import type { FieldList } from './fieldLists';
import { FieldNames, haveOddNames, knownNames, withReadNames, type KnownNames } from './fieldNames';
import {
	findField,
	idInKey,
	isKeyOf,
	isSurelyFieldId,
	keyWithId,
	nameOf,
	systemFields,
	type Field,
} from './fields';
import {
	inferredTypes,
	observedValues,
	type ObservedValues,
	type InferredType,
} from './fieldTypes';
import { fieldsByDefinition, fieldsByRecords, fieldsBySchema } from './sources';

/** In milliseconds: whatever needs the names is finished otherwise, and goes on without them. */
const longestWaitForNames = 30_000;

/** Enough records to meet most fields with a value, and the choices that are in use. */
const recordsToInfer = 200;

type Types = ReadonlyMap<string, InferredType>;

/** What fields hold, with the types that this suggests. */
interface ShownByRecords {
	records: readonly SheetRecord[];
	types: Types;
}

const fieldLists = processCache<Promise<FieldList | undefined>>('fieldLists');
const readNames = processCache<Promise<FieldList | undefined>>('readNames');
const lastNames = processCache<KnownNames>('lastNames');
const names: CachePart<Promise<FieldNames>> = { name: 'names' };
const newestRecords: CachePart<Promise<ShownByRecords>> = { name: 'newestRecords' };

/**
 * What the fields of a sheet are called, of what type they are and which choices they have. Each is asked for only
 * when it matters, once for a run; runs share for a minute what is not inferred for one of them. All methods throw
 * ServiceError when the service is not reached or does not know the user.
 */
export class Schema {
	private readonly key: string;

	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
	) {
		this.key = cacheKey(client, sheet);
	}

	/**
	 * Returns the fields and subtables from the best source that the user may ask: the schema, the definition, or
	 * records. Undefined when none returns them.
	 *
	 * @param refresh asks although another run has just asked
	 */
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
	async fields(refresh = false): Promise<readonly Field[]> {
		return (await this.list(refresh))?.fields ?? [];
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
	 * Returns the field that a name or id stands for, system fields included unless a field of the sheet has the
	 * name. An id is taken as it is, unless its type matters, or it is so short a number that it may be a name.
	 *
	 * @throws InputError for an unknown or ambiguous name
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

	/**
	 * Returns the names and ids in what a user gave as a list. A single text that is no field's name is several with
	 * commas between. White space around a name counts only where a field is called so.
	 */
	async fieldKeys(given: readonly string[]): Promise<string[]> {
		const isOne = given.length === 1;
		const isOpen = given.some((key) => key !== key.trim() || (isOne && key.includes(',')));
		if (!isOpen) return [...given];
		const fields = await this.namedFields();
		const isName = (key: string) =>
			fields.some((field) => [field.name, nameOf(field)].includes(key));
		const isSplit = isOne && !given.some((key) => isName(key) || isName(key.trim()));
		const keys = isSplit ? given.flatMap((key) => key.split(',')) : given;
		return keys.map((key) => (isName(key) ? key : key.trim())).filter((key) => key !== '');
	}

	/**
	 * Returns the field with which values are written or compared: its type is asked for when one of them reads
	 * like a date, or is true or false, since only then does it matter. Throws InputError as `field`.
	 */
	async fieldFor(key: string, ...values: readonly unknown[]): Promise<Field> {
		const mayBeDate = values.some(isDateLike);
		const mayBeSwitch = values.some((value) => typeof value === 'boolean');
		const found = await this.field(key, mayBeDate || mayBeSwitch);
		if (!mayBeDate) return found;
		return { ...found, type: found.type ?? (await this.inferredTypes()).get(found.fieldId) };
	}

	/**
	 * Returns what `resolve` makes of the fields. When it fails, once more with fields that are asked for again:
	 * one may have been added a moment ago.
	 *
	 * @param keys what `resolve` has to find; with no fields it gets along when an id stands in each of them
	 * @throws what `resolve` throws on the new fields; InputError when there are none for a name
	 */
	async resolved<T>(
		keys: readonly string[],
		resolve: (fields: readonly Field[]) => T | Promise<T>,
	): Promise<T> {
		const fields = await this.fields();
		const unknown = keys.find((key) => idInKey(key) === undefined);
		if (fields.length === 0 && unknown !== undefined) throw unknownNames(unknown);
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

	/** Returns types by field id, inferred from the newest records where the service does not return all types. */
	async inferredTypes(): Promise<Types> {
		const fields = await this.fields();
		if (fields.length > 0 && fields.every(({ type }) => type !== undefined)) return new Map();
		return (await this.newest()).types;
	}

	/** Returns types by field id, from wherever they are known; undefined for a field of another type. */
	async types(): Promise<ReadonlyMap<string, string | undefined>> {
		const listed = (await this.fields()).map(({ fieldId, type }) => [fieldId, type] as const);
		return new Map([...listed, ...(await this.inferredTypes())]);
	}

	/** Returns the values of fields in the newest records, by field id; without fields that are empty in all. */
	async choices(fields: readonly Field[]): Promise<ReadonlyMap<string, ObservedValues>> {
		if (fields.length === 0) return new Map();
		const { records } = await this.newest();
		return observedValues(
			records,
			fields.map(({ fieldId }) => fieldId),
		);
	}

	/**
	 * Returns what the fields are called, for records that come by ids. A run keeps to its first answer, so that its
	 * items have the same keys. Never fails: names that the service does not return now are as it last returned them.
	 *
	 * @param kept names from an earlier process
	 */
	async names(kept: KnownNames = {}): Promise<FieldNames> {
		const { client, sheet, key } = this;
		return await getOrInsert(client.cache.part(names), key, async () => {
			const inTime = client.endingWith(AbortSignal.timeout(longestWaitForNames));
			const schema = new Schema(inTime, sheet);
			const list = await schema.namedList().catch(() => undefined);
			const known = { ...kept, ...lastNames.get(key), ...knownNames(list?.fields ?? []) };
			lastNames.set(key, known);
			return new FieldNames(known);
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
			return { records, types: inferredTypes(records) };
		});
	}
}

function unknownNames(key: string) {
	return new InputError(
		`The field '${key}' cannot be found by its name: the service does not show the names of this sheet's fields to this user`,
		'Use field IDs in place of names. The field settings of the sheet show them.',
	);
}
