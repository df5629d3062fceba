import { readOptionsBy } from '../../api/read/readOptions';
import { isAddedKey, sourceOffset, sourceRecordId } from '../../api/read/recordKeys';
import { recordLoader } from '../../api/read/recordLoader';
import type { JsonObject } from '../../api/json/orderedJson';
import { FieldIndex } from '../../api/sheet/fieldIndex';
import type { SheetFields } from '../../api/sheet/sheetFields';
import type { FieldKinds } from '../../api/sheet/kinds/valueKinds';
import { deletionOf, isSubtableKey } from '../../api/values/subtableKeys';
import { hasTimeOfDay } from '../../api/values/dates';
import type { QueryParameter } from '../../api/values/query';
import { isBlank } from '../../api/values/text';
import { parseInput } from '../../api/write/parsedInput';
import type { EnteredRow, ParsedInput, RecordInput } from '../../api/write/parsedInput';
import {
	hasNewName,
	namesIn,
	needsFields,
	needsReadNames,
	recordChanges,
} from '../../api/write/recordInput';
import type { AutoMapRules, InputChanges, RecordInputRules } from '../../api/write/recordInput';
import type { SourceRecord } from '../../api/write/sourceRecord';
import { fieldsOfSheet, sheetParameter } from '../../shared/parameters/sheet';
import { writtenTimeZone } from '../../shared/parameters/options';
import { recordIn } from '../../shared/trigger';
import type { ItemContext } from '../run/itemContext';
import { ignoreFields } from './input';
import { clearEmpty, unknownChoices, unknownFields } from './writeOptions';

/** The changes of an input, with the kinds by which its values were parsed; an empty map if they were unknown or not needed. */
export type ParsedChanges = InputChanges & { kinds: FieldKinds };

/** The sheet and the rules for the values of an input. */
export interface ChangeRules extends Pick<
	RecordInputRules,
	'autoMap' | 'clearEmpty' | 'ignoreUnknown' | 'timeZone'
> {
	sheetFields: SheetFields;
	refuseUnknownChoices: boolean;
}

/**
 * Returns the rules for the input of an item, by its options. Throws InputError for an unknown field in 'Ignore Fields'.
 *
 * @param isAutoMapped whether the values, all or some, are from the item, so that they may come from a read
 */
export async function changeRules(item: ItemContext, isAutoMapped: boolean): Promise<ChangeRules> {
	const sheetFields = fieldsOfSheet(item);
	return {
		sheetFields,
		autoMap: isAutoMapped ? await autoMapRules(item, sheetFields) : undefined,
		clearEmpty: clearEmpty.parse(item) ?? false,
		ignoreUnknown: unknownFields.parse(item) === 'ignore',
		timeZone: item.timeZone(writtenTimeZone.parse(item)),
		refuseUnknownChoices: unknownChoices.parse(item) === 'error',
	};
}

/** Returns the rules for a copy of a stored record, which was read with rich text as markup and masked values as masks. */
export function copyRules(sheetFields: SheetFields, stored: JsonObject): ChangeRules {
	const source = async () => await Promise.resolve({ stored, asRead: stored });
	return {
		sheetFields,
		autoMap: { ignoreFields: new Set(), isRead: true, source },
		clearEmpty: false,
		ignoreUnknown: true,
		timeZone: { offsetHours: 0 },
		refuseUnknownChoices: false,
	};
}

/**
 * Returns the changes of an input. Loads the fields of the sheet and their kinds, if they are needed. With `keepsRows`, rows
 * without values count as changes. Throws InputError for unknown fields and wrong values, and ServiceError.
 */
export async function parseChanges(
	rules: ChangeRules,
	input: RecordInput,
	keepsRows = false,
	enteredRows: readonly EnteredRow[] = [],
): Promise<ParsedChanges> {
	const { sheetFields, autoMap } = rules;
	const record = parseInput(input, autoMap?.ignoreFields, enteredRows);
	await renewIfRenamed(sheetFields, record, autoMap);
	return await sheetFields.withNewest(async () => await changesOf(rules, record, keepsRows));
}

/** Returns the changes of a parsed input. Throws as `parseChanges`. */
async function changesOf(
	rules: ChangeRules,
	record: ParsedInput,
	keepsRows: boolean,
): Promise<ParsedChanges> {
	const { sheetFields, autoMap, refuseUnknownChoices } = rules;
	const names = namesIn(record, autoMap);
	const mustKnowFields = names.length > 0 || refuseUnknownChoices || needsFields(record, autoMap);
	if (mustKnowFields) await sheetFields.loadForNumbers(record.values.map(({ key }) => key));
	const known = await fieldsFor(sheetFields, record, mustKnowFields);
	await requireSubtables(sheetFields, known, record);
	const kinds: FieldKinds = known?.kinds ?? new Map();
	const recordRules = { ...rules, kinds, observedChoices: known?.choices, keepsRows };
	const resolve = async (listed: FieldIndex): Promise<ParsedChanges> => {
		const index = autoMap ? await namedIndex(sheetFields, listed, record) : listed;
		return { ...(await recordChanges(record, { ...recordRules, index })), kinds };
	};
	const isComplete = ({ notes }: InputChanges) => notes.every(({ reason }) => reason !== 'unknown');
	if (names.length > 0) return await sheetFields.resolved(names, resolve, isComplete);
	return await resolve(known ? await sheetFields.load() : new FieldIndex({}));
}

