import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../api/http/serviceError';
import { isObject } from '../api/json/objects';
import type { WhereCondition } from '../api/read/query';
import { otherSpellings } from '../api/sheet/kinds/equality';
import { holdsFieldIds } from '../api/sheet/fieldNames';
import { listOf, systemFields } from '../api/sheet/fields';
import { SheetFields } from '../api/sheet/sheetFields';
import { inferredKindNamed, nameOfInferredKind } from '../api/sheet/sources/inference';
import { InputError } from '../api/values/inputError';
import { asSentence } from '../api/values/text';
import { TextPattern, UnboundedPattern } from '../api/values/textPattern';
import type { DeliveredRecord } from '../api/webhooks/delivery';
import type { LocalCondition } from '../api/webhooks/localFilter';
import { parseConditions, parseFilters } from '../shared/parameters/filters';
import { fieldsOfSheet } from '../shared/parameters/sheet';
import { watchedFields, watchedKeys } from '../shared/trigger';
import { storedJson } from './storedJson';
import type { TriggerSetup } from './triggerParameters';

/** Filters and watched fields by field ID, because a delivery has no field names. */
export interface ChangeFilter {
	where: LocalCondition[];
	watched: string[];
	/**
	 * Set by `changeFilterOrAll` if the fields could not be looked up: a warning. There are no filters then, so every change
	 * counts.
	 */
	trouble?: string;
}

/**
 * Returns the filters and watched fields. They are stored after they are resolved, and resolved again only if the settings
 * change. So a delivery does not wait for the service, and a renamed field is still recognized. Throws InputError for unknown
 * fields and for conditions that cannot be compared with a delivery, and ServiceError.
 */
export async function changeFilter(
	setup: TriggerSetup,
	staticData: IDataObject,
): Promise<ChangeFilter> {
	const filters = parseFilters(setup);
	const fields = watchedFields.parse(setup);
	if (filters.length === 0 && fields.length === 0) return { where: [], watched: [] };
	const { events } = setup.settings;
	const { baseUrl, account } = setup.client.connection;
	const settings = JSON.stringify([baseUrl, account, setup.sheet, filters, fields, events]);
	const { wanted: stored } = staticData;
	const isStored = isObject(stored) && stored.settings === settings;
	const known = isStored ? parseChangeFilter(stored.changes) : undefined;
	if (known?.where.some(needsKind) === false) return known;
	const { where, watched } = known ?? (await lookedUp(setup));
	await addKinds(setup, where);
	staticData.wanted = { settings, changes: storedText({ where, watched }) };
	if (isStored && !known) {
		staticData.warning =
			'The stored filters and watched fields could not be read, so they were looked up again.';
	}
	return { where, watched };
}

/** Returns the filters and watched fields. If they cannot be looked up, every change counts, because a delivery is only sent once. */
export async function changeFilterOrAll(
	setup: TriggerSetup,
	staticData: IDataObject,
): Promise<ChangeFilter> {
	return await changeFilter(setup, staticData).catch((thrown: unknown) => {
		if (!(thrown instanceof InputError || thrown instanceof ServiceError)) throw thrown;
		const trouble = `Filters and watched fields were not applied, so this may be a change that is not wanted: ${thrown.message}`;
		return { where: [], watched: [], trouble: asSentence(trouble) };
	});
}

/** Maximum time for the list of fields that shows whether filtered fields still exist, in ms. */
const maxListMilliseconds = 2_000;

/** Age from which that list is loaded again, in ms. */
const maxListAgeMilliseconds = 60_000;

/**
 * Returns the conditions without those on fields that were deleted from the sheet: they would exclude every change without a word.
 * Adds a warning that names the fields. Asks the service only if a delivered record lacks a filtered field. Never throws.
 */
export async function withoutDeletedFields(
	{ client, sheet }: TriggerSetup,
	where: LocalCondition[],
	records: readonly DeliveredRecord[],
): Promise<Pick<ChangeFilter, 'where' | 'trouble'>> {
	const content = records.find((record) => record.content)?.content;
	const isAbsent = ({ fieldId }: LocalCondition) => !content?.has(fieldId);
	if (!content || !where.some(isAbsent) || !holdsFieldIds(content)) return { where };
	const inTime = client.endingWith(AbortSignal.timeout(maxListMilliseconds));
	const sheetFields = new SheetFields(inTime, sheet);
	sheetFields.forgetLists(maxListAgeMilliseconds);
	const index = await sheetFields.load().catch(() => undefined);
	const isDeleted = (condition: LocalCondition) =>
		isAbsent(condition) && index?.isComplete === true && !index.byId(condition.fieldId);
	const deleted = where.filter(isDeleted);
	if (deleted.length === 0) return { where };
	const names = new Set(deleted.map(({ name, fieldId }) => name ?? fieldId));
	const trouble = `The sheet no longer has these fields of 'Filters', so their conditions were not applied: ${listOf([...names])}. Correct 'Filters'.`;
	return { where: where.filter((condition) => !isDeleted(condition)), trouble };
}

