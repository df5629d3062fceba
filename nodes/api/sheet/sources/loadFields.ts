import type { Client } from '../../http/client';
import { processCache } from '../../http/processState';
import { cacheKey, CachePart, SharedCache } from '../../http/runCache';
import { accessRefusals, fallbackTo, ServiceError } from '../../http/serviceError';
import { getOrLoad } from '../../json/objects';
import { readOptionsBy } from '../../read/readOptions';
import type { SheetRecord } from '../../read/record';
import { listPage, newestFirst, recordsIn } from '../../read/records';
import type { SheetAddress } from '../../values/sheetAddress';
import type { Field, FieldList } from '../fields';
import { FieldIndex } from '../fieldIndex';
import { haveOddNames, knownNames, withReadNames, type KnownNames } from '../fieldNames';
import { inferredKinds, observedCheckboxWords, observedValues } from './inference';
import { fieldsByDefinition, fieldsByRecords, fieldsBySchema } from './sources';
import type { FieldSource, NoFields } from './sources';
import { kindIn, kindOf, type FieldKinds } from '../kinds/valueKinds';

const minute = 60_000;

/** Number of newest records from which kinds and choices are inferred. */
const recordsToInfer = 200;

/** Maximum number of choices of a field, and maximum length of each. A field with more or longer ones counts as free text. */
const maxCachedChoices = 200;
const maxChoiceLength = 100;

interface LoadedList {
	/** Empty if no source lists fields. */
	index: FieldIndex;
	/** Set if a better source failed temporarily, for example with a maintenance page. */
	isProvisional: boolean;
}

/** Kinds and choices that the newest records suggest for fields. */
interface InferredFields {
	/** Kinds by field ID. */
	kinds: FieldKinds;
	/**
	 * Choices in use by field ID, for selections whose choices the service does not list. Words in use of checkboxes, most frequent
	 * first.
	 */
	choices: ReadonlyMap<string, readonly string[]>;
}

/**
 * Kept for ten minutes per user and sheet, a provisional list for one minute. Only the run remembers that no source lists
 * fields. Reading renews nothing.
 */
const fieldLists = new SharedCache<LoadedList>(
	processCache('fieldLists'),
	({ index, isProvisional }) => {
		if (index.isEmpty) return 0;
		return isProvisional ? minute : undefined;
	},
);

/** Kept for ten minutes per user and sheet; a failed read for the run only. Reading renews nothing. */
const readNames = new SharedCache<FieldList | NoFields>(processCache('readNames'), (list) =>
	typeof list === 'string' ? 0 : undefined,
);

/** Kept for ten minutes per user and sheet; for the run only if there are no records. Reading renews nothing. */
const inferredFields = new SharedCache<InferredFields | undefined>(
	processCache('inferredFields'),
	(inferred) => (inferred ? undefined : 0),
);

/** Kept for ten minutes per user, sheet and source, from the refusal on. Reading does not renew it. */
const refusedSources = processCache<true>('refusedSources');

/** Kept for an hour per user and sheet, from the first answer on. Reading does not renew it. */
const answeringSources = processCache<SourceName>('answeringSources');

/** Names of an earlier list, per user and sheet. They are used while the service lists no fields. Reading renews them. */
const lastNames = processCache<KnownNames>('lastNames');

const newestRecords = new CachePart<Promise<readonly SheetRecord[]>>();

type SourceName = 'schema' | 'definition' | 'records';

/** The sources of fields, best first. */
const sources: Readonly<Record<SourceName, FieldSource>> = {
	schema: fieldsBySchema,
	definition: fieldsByDefinition,
	records: async (client, sheet) =>
		await readNames.get(
			client,
			cacheKey(client, sheet),
			async () => await fieldsByRecords(client, sheet),
		),
};
const sourceNames: readonly SourceName[] = ['schema', 'definition', 'records'];

/**
 * Returns the fields of a sheet with kinds and choices. They are loaded once per run, and runs share them for ten minutes per
 * user and sheet. Costs one request if the schema lists all types, otherwise one per source that is tried (two for
 * `records`), and one for the newest records. Throws ServiceError.
 */
export async function loadFields(client: Client, sheet: SheetAddress): Promise<FieldIndex> {
	const index = await loadFieldList(client, sheet);
	const { fields } = index;
	const isIncomplete = index.isEmpty || fields.some(({ type }) => type === undefined);
	const inferred = isIncomplete ? await loadInferredFields(client, sheet) : undefined;
	const kinds = new Map(inferred?.kinds);
	for (const field of fields) {
		if (field.type !== undefined) kinds.set(field.fieldId, kindOf(field));
	}
	return index.with({ kinds, choices: inferred?.choices ?? new Map() });
}

