import type { Field } from '../../api/schema/fields';
import type { INodeProperties } from 'n8n-workflow';
import { isEmpty, type RecordChanges, type RecordFile } from '../../api/write/recordContent';
import { parseInput, placedValues } from '../../api/write/parsedInput';
import type { ParsedInput, PlacedValue, RecordInput } from '../../api/write/parsedInput';
import {
	asksForFields,
	asksForRecord,
	asksForTypes,
	namesIn,
	recordChanges,
} from '../../api/write/recordInput';
import { withReadNames } from '../../api/schema/fieldNames';
import { asksForReadNames, type AutoMapRules } from '../../api/write/writeBack';
import { InputError } from '../../api/values/inputError';
import { isObject } from '../../api/json/objects';
import { isDeletionKey, isSubtableKey, subtableKey } from '../../api/values/subtableKeys';
import { isBlank, textOf } from '../../api/values/text';
import { sourceRecordId } from '../../api/read/recordKeys';
import { parseJsonObject } from '../jsonParameter';
import type { ItemContext } from '../itemContext';
import type { Schema } from '../../api/schema/schema';
import { writtenTimeZone } from '../../ui/options';
import type { Parameter } from '../../ui/parameter';
import { schemaOf } from '../../ui/sheet';
import { readFiles } from './fileEntries';
import { mappedValues } from './mapper';
import {
	inputMode,
	recordJson,
	recordValueProperties,
	subtableRows,
} from './recordValueProperties';
import { clearEmpty, ignoreFields, unknownFields } from './writeOptions';

/** What an item writes: its changes and files. */
export interface RecordValues {
	changes: RecordChanges;
	files: RecordFile[];
}

/**
 * What the item writes, with field ids for names: for a new record all fields of the sheet are shown.
 * Refused are JSON that is none, unknown names, values that cannot be written, missing files, and to
 * write nothing at all.
 */
export function recordValuesParameter({
	isNew,
}: {
	isNew: boolean;
}): Parameter<Promise<RecordValues>, ItemContext> {
	return {
		properties: recordValueProperties('add', isNew),
		deferred: true,
		parse: readRecordValues,
	};
}

/** What the item writes, with field ids for names. Throws InputError for what cannot be written. */
export async function readRecordValues(item: ItemContext): Promise<RecordValues> {
	const { input, isAutoMapped } = await readInput(item);
	const changes = await readChanges(item, input, isAutoMapped);
	const files = await readFiles(item, changes);
	if (isEmpty(changes) && files.length === 0) {
		throw new InputError(
			'There is nothing to write: no field has a value',
			"To empty fields on purpose, turn on the option 'Clear Empty'.",
		);
	}
	return { changes, files };
}

/**
 * The changes that an input stands for. Fields are looked up only for their names, for the types of dates,
 * and for what an item that was read holds. What is left out of it is told at the end of the run.
 *
 * @throws InputError for unknown names and for values that cannot be written
 */
export async function readChanges(
	item: ItemContext,
	input: RecordInput,
	isAutoMapped: boolean,
): Promise<RecordChanges> {
	const schema = schemaOf(item);
	const autoMap = isAutoMapped ? await readAutoMapRules(item, schema) : undefined;
	const rules = {
		clearEmpty: clearEmpty.parse(item) ?? false,
		clock: item.clock(writtenTimeZone.parse(item)),
		ignoreUnknown: unknownFields.parse(item) === 'ignore',
		autoMap,
	};
	const record = parseInput(await withSubtableIds(input, schema, autoMap));
	const resolve = async (listed: readonly Field[]) => {
		if (!isAutoMapped && !rules.ignoreUnknown) refuseAddedKeys(record, listed);
		const isByReadNames = autoMap !== undefined && asksForReadNames(listed, record);
		const fields = isByReadNames ? withReadNames(listed, await schema.fieldsAsRead()) : listed;
		const known = { ...rules, fields };
		const types = asksForTypes(record, known) ? await schema.inferredTypes() : undefined;
		if (asksForRecord(record, { ...known, types })) {
			await schema.storedForms(autoMap?.timeZone, sourceRecordId(item.json));
		}
		return recordChanges(record, { ...known, types });
	};
	const names = namesIn(record, autoMap);
	const { leftOut, ...changes } =
		names.length > 0
			? await schema.resolved(names, resolve)
			: await resolve(asksForFields(record, autoMap) ? await schema.fields() : []);
	item.run.hints.leaveOut(leftOut);
	return changes;
}