/** Looks up the filters and watched fields, without the kinds that are inferred from records. Throws as `changeFilter`. */
async function lookedUp(setup: TriggerSetup): Promise<ChangeFilter> {
	const { events } = setup.settings;
	const watched = (await watchedKeys(setup, events, 'EID')) ?? [];
	const where: LocalCondition[] = [];
	for (const condition of await parseConditions(setup, setup.timeZone())) {
		where.push(await localCondition(setup, condition));
	}
	return { where, watched };
}

/** Returns whether a condition depends on the kind of its field, which is not known. */
function needsKind({ operator, value, type, kind }: LocalCondition): boolean {
	const isOfText = operator === 'like' || operator === 'regex' || value === '';
	return !isOfText && type === undefined && kind === undefined && otherSpellings(value).length > 0;
}

/**
 * Adds the inferred kinds to the conditions that depend on them, if they are known within two seconds (see `kindsAtOnce`). A later
 * delivery tries again for the rest.
 */
async function addKinds(setup: TriggerSetup, where: LocalCondition[]): Promise<void> {
	const unknown = where.filter(needsKind);
	const index = unknown.length > 0 ? await fieldsOfSheet(setup).loadKindsAtOnce() : undefined;
	for (const condition of unknown) condition.kind = index?.kinds.get(condition.fieldId);
}

/** Returns the text to store. Kinds are stored by their names. */
function storedText({ where, watched }: ChangeFilter): string {
	const conditions = where.map(({ kind, ...condition }) => {
		return { ...condition, inferred: kind && nameOfInferredKind(kind) };
	});
	return JSON.stringify({ where: conditions, watched });
}

/** Returns the stored filters and watched fields; undefined if they are damaged or of another version. */
function parseChangeFilter(text: unknown): ChangeFilter | undefined {
	const stored = storedJson(text);
	if (!isObject(stored) || !Array.isArray(stored.where)) return undefined;
	const where = stored.where.map(parseCondition);
	const watched: unknown[] = Array.isArray(stored.watched) ? stored.watched : [undefined];
	const areConditions = where.every((condition) => condition !== undefined);
	const areKeys = watched.every((key) => typeof key === 'string');
	return areConditions && areKeys ? { where, watched } : undefined;
}

function parseCondition(stored: unknown): LocalCondition | undefined {
	if (!isObject(stored)) return undefined;
	const { fieldId, operator, value, type, name, inferred } = stored;
	if (typeof fieldId !== 'string' || typeof operator !== 'string') return undefined;
	// Another version may have accepted a pattern that this one rejects.
	if (operator === 'regex' && typeof value === 'string' && rejectedPart(value) !== undefined) {
		return undefined;
	}
	if (typeof value !== 'string' || !isOptionalText(type) || !isOptionalText(name)) return undefined;
	return { fieldId, operator, value, type, name, kind: inferredKindNamed(inferred) };
}

function isOptionalText(value: unknown): value is string | undefined {
	return value === undefined || typeof value === 'string';
}

/** Adds the type and name of the field. Throws InputError for a system field, the operator `eqeq` and a pattern that cannot be used. */
async function localCondition(
	setup: TriggerSetup,
	condition: WhereCondition,
): Promise<LocalCondition> {
	const { fieldId, operator, value } = condition;
	const sheetFields = fieldsOfSheet(setup);
	const isSystem = systemFields.some((field) => field.fieldId === fieldId);
	if (!isSystem && operator === 'regex' && !isRegex(value)) {
		throw new InputError(
			`The pattern for '${await sheetFields.nameFor(fieldId)}' in 'Filters' is not a regular expression that a delivery can be compared with`,
			"Correct it. For parts that only the service knows, such as (?i), use Sheet Records Polling Trigger, or filter the items with n8n's Filter node.",
		);
	}
	if (isSystem || operator === 'eqeq') {
		const name = await sheetFields.nameFor(fieldId);
		throw new InputError(
			`The condition on '${name}' in 'Filters' cannot be compared with what a delivery holds`,
			"Remove it, and filter the items with n8n's Filter node, or use Sheet Records Polling Trigger.",
		);
	}
	const part = operator === 'regex' ? rejectedPart(value) : undefined;
	if (part !== undefined) {
		throw new InputError(
			`The part '${part}' of the pattern for '${await sheetFields.nameFor(fieldId)}' in 'Filters' could stop n8n on a text that somebody sends`,
			"Write the pattern without references to groups (\\1), looking back (?<=…) and large repetitions {1,1000}, or filter the items with n8n's Filter node.",
		);
	}
	const field = (await sheetFields.load()).byId(fieldId);
	return { ...condition, type: field?.type, name: field?.name };
}

/** Returns the part of a valid pattern that `TextPattern` rejects; undefined if it accepts the pattern. */
function rejectedPart(pattern: string): string | undefined {
	try {
		void new TextPattern(pattern);
		return undefined;
	} catch (error) {
		return error instanceof UnboundedPattern ? error.part : pattern;
	}
}

/** An escape of a letter that only other languages know, such as `\p{Lu}`. JavaScript would look for the letter itself. */
const foreignEscape = /^(?:[^\\]|\\[^a-z]|\\[bcdfknrstuvwx])*\\(?![bcdfknrstuvwx])[a-z]/i;

/** Returns whether a text is a regular expression that means the same here and in the service. */
function isRegex(text: string): boolean {
	try {
		return new RegExp(text) instanceof RegExp && !foreignEscape.test(text);
	} catch {
		return false;
	}
}
