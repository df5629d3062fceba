import type { INodeProperties } from 'n8n-workflow';
import { fieldOptions, formOptions, readReading, typingOptions } from './options';
import {
	flagParameter,
	parseParameters,
	type Parameter,
	type ParameterSource,
	type SheetContext,
} from './parameter';
import { schemaOf, sheetParameter } from './sheet';
import type { Client } from '../api/http/client';
import type { JsonMembers } from '../api/json/jsonReader';
import type { JsonValue } from '../api/json/orderedJson';
import type { ReadOptions } from '../api/read/readOptions';
import {
	rawParts,
	RecordItems,
	simplifiedParts,
	type PlainObject,
	type RecordShape,
} from '../api/read/record';
import { idInKey, isFieldId } from '../api/schema/fields';
import { Schema } from '../api/schema/schema';
import { InputError } from '../api/values/inputError';
import type { SheetAddress } from '../api/values/sheetAddress';
import { isSubtableKey } from '../api/values/subtableKeys';
import { ValueTypes } from '../api/write/typedValues';

export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const simplify = flagParameter(simplifyProperty);

/** Who is told of what the records did not have. */
interface OutputListener {
	warn(message: string): void;
	leaveUntyped(values: ValueTypes['untyped']): void;
}

/** How records become the item's output: simplified or raw, with the fields and dates asked for. */
export class OutputShape {
	/** Keys that were asked for and have been in no record so far. */
	private readonly missing: Set<string>;
	private hasRecords = false;

	constructor(
		private readonly shape: RecordShape,
		private readonly records: RecordItems,
		private readonly types: ValueTypes | undefined,
	) {
		this.missing = new Set(shape.onlyKeys);
	}

	/** What an item says of the record. */
	json(id: string, members: JsonMembers<JsonValue>): PlainObject {
		const { offsetHours } = this.shape;
		const json = this.records.item(id, members);
		// Whoever writes the record back has to know how far its times are from those that are stored.
		if (offsetHours !== undefined) json._timeZone = offsetHours;
		return json;
	}

	/** Has to be called with each item that is put out: it may have the fields that were asked for. */
	note(json: PlainObject): void {
		this.hasRecords = true;
		for (const key of this.missing) {
			if (Object.prototype.hasOwnProperty.call(json, key)) this.missing.delete(key);
		}
	}

	/**
	 * Tells of fields that were asked for and that none of the records has, since a name may be misspelt, and
	 * of values that have no type.
	 */
	tell(item: OutputListener): void {
		if (!this.hasRecords) return;
		warnOfMissing(item, "'Only Fields' asks for", [...this.missing]);
		tellOfTypes(item, this.types);
	}
}

/** Tells of fields that were named by hand and that no record has, and has the end of the run tell of values without a type. */
export function tellOfTypes(item: OutputListener, types: ValueTypes | undefined): void {
	if (!types) return;
	warnOfMissing(item, "'Number Fields' or 'List Fields' name", types.missing);
	item.leaveUntyped(types.untyped);
}

function warnOfMissing(item: OutputListener, what: string, missing: readonly string[]): void {
	if (missing.length === 0) return;
	const keys = missing.map((key) => `'${key}'`).join(', ');
	item.warn(
		`${what} ${keys}, and none of the records has it. Check its spelling; names are told apart by upper and lower case.`,
	);
}

/** How an item wants its records: in what form they are read, and what becomes of them. */
export interface RecordOutput {
	reading: ReadOptions;
	shape: OutputShape;
}

/** How the item wants its records, by _Simplify_ and by those options that the operation has. */
export const outputParameter: Parameter<Promise<RecordOutput>> = {
	properties: simplify.properties,
	deferred: true,
	parse: async (item) => ({ shape: await lookUpShape(item), reading: await lookUpReading(item) }),
};

/** What becomes of the records. Throws InputError for fields that cannot be meant, and what the service throws. */
export async function lookUpShape(item: SheetContext): Promise<OutputShape> {
	const { naming } = readReading(item);
	const partsOf = simplify.parse(item) ? simplifiedParts : rawParts;
	const { isoDates = false, timeZone } = parseParameters(formOptions, item);
	const { onlyFields = [] } = parseParameters(fieldOptions, item);
	const onlyKeys = await keysOf(onlyFields, naming, schemaOf(item));
	const types = await lookUpValueTypes(item, sheetParameter.parse(item), naming);
	const shape = { isoDates, offsetHours: timeZone, onlyKeys, types };
	return new OutputShape(shape, new RecordItems(partsOf, shape), types);
}

