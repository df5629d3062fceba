import type { Client } from '../api/http/client';
import { discoverFields, discoverReadNames } from '../api/schema/discovery';
import { fieldTypesOf } from '../api/schema/inferredTypes';
import { getRecord } from '../api/read/records';
import { readingBy } from '../api/read/readOptions';
import { learnFieldTypes } from '../api/schema/requestFieldTypes';
import { isDateLike } from '../api/values/dates';
import { findField, idInKey, isFieldId, isSurelyFieldId, keyWithId } from '../api/schema/fields';
import { findFilePlace, rowFieldOf } from '../api/files/filePlaces';
import type { FieldList } from '../api/schema/fieldLists';
import type { Field } from '../api/schema/fields';
import type { ParsedInput } from '../api/write/parsedInput';
import type { FilePlace } from '../api/write/recordContent';
import { withReadNames } from '../api/schema/readNames';
import { asksForReadNames } from '../api/write/readNames';
import { InputError } from '../api/values/inputError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { deletionKey, subtableKey } from '../api/values/subtableKeys';
import { systemFields } from '../api/schema/systemFields';
import type { TypesByField } from '../api/write/sameValue';
import { sheetParameter } from './sheet';
import type { SheetCall } from './sheetCall';

/** The fields of the sheet that an item chose. */
export function sheetFieldsOf(call: SheetCall): SheetFields {
	return new SheetFields(call.client, sheetParameter.read(call));
}

