import { isFieldId } from '../../wire/fields';
import { rawRecord, simplifiedRecord } from '../../wire/record';
import type { PlainObject, RecordShape, SheetRecord } from '../../wire/record';
import { InputError } from '../../wire/inputError';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';
import type { SheetFields } from '../sheetFields';
import { readNaming } from './fieldKeys';
import { readIsoDates } from './readOptions';
import { offsetHours } from './timeZone';

/** How records become the item's output: simplified or raw, with the fields and dates asked for. */
export class OutputShape {
	/** Keys that were asked for and have been in no record so far. */
	private readonly missing: Set<string>;

	private hasRecords = false;

	constructor(
		private readonly shape: RecordShape,
		private readonly toJson: (record: SheetRecord, shape: RecordShape) => PlainObject,
	) {
		this.missing = new Set(shape.onlyKeys);
	}

	/** The record as an item. */
	json(record: SheetRecord): PlainObject {
		const { offsetHours } = this.shape;
		const json = this.toJson(record, this.shape);
		// Whoever writes the record back has to know how far its times are from those that are stored.
		if (offsetHours !== undefined) json._timeZone = offsetHours;
		this.hasRecords = true;
		for (const key of this.missing) {
			if (Object.prototype.hasOwnProperty.call(json, key)) this.missing.delete(key);
		}
		return json;
	}

	/** Tells of fields that were asked for and that none of the records has: a name may be misspelt. */
	warnOfMissing(item: ItemParameters): void {
		if (!this.hasRecords || this.missing.size === 0) return;
		const keys = [...this.missing].map((key) => `'${key}'`).join(', ');
		item.warn(
			`'Only Fields' asks for ${keys}, and none of the records has it. Check its spelling; names are told apart by upper and lower case.`,
		);
	}
}

/**
 * How the item wants its records.
 *
 * @throws InputError for a field that cannot be found, and when an expression yields
 *   what the option cannot be
 */
export async function readOutputShape(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<OutputShape> {
	const options = item.collection('options');
	const toJson = item.flag('simplify', 'Simplify') ? simplifiedRecord : rawRecord;
	const shape: RecordShape = {
		isoDates: readIsoDates(item),
		offsetHours: offsetHours(options),
		onlyKeys: await onlyKeys(options.onlyFields, readNaming(item) === 'EID', sheetFields),
	};
	return new OutputShape(shape, toJson);
}

async function onlyKeys(
	value: unknown,
	byId: boolean,
	sheetFields: SheetFields,
): Promise<ReadonlySet<string> | undefined> {
	const names = (Array.isArray(value) ? value.map(textOf) : textOf(value).split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length === 0) return undefined;
	const keys = new Set<string>();
	for (const name of names) {
		if (name.startsWith('_')) keys.add(name);
		else if (byId) keys.add((await sheetFields.find(name)).fieldId);
		else keys.add(isFieldId(name) ? await nameInOutput(name, sheetFields) : name);
	}
	return keys;
}

/**
 * The name by which the output shows a field.
 *
 * @throws InputError for a field without a name, or with that of another: the service
 *   numbers them in its own way
 */
async function nameInOutput(key: string, sheetFields: SheetFields): Promise<string> {
	const { fieldId, name } = await sheetFields.find(key, true);
	const fields = (await sheetFields.listed()) ?? [];
	const named = fields.filter((field) => field.subtableId === undefined && field.name === name);
	if (name !== fieldId && named.length === 1) return name;
	throw new InputError(
		`It is not known what the output calls the field ${fieldId}`,
		"Write the name that the output shows, or set 'Field Keys' to Field IDs.",
	);
}