/**
 * In what form the records are read.
 *
 * @param more fields that are needed beside those of the output
 * @throws what the service throws
 */
export async function lookUpReading(
	item: SheetContext,
	more: readonly string[] = [],
): Promise<ReadOptions> {
	const { onlyFields = [] } = parseParameters(fieldOptions, item);
	const names = onlyFields.length === 0 ? [] : [...onlyFields, ...more];
	return await narrowed(readReading(item), names, item);
}

/** A reading that asks for no more than the output shows; what comes all the same is left out of it. */
async function narrowed(
	reading: ReadOptions,
	names: readonly string[],
	item: SheetContext,
): Promise<ReadOptions> {
	if (names.length === 0) return reading;
	const { more = [] } = reading;
	const isChosen = more.some(([name]) => name === 'subtables');
	const withSubtables = isChosen || names.some(isSubtableKey);
	const ownFields = names.filter((name) => !keptAnyway.has(name));
	return {
		...reading,
		more: withSubtables ? more : [...more, ['subtables', 0]],
		fields: await fieldIds(ownFields, item),
	};
}

/** The ids of all of the fields; none when one is not known: then whole records are asked for. */
async function fieldIds(names: readonly string[], item: SheetContext): Promise<string[]> {
	if (item.client.connection.dialect !== 'ragic') return [];
	const listed = await schemaOf(item).fields();
	const own = listed.filter(({ subtableId }) => subtableId === undefined);
	const ids = names.map((name) => {
		const [field, other] = own.filter((one) => one.fieldId === name || one.name === name);
		return other ? undefined : field?.fieldId;
	});
	return ids.every((id) => id !== undefined) ? ids : [];
}

/** Come with every record. */
const keptAnyway: ReadonlySet<string> = new Set(['_recordId', '_title', '_starred']);

/**
 * The keys under which fields come in a read; undefined for no names. Throws InputError for a field that cannot
 * be meant.
 */
export async function keysOf(
	names: readonly string[],
	naming: ReadOptions['naming'],
	schema: Schema,
): Promise<ReadonlySet<string> | undefined> {
	if (names.length === 0) return undefined;
	const keys = new Set<string>();
	for (const name of names) {
		if (name.startsWith('_')) keys.add(await schema.keyBySubtableId(name));
		else if (naming === 'EID') keys.add((await schema.field(name)).fieldId);
		else keys.add(idInKey(name) === undefined ? name : await nameInOutput(name, schema));
	}
	return keys;
}

/**
 * The name by which the output shows a field. Throws InputError for a field without a name, or with that of
 * another: the service numbers them in its own way.
 */
async function nameInOutput(key: string, schema: Schema): Promise<string> {
	const fields = await schema.fields();
	if (!isFieldId(key) && !fields.some(({ fieldId }) => fieldId === idInKey(key))) return key;
	const { fieldId, name } = await schema.field(key, true);
	const named = fields.filter((field) => field.subtableId === undefined && field.name === name);
	if (name !== fieldId && named.length === 1) return name;
	throw new InputError(
		`It is not known what the output calls the field ${fieldId}`,
		"Write the name that the output shows, or set 'Field Keys' to Field IDs.",
	);
}

/**
 * By what the values of a sheet's records are typed, as the options say; undefined when they come as texts.
 * Throws ServiceError when the service is not reached or does not know the user.
 */
export async function lookUpValueTypes(
	item: ParameterSource & { client: Client },
	sheet: SheetAddress,
	naming: ReadOptions['naming'],
): Promise<ValueTypes | undefined> {
	const { typedValues, numberFields = [], listFields = [] } = parseParameters(typingOptions, item);
	if (!(typedValues ?? (numberFields.length > 0 || listFields.length > 0))) return undefined;
	const list = await new Schema(item.client, sheet).list();
	const rules = { byId: naming === 'EID', numbers: numberFields, lists: listFields };
	return new ValueTypes(list?.fields ?? [], rules);
}
