import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf, withRows } from '../read/record';
import { isAddedKey, keysBesideFields } from '../read/recordKeys';
import type { Field } from '../schema/fields';
import { findField, idInKey, isFieldId, isKeyOf, isSurelyFieldId, nameOf } from '../schema/fields';
import { holdsFiles, isFilledIn, valueKind } from '../schema/fieldTypes';
import type { Schema } from '../schema/schema';
import { fromServiceDate, hoursBetween, storedTime, type Clock } from '../values/dates';
import { isSurelyFile } from '../values/fileNames';
import { InputError } from '../values/inputError';
import { isBlank, isMasked, looksRendered } from '../values/text';
import { fieldValue, holdsDate, isValidOnlyAsRead, parsedValue, unknownChoice } from './fieldValue';
import type { ParsedInput, PlacedValue } from './parsedInput';
import { noChanges, type NoteReason, type RecordChanges, type ValueNote } from './recordContent';
import { sameIn } from './sameValue';

/** The content of the record from which an item was read, or of one of its rows. */
export interface SourceRecord {
	stored: JsonObject;
	/** The same with times as the item has them. */
	shown: JsonObject;
}

/** How an item is taken that was not written for the sheet by hand. */
export interface AutoMapRules {
	/** Names and ids of fields to pass over, and keys. */
	ignoreFields: ReadonlySet<string>;
	/** The item says of which record it is: its values are those that a read yields. */
	isRead: boolean;
	/** The hours of `tz` with which it was read. */
	timeZone?: number;
	/** Reads its record; undefined where that is not shown. */
	source: () => Promise<SourceRecord | undefined>;
}

export interface RecordInputRules {
	/** The fields of the sheet; empty when every key is a field id and nothing had to be looked up. */
	fields: readonly Field[];
	/** Asked for types and choices that are not listed, where a value needs them. */
	schema: Pick<Schema, 'types' | 'choices'>;
	/** For an item that is mapped automatically: it may come from a read. */
	autoMap?: AutoMapRules;
	/** Leave out names that the sheet does not have, instead of refusing them. */
	ignoreUnknown?: boolean;
	refuseUnknownChoices?: boolean;
	/** Send empty values, which clear fields; otherwise they are left out. */
	clearEmpty: boolean;
	/** Keep rows and subtables that have no value: what is not given will be deleted. */
	keepsRows?: boolean;
	/** Where moments are read off as wall-clock times. */
	clock: Clock;
}

/** The changes of an input, with notes on values that are left out or may not be saved. */
export interface InputChanges extends RecordChanges {
	notes: ValueNote[];
}

/** Returns the keys of the input and its rows that are names to resolve. */
export function namesIn({ values }: ParsedInput, autoMap?: AutoMapRules): string[] {
	const isPassedOver = (key: string) =>
		autoMap ? key.startsWith('_') || autoMap.ignoreFields.has(key) : isAddedKey(key);
	return values.map(({ key }) => key).filter((key) => !isPassedOver(key) && !isFieldId(key));
}

/** Whether the list of fields decides on something in the input: on the form of a value, or whether a number is an id or a name. */
export function needsFields({ values }: ParsedInput, autoMap?: AutoMapRules): boolean {
	if (autoMap && (autoMap.isRead || autoMap.ignoreFields.size > 0)) return true;
	return values.some(({ key, value }) => {
		if (!autoMap && isAddedKey(key)) return false;
		const mayBeField = autoMap !== undefined && key.startsWith('_');
		const mayBeName = isFieldId(key) && !isSurelyFieldId(key);
		const hasOpenForm = typeof value === 'boolean' || mayBeSeveral(value) || holdsDate(value);
		return mayBeField || mayBeName || hasOpenForm;
	});
}

/** Whether a key may be a name that only reads give: to a field without a name, or to one that shares its name. */
export function needsReadNames(fields: readonly Field[], { values }: ParsedInput): boolean {
	const isFor = ({ key, subtableId }: PlacedValue, field: Field) =>
		field.subtableId === subtableId && [field.fieldId, field.name].includes(key);
	const named = values.filter(({ key }) => fields.length > 0 && !key.startsWith('_'));
	return named.some((place) => fields.filter((field) => isFor(place, field)).length !== 1);
}

function mayBeSeveral(value: unknown): boolean {
	return typeof value === 'string' && value.includes(',');
}