/** The fields of a sheet, asked for only when a name, or the type of a field, has to be known. */
export class SheetFields {
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
	) {}

	/**
	 * The field that a name or id stands for, system fields included unless a field of the sheet has the
	 * name. An id is not looked up, unless its type matters, or it is so short a number that it may be a name.
	 *
	 * @throws InputError for an unknown or ambiguous name
	 */
	async find(key: string, typeMatters = false, subtableId?: string): Promise<Field> {
		const id = key.trim();
		if (isSurelyFieldId(id) && !typeMatters) return { fieldId: id, name: id };
		const fields = (await this.listed()) ?? [];
		const isOwn = fields.some((field) => field.name === key && field.subtableId === subtableId);
		const system = systemFields.find(
			(field) => field.fieldId === id || [field.name, keyWithId(field, [])].includes(key),
		);
		if (system && !isOwn && subtableId === undefined) return system;
		if (fields.length === 0 && idInKey(key) === undefined) throw unknownNames(key);
		return await this.resolve(fields, (known) => findField(known, key, subtableId));
	}

	/**
	 * The field of a name or id with which values are written or compared: its type is asked for when one of
	 * them reads like a date, or is true or false, since only then does it matter.
	 *
	 * @throws InputError for an unknown or ambiguous name
	 */
	async findFor(key: string, ...values: readonly unknown[]): Promise<Field> {
		const mayBeDate = values.some(isDateLike);
		const mayBeSwitch = values.some((value) => typeof value === 'boolean');
		const found = await this.find(key, mayBeDate || mayBeSwitch);
		if (!mayBeDate) return found;
		return { ...found, type: found.type ?? (await this.types()).get(found.fieldId) };
	}

	/**
	 * The field for files that a key stands for, as `<field>_<row id>` one of a row. An id is not looked up.
	 *
	 * @param subtableMatters whether the subtable of the row has to be known
	 * @throws InputError for an unknown or ambiguous name
	 */
	async findFilePlace(key: string, subtableMatters = false): Promise<FilePlace> {
		const inRow = rowFieldOf(key);
		if (!inRow) return { fieldId: (await this.find(key)).fieldId };
		const { field: fieldId, rowId } = inRow;
		if (isSurelyFieldId(fieldId) && !subtableMatters) return { fieldId, rowId };
		const fields = (await this.listed()) ?? [];
		if (fields.length === 0 && idInKey(fieldId) === undefined) throw unknownNames(key);
		return await this.resolve(fields, (known) => findFilePlace(known, key));
	}

	/**
	 * What `resolve` makes of the fields' list. When it fails, once more with a list that is asked for
	 * anew: a field may have been added a moment ago.
	 *
	 * @param names what `resolve` has to find; with no list it gets along when an id stands in each of them
	 * @throws what `resolve` throws on the new list; InputError when no list is to be had for a name
	 */
	async resolved<T>(
		names: readonly string[],
		resolve: (fields: readonly Field[]) => T | Promise<T>,
	): Promise<T> {
		const fields = await this.listed();
		const unknown = fields ? undefined : names.find((name) => idInKey(name) === undefined);
		if (unknown !== undefined) throw unknownNames(unknown);
		return await this.resolve(fields ?? [], resolve);
	}

	/** The type of the field that a file goes to, where the list of fields tells it. */
	async typeAt({ fieldId, rowId }: FilePlace): Promise<string | undefined> {
		if (rowId === undefined) return (await this.find(fieldId, true)).type;
		return (await this.listed())?.find((field) => field.fieldId === fieldId)?.type;
	}

	/** The fields of the sheet and its subtables, or undefined when no source tells. */
	async listed(anew = false): Promise<readonly Field[] | undefined> {
		const list = await discoverFields(this.client, this.sheet, anew);
		return list?.fields;
	}

	/** Types by field id, inferred from records where the service does not tell this user the type of each field. */
	async types(): Promise<ReadonlyMap<string, string>> {
		const fields = (await this.listed()) ?? [];
		if (fields.length > 0 && fields.every(({ type }) => type !== undefined)) return new Map();
		return await learnFieldTypes(this.client, this.sheet);
	}

	/** Types by field id, inferred from a record as it is stored; none if there is no such record. */
	async typesIn(recordId: string): Promise<ReadonlyMap<string, string>> {
		const { client, sheet } = this;
		const record = await getRecord(client, { sheet, recordId }, readingBy('EID', ['bbcode', true]));
		return fieldTypesOf(record ? [record] : []);
	}

	/** Types by field id, from wherever they are known; undefined for a field of another type. */
	async typesByField(): Promise<TypesByField> {
		const listed = ((await this.listed()) ?? []).map(
			({ fieldId, type }): [string, string | undefined] => [fieldId, type],
		);
		return new Map([...listed, ...(await this.types())]);
	}

	/**
	 * The id of the subtable that a name, an id, a name with its id in parentheses or a key such as
	 * `_subtable_2000001` stands for. An id is not looked up.
	 *
	 * @throws InputError for an unknown or ambiguous name, and when the service names no
	 *   subtables
	 */
	async findSubtable(key: string): Promise<string> {
		const name = key.replace(/^_subtable_/, '');
		if (isFieldId(name)) return name;
		const known = subtablesNamed(name, await discoverFields(this.client, this.sheet));
		const [only, ...others] =
			known.length === 1
				? known
				: subtablesNamed(name, await discoverFields(this.client, this.sheet, true));
		if (only !== undefined && others.length === 0) return only;
		throw new InputError(
			only === undefined
				? `'${name}' is not the name of a subtable that the service tells of`
				: `'${name}' is the name of ${others.length + 1} subtables (${[only, ...others].join(', ')})`,
			'Pick the subtable from the list, or give its ID, e.g. 2000001.',
		);
	}

	/**
	 * A key of rows, or of rows to delete, by the id of the subtable that it may name: `_subtable_2000001` for
	 * `_subtable_Order Lines`. Any other key is as it was. Throws InputError as `findSubtable`.
	 */
	async withSubtableId(key: string): Promise<string> {
		const [, kind, name = ''] = /^_(subtable|DELSUB)_(.+)$/s.exec(key) ?? [];
		if (kind === undefined || isFieldId(name)) return key;
		const subtableId = await this.findSubtable(name);
		return kind === 'DELSUB' ? deletionKey(subtableId) : subtableKey(subtableId);
	}

	/** Returns the fields with the names that reads give them, if a key of the item may be such a name. */
	async asRead(fields: readonly Field[], input: ParsedInput): Promise<readonly Field[]> {
		if (!asksForReadNames(fields, input)) return fields;
		const read = await discoverReadNames(this.client, this.sheet);
		return read ? withReadNames(fields, read.fields) : fields;
	}

	/** Refuses a subtable that no record shows and no source tells of. */
	async requireSubtable(subtableId: string): Promise<void> {
		const list = await discoverFields(this.client, this.sheet);
		if (list?.subtables.some((subtable) => subtable.subtableId === subtableId)) return;
		throw new InputError(
			`The sheet has no subtable ${subtableId}`,
			'Pick the subtable from the list, or give its ID, e.g. 2000001.',
		);
	}

	private async resolve<T>(
		fields: readonly Field[],
		resolve: (fields: readonly Field[]) => T | Promise<T>,
	): Promise<T> {
		const first = async () => await resolve(fields);
		return await first().catch(async (error: unknown) => {
			if (!(error instanceof InputError)) throw error;
			return await resolve((await this.listed(true)) ?? fields);
		});
	}
}

/** The ids of the subtables of that name; of the one whose id stands behind it when none is called so. */
function subtablesNamed(name: string, list: FieldList | undefined): string[] {
	const { subtables = [] } = list ?? {};
	const named = subtables.filter((subtable) => subtable.name === name);
	if (named.length > 0) return named.map(({ subtableId }) => subtableId);
	const id = idInKey(name);
	if (id === undefined) return [];
	// A list that was learnt from records tells only of subtables with rows.
	const isKnown = !list || subtables.some(({ subtableId }) => subtableId === id);
	return isKnown || isSurelyFieldId(id) ? [id] : [];
}

function unknownNames(key: string) {
	return new InputError(
		`The field '${key}' cannot be found by its name: the service does not tell the names of this sheet's fields to this user`,
		'Use field IDs in place of names. The field settings of the sheet show them.',
	);
}