/** What names subtables says their ids instead. Items that are mapped automatically may have other such keys. */
async function withSubtableIds(
	input: RecordInput,
	schema: Schema,
	autoMap: AutoMapRules | undefined,
): Promise<RecordInput> {
	const written = new Map<string, unknown>();
	for (const [key, value] of Object.entries(input)) {
		const isIgnored = autoMap?.ignoreFields.has(key);
		const known = isIgnored ? key : await keyWithSubtableId(key, value, schema, autoMap);
		if (written.has(known)) {
			throw new InputError(`'${key}' and another key both stand for '${known}'`);
		}
		written.set(known, value);
	}
	return Object.fromEntries(written);
}

/** Rows that nobody can place must not be lost without a word: of them the failure to find their subtable is told. */
async function keyWithSubtableId(
	key: string,
	value: unknown,
	schema: Schema,
	autoMap: AutoMapRules | undefined,
): Promise<string> {
	const namesRows = isDeletionKey(key) && !isBlank(value);
	const holdsRows = namesRows || Array.isArray(value) || isObject(value);
	return await schema.keyBySubtableId(key).catch((error: unknown) => {
		if (autoMap && !holdsRows && error instanceof InputError) return key;
		throw error;
	});
}

async function readAutoMapRules(item: ItemContext, schema: Schema): Promise<AutoMapRules> {
	const hours = Number(item.json._timeZone ?? NaN);
	const timeZone = Number.isFinite(hours) ? hours : undefined;
	const isRead = sourceRecordId(item.json) !== undefined;
	const ignored: string[] = [];
	for (const key of ignoreFields.parse(item) ?? [])
		ignored.push(key in item.json ? key : await schema.keyBySubtableId(key));
	return {
		ignoreFields: new Set(ignored),
		isRead,
		timeZone,
		forms: isRead ? await schema.storedForms(timeZone) : undefined,
	};
}

/**
 * Refuses the keys that the results of this node hold beside the fields, with what to do about them: a
 * whole item is often given as JSON.
 */
function refuseAddedKeys(input: ParsedInput, fields: readonly Field[]): void {
	const isAdded = ({ key }: PlacedValue) =>
		/^_(?!rowId$)/.test(key) && !isSubtableKey(key) && !fields.some(({ name }) => name === key);
	const added = placedValues(input).find(isAdded);
	if (!added) return;
	throw new InputError(
		`'${added.key}' is not a field of the sheet`,
		"Keys that begin with _ are added when records are read, and cannot be written. Leave them out, or set 'Input' to 'Fields' and map automatically, which passes over them.",
	);
}

interface ReadInput {
	input: Record<string, unknown>;
	isAutoMapped: boolean;
}

/** What JSON says, or the mapper yields: the item itself, or the values defined below it. */
export function readMappedOrJson(item: ItemContext, json: INodeProperties): ReadInput {
	if (inputMode.parse(item) === 'json') {
		const input = parseJsonObject(item.value(json.name), json.displayName);
		return { input, isAutoMapped: false };
	}
	const isAutoMapped = item.text('fields.mappingMode') === 'autoMapInputData';
	return { input: isAutoMapped ? { ...item.json } : mappedValues(item), isAutoMapped };
}

async function readInput(item: ItemContext): Promise<ReadInput> {
	const { input, isAutoMapped } = readMappedOrJson(item, recordJson);
	if (inputMode.parse(item) === 'json') return { input, isAutoMapped };
	for (const { subtableId, rowJson } of subtableRows.parse(item)) {
		const name = textOf(subtableId);
		if (name === '') {
			throw new InputError(
				"A row in 'Subtable Rows' has no subtable",
				'Pick the subtable from the list, or give its ID, e.g. 2000001.',
			);
		}
		const id = await schemaOf(item).subtableId(name);
		const key = subtableKey(id);
		const before = input[key];
		if (before !== undefined && !Array.isArray(before)) {
			throw new InputError(
				`The rows of subtable ${id} are given twice, in the item and in 'Subtable Rows'`,
				'Give them in one of the two. To add to those of the item, let it hold them as an array.',
			);
		}
		input[key] = [...(before ?? []), parseJsonObject(rowJson, 'Row (JSON)')];
	}
	return { input, isAutoMapped };
}