/** Throws InputError for rows, or deletions of rows, in a subtable that a complete list of fields does not have. */
async function requireSubtables(
	sheetFields: SheetFields,
	known: FieldIndex | undefined,
	{ rows, deletedRows }: ParsedInput,
): Promise<void> {
	if (!known?.isComplete) return;
	for (const [subtableId, rowIds] of [...rows, ...deletedRows]) {
		if (rowIds.length > 0) await sheetFields.requireSubtable(subtableId);
	}
}

/** Loads the list of fields again if an item that was read shows that a field was renamed (see `hasNewName`). Throws ServiceError. */
async function renewIfRenamed(
	sheetFields: SheetFields,
	record: ParsedInput,
	autoMap: AutoMapRules | undefined,
): Promise<void> {
	if (!autoMap?.isRead) return;
	await sheetFields.renewedIf(
		(index) => hasNewName(index, record, autoMap),
		async () => await namedIndex(sheetFields, await sheetFields.load(), record),
	);
}

/** Returns the listed fields, with their keys in reads if those are needed. */
async function namedIndex(
	sheetFields: SheetFields,
	listed: FieldIndex,
	record: ParsedInput,
): Promise<FieldIndex> {
	return needsReadNames(listed, record) ? await sheetFields.load({ readNames: true }) : listed;
}

/**
 * Returns the fields with their kinds, and with the choices that parsing needs. Without `mustKnowFields`, returns undefined if all
 * values are empty and no rows are deleted, or the kinds cannot be loaded. Throws ServiceError if they must be known and cannot be
 * loaded, or if the service cannot be reached.
 */
async function fieldsFor(
	sheetFields: SheetFields,
	{ values, deletedRows }: ParsedInput,
	mustKnowFields: boolean,
): Promise<FieldIndex | undefined> {
	const timesOf = values.filter(({ value }) => [value].flat().some(hasTimeOfDay));
	const needs = {
		choicesOf: values.map(({ key }) => key),
		timesOf: timesOf.map(({ key }) => key),
	};
	if (mustKnowFields) return await sheetFields.load(needs);
	if (deletedRows.size === 0 && values.every(({ value }) => isBlank(value))) return undefined;
	return (await sheetFields.loadKindsIfKnown()) && (await sheetFields.load(needs));
}

/**
 * Returns the record that an item was read from: its stored values, and its values in the item's time zone. Loads the source
 * records of the next items together with it. Undefined if the record does not exist any more.
 */
async function loadSourceRecord(
	item: ItemContext,
	offsetHours: number | undefined,
): Promise<SourceRecord | undefined> {
	const recordId = sourceRecordId(item.record) ?? '';
	const load = async (parameter: QueryParameter) => {
		const reading = readOptionsBy('EID', parameter);
		const loader = recordLoader(item.client, sheetParameter.parse(item), reading);
		if (!loader.isEnqueued(recordId)) loader.enqueue(...item.run.sourceIds(item.index));
		return await loader.loadAndDrop(item.client, recordId);
	};
	const stored = await load(['bbcode', true]);
	if (!stored) return undefined;
	const asRead = offsetHours === undefined ? stored : await load(['tz', offsetHours]);
	return { stored, asRead: asRead ?? stored };
}

/** Returns whether a key is that of rows, of a key that a read adds, or of the error that n8n adds to items of an error output. */
function isOmittedKey(key: string): boolean {
	const isOfRows = isSubtableKey(key) || deletionOf(key) !== undefined;
	return isOfRows || isAddedKey(key) || key === 'error';
}

/** Returns whether an item has a key. The other items of the run may lack it. */
function isInSomeItem(item: ItemContext, key: string): boolean {
	if (key in item.record) return true;
	return item.context.getInputData().some(({ json }) => key in recordIn(json));
}

async function autoMapRules(item: ItemContext, sheetFields: SheetFields): Promise<AutoMapRules> {
	const ignored = await sheetFields.fieldKeys(ignoreFields.parse(item) ?? []);
	for (const key of ignored) {
		if (!isOmittedKey(key) && !isInSomeItem(item, key)) await sheetFields.requireField(key);
	}
	const offsetHours = sourceOffset(item.record);
	let source: Promise<SourceRecord | undefined> | undefined;
	return {
		ignoreFields: new Set(ignored),
		isRead: sourceRecordId(item.record) !== undefined,
		offsetHours,
		source: async () => await (source ??= loadSourceRecord(item, offsetHours)),
	};
}
