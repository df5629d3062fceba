import { isFieldId } from '../../wire/fields';
import type { Field } from '../../wire/fields';
import { isObject } from '../../wire/objects';
import { isEmpty } from '../../wire/recordChanges';
import type { RecordChanges } from '../../wire/recordChanges';
import { parseOrderedJson } from '../../wire/orderedJson';
import { plain } from '../../wire/record';
import { holdsDates, namesFields, recordChanges } from '../../wire/recordInput';
import type { RecordInput } from '../../wire/recordInput';
import type { RecordFile } from '../../service/records';
import { inputError } from '../../wire/serviceError';
import { filePart } from '../binary';
import { textOf } from '../../wire/text';
import { parseJsonObject } from '../jsonParameter';
import type { ItemParameters } from '../itemParameters';
import type { SheetFields } from '../sheetFields';
import { offsetHours } from './timeZone';

/** What an item writes: its changes and files, and the values as the user gave them. */
export interface RecordValues {
	changes: RecordChanges;
	files: RecordFile[];
	input: RecordInput;
}

/**
 * What the item writes, with field ids for names.
 *
 * @throws ServiceError of kind `input` for JSON that is none, unknown names, values that cannot be
 *   written, missing files, and when nothing is left to write
 */
export async function readRecordValues(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<RecordValues> {
	const { input, isAutoMapped } = readInput(item);
	const changes = await readChanges(item, sheetFields, input, isAutoMapped);
	const files = await readFiles(item, sheetFields);
	if (isEmpty(changes) && files.length === 0) {
		throw inputError(
			'There is nothing to write: no field has a value',
			"To empty fields on purpose, turn on the option 'Clear Empty'.",
		);
	}
	return { changes, files, input };
}

/**
 * The changes that an input stands for. Fields are looked up only for their names, or for the types of
 * dates.
 *
 * @throws ServiceError of kind `input` for unknown names and for values that cannot be written
 */
export async function readChanges(
	item: ItemParameters,
	sheetFields: SheetFields,
	input: RecordInput,
	isAutoMapped: boolean,
): Promise<RecordChanges> {
	const options = item.collection('options');
	const rules = {
		clearEmpty: options.clearEmpty === true,
		ignoreUnderscoreKeys: isAutoMapped,
		clock: item.clock(offsetHours(options)),
	};
	const resolve = (fields: readonly Field[]) => recordChanges(input, { ...rules, fields });
	if (namesFields(input)) return await sheetFields.resolved(firstName(input), resolve);
	return resolve(holdsDates(input) ? ((await sheetFields.listed()) ?? []) : []);
}

function firstName(input: RecordInput): string {
	return Object.keys(input).find((key) => !key.startsWith('_') && !isFieldId(key)) ?? 'of a row';
}

interface ReadInput {
	input: Record<string, unknown>;
	isAutoMapped: boolean;
}

/** What the mapper yields: the item itself, or the values defined below it. */
export function mappedInput(item: ItemParameters): ReadInput {
	const isAutoMapped = item.text('fields.mappingMode') === 'autoMapInputData';
	return { input: isAutoMapped ? { ...item.json } : mappedValues(item), isAutoMapped };
}

function readInput(item: ItemParameters): ReadInput {
	if (item.text('inputMode') === 'json') {
		return {
			input: parseJsonObject(item.value('recordJson'), 'Record (JSON)'),
			isAutoMapped: false,
		};
	}
	const { input, isAutoMapped } = mappedInput(item);
	for (const { subtableId, rowJson } of item.entries('subtables', 'rows')) {
		const id = textOf(subtableId);
		if (!isFieldId(id)) throw inputError(`'${id}' in 'Subtable Rows' is not a subtable ID`);
		const key = `_subtable_${id}`;
		const before = input[key];
		if (before !== undefined && !Array.isArray(before)) {
			throw inputError(
				`The rows of subtable ${id} are given twice, in the item and in 'Subtable Rows'`,
			);
		}
		input[key] = [...(before ?? []), parseJsonObject(rowJson, 'Row (JSON)')];
	}
	return { input, isAutoMapped };
}

/**
 * The mapper's values as the user gave them. What n8n makes of them by the schema that the editor kept
 * is not asked for: it reads a date without an offset off its own clock, and refuses empty texts.
 */
function mappedValues(item: ItemParameters): Record<string, unknown> {
	const { value, schema } = item.collection('fields');
	if (!isObject(value)) return {};
	const listed = Array.isArray(schema) ? schema.filter(isObject) : [];
	const selections = new Set(listed.filter(({ type }) => type === 'array').map(({ id }) => id));
	return Object.fromEntries(
		Object.entries(value).map(([key, given]) => [
			key,
			selections.has(key) ? selectionOf(given) : given,
		]),
	);
}

/** A multiple selection is typed into the editor as the text of a JSON array, or as one choice. */
function selectionOf(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
	try {
		return plain(parseOrderedJson(value));
	} catch {
		return value;
	}
}

/** The columns by which an item of `upsert` finds its records, as the user gave them. */
export function readMatchKeys(item: ItemParameters): string[] {
	const value =
		item.text('inputMode') === 'json'
			? item.value('matchFields')
			: item.value('fields.matchingColumns');
	const keys = (Array.isArray(value) ? value.map(textOf) : textOf(value).split(','))
		.map((key) => key.trim())
		.filter((key) => key !== '');
	if (keys.length > 0) return [...new Set(keys)];
	throw inputError(
		'No field to match on is chosen',
		"Choose the fields by which existing records are found, in 'Columns to Match On' or 'Match Fields'.",
	);
}

async function readFiles(item: ItemParameters, sheetFields: SheetFields): Promise<RecordFile[]> {
	const files: RecordFile[] = [];
	for (const { fieldId, inputDataFieldName } of item.entries('files', 'file')) {
		const key = textOf(fieldId);
		if (key === '') throw inputError("A file in 'Files' has no field");
		const field = await sheetFields.find(key);
		const names = textOf(inputDataFieldName).split(',');
		for (const name of names) {
			files.push({ fieldId: field.fieldId, file: await filePart(item, name.trim()) });
		}
	}
	return files;
}
