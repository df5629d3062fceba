import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { rowsOf, withRows } from '../read/record';
import { isAddedKey } from '../read/recordKeys';
import { isFieldId, isSurelyFieldId, listOf, nameOf, type Field } from '../schema/fields';
import { holdsDatesOnly, isSelection, valueKind } from '../schema/fieldTypes';
import type { Schema } from '../schema/schema';
import { isDateLike, storedTime, type Clock } from '../values/dates';
import { InputError } from '../values/inputError';
import { isBlank } from '../values/text';
import { fieldValue, parsedValue, isValidOnlyAsRead } from './fieldValue';
import type { ParsedInput, PlacedValue } from './parsedInput';
import { noChanges, type RecordChanges, type ValueNote } from './recordContent';
import { sameIn } from './sameValue';
import { fieldOf, reasonToLeaveOut, storedInstead } from './writeBack';
import type { AutoMapRules, KeyRules, SourceRecord } from './writeBack';

export interface RecordInputRules extends KeyRules {
	/** Asked for types and choices that are not listed, where a value needs them. */
	schema: Pick<Schema, 'inferredTypes' | 'choices'>;
	/** Refuse a value that is none of the listed choices. */
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
	const keys = values.map(({ key }) => key);
	return keys.filter((key) => !isPassedOver(key) && !isFieldId(key));
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

function mayBeSeveral(value: unknown): boolean {
	return typeof value === 'string' && value.includes(',');
}

function holdsDate(value: unknown): boolean {
	return [value].flat().some(isDateLike);
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
	{ fields, subtables, notes }: InputChanges,
): Promise<void> {
	const { key, subtableId, rowId, value: shown } = place;
	const { autoMap, clearEmpty } = rules;
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
	const isOpen = autoMap?.isRead && (needsRecord(judged, value) || unknownChoice(field, value));
	const same = isOpen ? sameAs(await holders(), fieldId, value) : undefined;
	const parsed = same ? value : parsedValue(judged, label, value);
	const given = Array.isArray(parsed) ? parsed.filter((one) => !isBlank(one)) : parsed;
	if (isBlank(given) && !clearEmpty) return;
	const stored = same?.stored ?? (isBlank(given) ? '' : undefined);
	const written = stored ?? fieldValue(judged, label, given, rules.clock);
	const isOfRow = subtableId !== undefined && rowId !== undefined;
	const holder = isOfRow
		? getOrInsert(
				getOrInsert(subtables, subtableId, () => new Map()),
				rowId,
				() => new Map(),
			)
		: fields;
	if (holder.has(fieldId)) {
		throw new InputError(
			`'${key}' and another key both stand for the field '${name}' (${fieldId})`,
		);
	}
	holder.set(fieldId, written);
	const unknown = same ? undefined : unknownChoice(field, written);
	if (unknown === undefined) return;
	const message = `'${unknown}' is not a choice of '${label}': ${listOf(field.choices ?? [])}`;
	if (rules.refuseUnknownChoices) throw new InputError(message);
	notes.push({ ...note, reason: 'noChoice' });
}

/** Returns a field with what its list lacks and the value needs: its type and its choices as records show them. */
async function judgedField(
	field: Field,
	value: unknown,
	{ schema, autoMap }: RecordInputRules,
): Promise<Field> {
	const needsType = autoMap?.isRead ? !isBlank(value) : mayBeSeveral(value) || holdsDate(value);
	const types = !field.type && needsType ? await schema.inferredTypes() : undefined;
	const type = field.type ?? types?.get(field.fieldId);
	const needsChoices = !field.choices && valueKind(type) === 'list' && mayBeSeveral(value);
	const observed = needsChoices ? await schema.choices([field]) : undefined;
	return { ...field, type, choices: field.choices ?? observed?.get(field.fieldId)?.choices };
}

/** Whether the record from which an item was read decides on a value: on a possible date, and on what is valid only as read. */
function needsRecord(judged: Field, value: unknown): boolean {
	return isValidOnlyAsRead(judged, value) || (holdsDate(value) && !holdsDatesOnly(judged.type));
}

/** Returns the row from which values were read; where that is not known, the record and all of its rows. */
function holdersIn(source?: SourceRecord, subtableId = '', rowId = ''): SourceRecord[] {
	if (!source) return [];
	const { stored, shown } = source;
	const rowIn = (record: JsonObject) => rowsOf(record, subtableId)?.get(rowId);
	const [row, shownRow] = [rowIn(stored), rowIn(shown)];
	if (isJsonObject(row)) return [{ stored: row, shown: isJsonObject(shownRow) ? shownRow : row }];
	const others = [...withRows(shown)];
	return [...withRows(stored)].map((fields, index) => ({
		stored: fields,
		shown: others[index] ?? fields,
	}));
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

/** Returns the first value that is none of the listed choices of a field. */
function unknownChoice(field: Field, value: unknown): string | undefined {
	const { choices = [] } = isSelection(field) ? field : {};
	const isUnknown = (text: string) => text !== '' && !choices.includes(text);
	return choices.length === 0 ? undefined : [value].flat().map(String).find(isUnknown);
}
