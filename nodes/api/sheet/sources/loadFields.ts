import type { Client } from '../../http/client';
import { accessRefusals, fallbackTo, ServiceError } from '../../http/serviceError';
import { readOptionsBy } from '../../read/readOptions';
import type { SheetRecord } from '../../read/record';
import { listPage, newestFirst, recordsIn } from '../../read/records';
import type { SheetAddress } from '../../values/sheetAddress';
import { FieldIndex } from '../fieldIndex';
import { haveOddNames, knownNames, withReadNames, type KnownNames } from '../fieldNames';
import type { Field, FieldList } from '../fields';
import { kindIn, kindNamed, kindOf, type FieldKinds } from '../kinds/valueKinds';
import { inferredKinds, observedCheckboxWords, observedValues } from './inference';
import { noteFieldCount, sheetMemory, sourceNames } from './sheetMemory';
import type { InferredFields, LoadedList, RunMemory, SourceName } from './sheetMemory';
import { fieldsByDefinition, fieldsByRecords, fieldsBySchema } from './sources';
import type { FieldSource, NoFields } from './sources';

/** Number of newest records from which kinds and choices are inferred. */
const recordsToInfer = 200;

/** Maximum number of choices of a field, and maximum length of each. A field with more or longer ones counts as free text. */
const maxCachedChoices = 200;
const maxChoiceLength = 100;

/** The sources of fields. */
const sources: Readonly<Record<SourceName, FieldSource>> = {
	schema: fieldsBySchema,
	definition: fieldsByDefinition,
	records: async (client, sheet) =>
		await sheetMemory(client, sheet).readNames.get(
			async () => await fieldsByRecords(client, sheet),
		),
};

/**
 * Returns the fields and subtables from the best source that lists them for the user; an empty index if no source does. Throws
 * ServiceError.
 */
export async function loadFieldList(client: Client, sheet: SheetAddress): Promise<FieldIndex> {
	const load = async () => await listFromSources(client, sheet);
	return (await sheetMemory(client, sheet).list.get(load)).index;
}

/**
 * Returns the fields with the names by which reads show them, and loads these names only if names are missing or not unique.
 * Throws ServiceError.
 */
export async function loadNamedList(client: Client, sheet: SheetAddress): Promise<FieldIndex> {
	const index = await loadFieldList(client, sheet);
	if (!haveOddNames(index.fields)) return index;
	const memory = sheetMemory(client, sheet);
	const known = memory.named;
	if (known?.from === index) return known.index;
	const asRead = await listFrom('records', client, sheet).catch(fallbackTo(undefined));
	if (typeof asRead !== 'object') return index;
	const named = index.withFields(withReadNames(index.fields, asRead.fields));
	memory.named = { from: index, index: named };
	return named;
}

/**
 * Returns the fields with their kinds. Costs one request if the schema lists all types, otherwise one per source that is tried (two
 * for `records`), and one for the newest records. Throws ServiceError.
 */
export async function loadTypedList(client: Client, sheet: SheetAddress): Promise<FieldIndex> {
	const index = await loadFieldList(client, sheet);
	const memory = sheetMemory(client, sheet);
	if (memory.typed?.from === index) return memory.typed.index;
	const isIncomplete = index.isEmpty || index.fields.some(({ type }) => type === undefined);
	const inferred = isIncomplete ? await loadInferredFields(client, sheet) : undefined;
	const kinds = new Map(inferred?.kinds);
	for (const field of index.fields) {
		if (field.type !== undefined) kinds.set(field.fieldId, kindOf(field));
	}
	const typed = index.with({ kinds, choices: inferred?.choices ?? new Map() });
	memory.typed = { from: index, index: typed };
	return typed;
}

/**
 * Returns the kinds of an index, with times of day for each field that has the type of a date, although the newest records hold
 * dates with a time in it.
 */
export function kindsWithTimes(index: FieldIndex, inferred: FieldKinds): FieldKinds {
	const withTimes = index.fields.filter((field) => {
		const isDate = kindOf(field).is('date') && !index.kindOf(field).hasTime;
		return isDate && inferred.get(field.fieldId)?.hasTime === true;
	});
	if (withTimes.length === 0) return index.kinds;
	const times = withTimes.map(({ fieldId }) => [fieldId, kindNamed('dateTime')] as const);
	return new Map([...index.kinds, ...times]);
}

/** Returns the names of the fields, including names of an earlier list that the new list lacks. Throws ServiceError. */
export async function loadNames(client: Client, sheet: SheetAddress): Promise<KnownNames> {
	const { fields } = await loadNamedList(client, sheet);
	const { ofProcess } = sheetMemory(client, sheet);
	ofProcess.names = { ...ofProcess.names, ...knownNames(fields) };
	return ofProcess.names;
}

/** Returns the names that `loadNames` returned last in this process for the same user; an empty object if it was not called. */
export function lastKnownNames(client: Client, sheet: SheetAddress): KnownNames {
	return sheetMemory(client, sheet).ofProcess.names;
}

/**
 * Returns kinds and choices that the newest records suggest. They are empty if there are no records or the user may not read
 * them. Throws ServiceError.
 */