/**
 * Returns the fields and subtables from the best source that lists them for the user; an empty index if no source does. Throws
 * ServiceError.
 */
export async function loadFieldList(client: Client, sheet: SheetAddress): Promise<FieldIndex> {
	const key = cacheKey(client, sheet);
	const load = async () => await listFromSources(client, sheet, key);
	return (await fieldLists.get(client, key, load)).index;
}

/**
 * Returns the list. Adds the names by which reads show the fields, and loads these only if names are missing or not unique.
 * Throws ServiceError.
 */
export async function loadNamedList(client: Client, sheet: SheetAddress): Promise<FieldIndex> {
	const key = cacheKey(client, sheet);
	const index = await loadFieldList(client, sheet);
	if (!haveOddNames(index.fields)) return index;
	const asRead = await listFrom('records', client, sheet, key).catch(fallbackTo(undefined));
	const named = typeof asRead === 'object' ? asRead.fields : undefined;
	return index.with({ fields: withReadNames(index.fields, named) });
}

/** Returns the names of the fields, including names of an earlier list that the new list lacks. Throws ServiceError. */
export async function loadNames(client: Client, sheet: SheetAddress): Promise<KnownNames> {
	const { fields } = await loadNamedList(client, sheet);
	const names = { ...lastKnownNames(client, sheet), ...knownNames(fields) };
	lastNames.set(cacheKey(client, sheet), names);
	return names;
}

/** Returns the names that `loadNames` returned last in this process for the same user; an empty object if it was not called. */
export function lastKnownNames(client: Client, sheet: SheetAddress): KnownNames {
	return lastNames.get(cacheKey(client, sheet)) ?? {};
}

/**
 * Returns kinds and choices that the newest records suggest. They are empty if there are no records or the user may not read
 * them. Throws ServiceError.
 */
export async function loadInferredFields(
	client: Client,
	sheet: SheetAddress,
): Promise<InferredFields> {
	const load = async () => {
		const records = await loadNewestRecords(client, sheet);
		return records.length === 0 ? undefined : await inferFields(client, sheet, records);
	};
	const inferred = await inferredFields.get(client, cacheKey(client, sheet), load);
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
	const key = cacheKey(client, sheet);
	const refusal = refusalKey(key, 'records');
	return await getOrLoad(client.cache.part(newestRecords), key, async () => {
		if (refusedSources.get(refusal)) return [];
		const request = { sheet, where: [], reading: readOptionsBy('EID'), order: [newestFirst] };
		const page = listPage(client, request, { offset: 0, limit: recordsToInfer }, recordsIn);
		return await page.catch((error: unknown) => {
			const noRecords = fallbackTo([], ...accessRefusals)(error);
			// An answer without a code may be a fault of the moment.
			const hasCode = error instanceof ServiceError && error.details.code !== undefined;
			if (hasCode) refusedSources.set(refusal, true);
			return noRecords;
		});
	});
}

/** Drops the lists and inferred kinds of a sheet that other runs loaded more than `minAge` ms ago. Refusals of sources stay. */
export function forgetLists(client: Client, sheet: SheetAddress, minAge: number): void {
	const key = cacheKey(client, sheet);
	fieldLists.forget(client, key, minAge);
	readNames.forget(client, key, minAge);
	inferredFields.forget(client, key, minAge);
}

/** Drops the refusals of a sheet and which source answered last, so that all sources are tried again, best first. */
export function forgetSources(client: Client, sheet: SheetAddress): void {
	const key = cacheKey(client, sheet);
	answeringSources.delete(key);
	for (const source of sourceNames) refusedSources.delete(refusalKey(key, source));
}

async function listFromSources(
	client: Client,
	sheet: SheetAddress,
	key: string,
): Promise<LoadedList> {
	const last = answeringSources.get(key);
	let isProvisional = false;
	for (const source of new Set([...(last ? [last] : []), ...sourceNames])) {
		const found = await listFrom(source, client, sheet, key);
		if (typeof found === 'object') {
			if (source !== last && !isProvisional) answeringSources.set(key, source);
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
	key: string,
): Promise<FieldList | NoFields> {
	if (refusedSources.get(refusalKey(key, source))) return 'refused';
	const found = await sources[source](client, sheet);
	if (found === 'refused') refusedSources.set(refusalKey(key, source), true);
	return found;
}

function refusalKey(key: string, source: SourceName): string {
	return `${key} ${source}`;
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