/** Returns the changes of an input, by field ids. Throws InputError for unknown and ambiguous names, and for values that cannot be written. */
export async function recordChanges(
	{ values, rows, deletedRows }: ParsedInput,
	rules: RecordInputRules,
): Promise<InputChanges> {
	const changes: InputChanges = { ...noChanges(), deletedRows, notes: [] };
	for (const [subtableId, rowIds] of rules.keepsRows ? rows : []) {
		changes.subtables.set(subtableId, new Map(rowIds.map((rowId) => [rowId, new Map()])));
	}
	for (const place of values) await addValue(place, rules, changes);
	return changes;
}

/** Adds a value of the input to the changes, or a note on why it is left out. */
async function addValue(
	place: PlacedValue,
	rules: RecordInputRules,
	changes: InputChanges,
): Promise<void> {
	const { key, subtableId, rowId, value: shown } = place;
	const { autoMap, clearEmpty } = rules;
	const { notes } = changes;
	const field = fieldOf(place, rules);
	if (typeof field === 'string') notes.push({ name: key, reason: field });
	if (typeof field !== 'object') return;
	if (isBlank(shown) && (!clearEmpty || shown === undefined)) return;
	const { fieldId } = field;
	const name = nameOf(field);
	const holders = async () =>
		autoMap?.isRead ? holdersIn(await autoMap.source(), subtableId, rowId) : [];
	const timeZone = autoMap?.timeZone;
	const isShownTime = timeZone !== undefined && storedTime(shown, timeZone, 0) !== undefined;
	const value = isShownTime ? storedInstead(fieldId, shown, timeZone, await holders()) : shown;
	const isShifted = value === undefined ? 'shifted' : undefined;
	const reason = (autoMap && reasonToLeaveOut(field, shown, autoMap)) ?? isShifted;
	const note = { name, fieldId, subtableId, rowId, value: value ?? shown };
	if (reason) {
		// The mask of a read does not say what the record is to hold.
		const isOwnMask = reason === 'masked' && field.type !== undefined && autoMap?.isRead;
		notes.push({ ...note, reason, value: isOwnMask ? undefined : note.value });
		return;
	}
	const label = name === fieldId ? key : name;
	const judged = await judgedField(field, value, rules);
	const isOpen = isValidOnlyAsRead(judged, value) || unknownChoice(field, label, value);
	const same = isOpen ? sameAs(await holders(), fieldId, value) : undefined;
	const parsed = same ? value : parsedValue(judged, label, value);
	const given = Array.isArray(parsed) ? parsed.filter((one) => !isBlank(one)) : parsed;
	if (isBlank(given) && !clearEmpty) return;
	const stored = same?.stored ?? (isBlank(given) ? '' : undefined);
	const written = stored ?? fieldValue(judged, label, given, rules.clock);
	const holder = holderIn(changes, place);
	if (holder.has(fieldId)) {
		throw new InputError(
			`'${key}' and another key both stand for the field '${name}' (${fieldId})`,
		);
	}
	holder.set(fieldId, written);
	const problem = same ? undefined : unknownChoice(field, label, written);
	if (problem === undefined) return;
	if (rules.refuseUnknownChoices) throw new InputError(problem);
	notes.push({ ...note, reason: 'noChoice' });
}

/** Returns the values of the record, or of the row, in which a place is. */
function holderIn({ fields, subtables }: RecordChanges, { subtableId, rowId }: PlacedValue) {
	if (subtableId === undefined || rowId === undefined) return fields;
	const rows = getOrInsert(subtables, subtableId, () => new Map());
	return getOrInsert(rows, rowId, () => new Map());
}

/** Returns the field of a key, undefined when it is ignored, or why it is left out. Throws InputError for unknown and ambiguous names. */
function fieldOf(
	{ key, subtableId }: PlacedValue,
	{ fields, autoMap, ignoreUnknown }: RecordInputRules,
): Field | NoteReason | undefined {
	if (!autoMap && !ignoreUnknown) return findField(fields, key, subtableId);
	if (autoMap?.ignoreFields.has(key)) return undefined;
	const candidates = fields.filter((field) => field.subtableId === subtableId);
	// Reads give such a field another name.
	const isBeside = autoMap?.isRead === true && keysBesideFields.has(key);
	const isField = !isBeside && candidates.some(({ name }) => name === key);
	if (isAddedKey(key) && !isField) return undefined;
	const id = key.trim();
	const asRead = candidates.find(({ readName }) => readName === key);
	const isId = ignoreUnknown && fields.length > 0 ? isSurelyFieldId(id) : isFieldId(id);
	const isKnown = isId || asRead !== undefined || candidates.some((one) => isKeyOf(key, one));
	// No read of ours adds it, but others may.
	const mayBeAdded = autoMap !== undefined && key.startsWith('_');
	// Rows of an unknown subtable must not be lost.
	const isLost = subtableId !== undefined && candidates.length === 0 && fields.length > 0;
	if (!isKnown && !isLost && (ignoreUnknown || mayBeAdded)) return 'unknown';
	const field = (autoMap?.isRead && asRead) || findField(fields, key, subtableId);
	const isOfOther = (name: string) => candidates.some((other) => other.name === name);
	const isIgnored = [...(autoMap?.ignoreFields ?? [])].some(
		(name) =>
			[field.fieldId, nameOf(field)].includes(name) ||
			(idInKey(name) === field.fieldId && !isOfOther(name)),
	);
	return isIgnored ? undefined : field;
}