export async function loadInferredFields(
	client: Client,
	sheet: SheetAddress,
): Promise<InferredFields> {
	const inferred = await sheetMemory(client, sheet).inferred.get(async () => {
		const records = await loadNewestRecords(client, sheet);
		return records.length === 0 ? undefined : await inferFields(client, sheet, records);
	});
	return inferred ?? { kinds: new Map(), choices: new Map() };
}

/**
 * Returns the newest records, loaded once per run; an empty list if the user may not read them. A refusal with a code is
 * cached. Throws ServiceError.
 */
export async function loadNewestRecords(
	client: Client,
	sheet: SheetAddress,
): Promise<readonly SheetRecord[]> {
	const memory = sheetMemory(client, sheet);
	const loading = (memory.newestRecords ??= fetchNewestRecords(client, sheet, memory));
	return await loading.catch((error: unknown) => {
		if (memory.newestRecords === loading) memory.newestRecords = undefined;
		throw error;
	});
}

async function fetchNewestRecords(
	client: Client,
	sheet: SheetAddress,
	{ ofProcess }: RunMemory,
): Promise<readonly SheetRecord[]> {
	const refusal = ofProcess.refusals.records;
	if (refusal.get()) return [];
	const request = { sheet, where: [], reading: readOptionsBy('EID'), order: [newestFirst] };
	const page = listPage(client, request, { offset: 0, limit: recordsToInfer }, recordsIn);
	return await page.catch((error: unknown) => {
		const noRecords = fallbackTo([], ...accessRefusals)(error);
		// An answer without a code may be a fault of the moment.
		const hasCode = error instanceof ServiceError && error.details.code !== undefined;
		if (hasCode) refusal.set(true);
		return noRecords;
	});
}

/** Drops the lists and inferred kinds of a sheet that other runs loaded more than `minAge` ms ago. Refusals of sources stay. */
export function forgetLists(client: Client, sheet: SheetAddress, minAge: number): void {
	const memory = sheetMemory(client, sheet);
	for (const value of [memory.list, memory.readNames, memory.inferred]) value.forget(minAge);
	memory.named = undefined;
	memory.typed = undefined;
}

/** Drops the refusals of a sheet and which source answered last, so that all sources are tried again, best first. */
export function forgetSources(client: Client, sheet: SheetAddress): void {
	const { refusals, answering } = sheetMemory(client, sheet).ofProcess;
	answering.clear();
	for (const source of sourceNames) refusals[source].clear();
}

async function listFromSources(client: Client, sheet: SheetAddress): Promise<LoadedList> {
	const { answering } = sheetMemory(client, sheet).ofProcess;
	const last = answering.get();
	let isProvisional = false;
	for (const source of new Set([...(last ? [last] : []), ...sourceNames])) {
		const found = await listFrom(source, client, sheet);
		if (typeof found === 'object') {
			if (source !== last && !isProvisional) answering.set(source);
			noteFieldCount(sheetMemory(client, sheet), found.fields.length);
			return { index: new FieldIndex(found), isProvisional };
		}
		if (found === 'inTrouble') isProvisional = true;
	}
	return { index: new FieldIndex({}), isProvisional };
}

/** Returns the fields from one source. Sends no request while a refusal of the source is cached. */
async function listFrom(
	source: SourceName,
	client: Client,
	sheet: SheetAddress,
): Promise<FieldList | NoFields> {
	const refusal = sheetMemory(client, sheet).ofProcess.refusals[source];
	if (refusal.get()) return 'refused';
	const found = await sources[source](client, sheet);
	if (found === 'refused') refusal.set(true);
	return found;
}

/** Returns the words of checkboxes in the records, by field ID. */
function checkboxWordsIn(
	records: readonly SheetRecord[],
	checkboxes: readonly Field[],
): Map<string, readonly string[]> {
	const choices = new Map<string, readonly string[]>();
	for (const { fieldId } of checkboxes) {
		const words = observedCheckboxWords(records, fieldId);
		if (words.length > 0) choices.set(fieldId, words);
	}
	return choices;
}

async function inferFields(
	client: Client,
	sheet: SheetAddress,
	records: readonly SheetRecord[],
): Promise<InferredFields> {
	const kinds = inferredKinds(records);
	const { fields: listed } = await loadFieldList(client, sheet);
	const fields = new Map(listed.map((field) => [field.fieldId, field]));
	const unlisted = [...kinds.keys()].filter((fieldId) => !fields.has(fieldId));
	for (const fieldId of unlisted) fields.set(fieldId, { fieldId, name: fieldId });
	const kindOfField = (field: Field) =>
		field.type === undefined ? kindIn(kinds, field) : kindOf(field);
	const candidates = [...fields.values()].filter((field) => {
		const mayBeSelection = field.type === undefined && kindOfField(field).is('text');
		return !field.choices && (mayBeSelection || kindOfField(field).isSelection);
	});
	const checkboxes = [...fields.values()].filter((field) => kindOfField(field).is('checkbox'));
	const choices = checkboxWordsIn(records, checkboxes);
	for (const [fieldId, observed] of observedValues(records, candidates)) {
		const field = fields.get(fieldId);
		const isSelection = field && kindOfField(field).isSelection;
		if (!isSelection && observed.kind?.isSelection !== true) continue;
		const isFreeText = observed.choices.some((choice) => choice.length > maxChoiceLength);
		if (!isFreeText && observed.choices.length <= maxCachedChoices) {
			choices.set(fieldId, observed.choices);
		}
	}
	return { kinds, choices };
}