/** Returns why a value must not be written back: the service would refuse it, or store something else than what was read. */
export function reasonToLeaveOut(
	field: Field,
	value: unknown,
	{ isRead }: Pick<AutoMapRules, 'isRead'>,
): NoteReason | undefined {
	if (isFilledIn(field)) return 'filledIn';
	const { type } = field;
	// Several files come as an array whose first element may be empty.
	const values = [value].flat().filter((one) => one !== '');
	const areFiles = values.length > 0 && values.every(isSurelyFile);
	if (holdsFiles(field) || (type === undefined && areFiles)) return 'file';
	const mayBe = (types: RegExp) => (type === undefined ? isRead : types.test(type));
	if (mayBe(/mask/i) && isMasked(value)) return 'masked';
	return isRead && mayBe(/rich|html|bbcode/i) && looksRendered(value) ? 'html' : undefined;
}

/** Returns a time of another zone as it is stored: unchanged, as a holder has it, else by the hours between; undefined where these are unknown. */
function storedInstead(
	fieldId: string,
	value: unknown,
	timeZone: number,
	holders: readonly SourceRecord[],
): string | undefined {
	const held = holders.map(({ stored, shown }) => [stored.get(fieldId), shown.get(fieldId)]);
	const isShownAs = (shown: JsonValue | undefined) =>
		typeof shown === 'string' && [shown, fromServiceDate(shown, timeZone)].includes(String(value));
	const own = held.find(([, shown]) => isShownAs(shown))?.[0];
	if (typeof own === 'string') return own;
	const hours = held.map(([stored, shown]) => hoursBetween(stored, shown));
	return storedTime(value, timeZone, hours.find((one) => one !== undefined) ?? NaN);
}

/** Returns a field with what its list lacks and the value needs: its type and its choices as records show them. */
async function judgedField(
	field: Field,
	value: unknown,
	{ schema, autoMap }: RecordInputRules,
): Promise<Field> {
	const needsType = autoMap?.isRead ? !isBlank(value) : mayBeSeveral(value) || holdsDate(value);
	const types = field.type === undefined && needsType ? await schema.types() : undefined;
	const type = field.type ?? types?.get(field.fieldId);
	const needsChoices = !field.choices && valueKind(type) === 'list' && mayBeSeveral(value);
	const observed = needsChoices ? await schema.choices([field]) : undefined;
	return { ...field, type, choices: field.choices ?? observed?.get(field.fieldId)?.choices };
}

/** Returns the row from which values were read; where that is not known, the record and all of its rows. */
function holdersIn(source?: SourceRecord, subtableId = '', rowId = ''): SourceRecord[] {
	if (!source) return [];
	const { stored, shown } = source;
	const rowIn = (record: JsonObject) => rowsOf(record, subtableId)?.get(rowId);
	const [row, shownRow] = [rowIn(stored), rowIn(shown)];
	if (isJsonObject(row)) return [{ stored: row, shown: isJsonObject(shownRow) ? shownRow : row }];
	const others = [...withRows(shown)];
	return [...withRows(stored)].map((own, index) => ({ stored: own, shown: others[index] ?? own }));
}

/** Returns whether one of those holds the value, and a text or a date as it is stored: reads may show both in ISO 8601. */
function sameAs(holders: readonly SourceRecord[], fieldId: string, value: unknown) {
	const given = Array.isArray(value) ? value.map(String) : String(value);
	const held = holders.map((holder) => {
		const stored = holder.stored.get(fieldId);
		const same = sameIn(stored, given);
		const isText = typeof stored === 'string' && (same === 'all' || same === 'date');
		return same && { same, stored: isText ? stored : undefined };
	});
	return held.find((one) => one?.same === 'all') ?? held.find((one) => one !== undefined);
}
