import { isAddedKey } from '../read/recordKeys';
import { chosenIn } from '../read/selectionText';
import { switchIn } from '../sheet/kinds/checkbox';
import { scopeOf, type FieldIndex } from '../sheet/fieldIndex';
import { isFieldId, isSurelyFieldId, keyWithId, listOf, nameOf, type Field } from '../sheet/fields';
import type { SheetFields } from '../sheet/sheetFields';
import { kindIn, kindOf, type FieldKinds } from '../sheet/kinds/valueKinds';
import type { KindName, ParseContext, ValueKind } from '../sheet/kinds/valueKind';
import { isInexact, type FieldValue } from '../sheet/kinds/valueChecks';
import { isDateLike, storedTime, type TimeZone } from '../values/dates';
import { isSurelyFile } from '../values/fileNames';
import { InputError, ValueError } from '../values/inputError';
import { subtableKey } from '../values/subtableKeys';
import { isBlank, isMasked, looksRendered, textOf } from '../values/text';
import { inputField, type KeyRules } from './inputField';
import type { ParsedInput, PlacedValue } from './parsedInput';
import { isStoredRowId, noChanges, valuesAt } from './recordContent';
import type { NoteReason, RecordChanges, ValueNote } from './recordContent';
import { sourceRowsOf, storedValueFor, unshiftedTime, type SourceRecord } from './sourceRecord';

/** Rules for an item that is mapped automatically. */
export interface AutoMapRules extends NonNullable<KeyRules['autoMap']> {
	/** Offset of `tz` with which the item was read, in hours. */
	offsetHours?: number;
	/** Loads the record that the item was read from; undefined if it cannot be read. */
	source: () => Promise<SourceRecord | undefined>;
}

/** Rules for converting an input to changes of a record. */
export interface RecordInputRules extends KeyRules {
	/** Known kinds of the sheet's fields. */
	kinds: FieldKinds;
	/** Loads the choices of a multiple selection if the list of fields lacks them. */
	sheetFields: Pick<SheetFields, 'observedValues'>;
	/** Set for an item that is mapped automatically, which may come from a read. */
	autoMap?: AutoMapRules;
	/** Choices that records contain, by field ID, of selections whose choices no source lists. */
	observedChoices?: ReadonlyMap<string, readonly string[]>;
	/** Whether a value that is not a known choice, or that no record contains, is rejected. */
	refuseUnknownChoices?: boolean;
	/** Whether empty values are sent, which clear fields. Otherwise they are left out. */
	clearEmpty: boolean;
	/** Whether rows and subtables without values are kept, because rows that are not in the input will be deleted. */
	keepsRows?: boolean;
	/** Time zone in which instants are written as wall-clock times. */
	timeZone: TimeZone;
}

/** The changes of an input, with notes on values that are left out or may not be saved. */
export interface InputChanges extends RecordChanges {
	notes: ValueNote[];
}

/**
 * Returns the keys of the input and its rows that are names to resolve: no numbers (see `needsFields`), and no keys that reads
 * add. With `autoMap`, no ignored fields, and no other keys that begin with an underscore.
 */
export function namesIn({ values }: ParsedInput, autoMap?: AutoMapRules): string[] {
	const isIgnored = ({ key, isEntered }: PlacedValue) =>
		!isEntered && autoMap?.ignoreFields.has(key) === true;
	const isLeftOut = ({ key }: PlacedValue) => (autoMap ? key.startsWith('_') : isAddedKey(key));
	const named = values.filter((place) => !isLeftOut(place) && !isIgnored(place));
	return named.map(({ key }) => key).filter((key) => !isFieldId(key));
}

/** Returns whether an input needs the list of fields: to interpret a value, or to decide whether a number is an ID or a name. */
export function needsFields({ values }: ParsedInput, autoMap?: AutoMapRules): boolean {
	if (autoMap && (autoMap.isRead || autoMap.ignoreFields.size > 0)) return true;
	return values.some(({ key, value }) => {
		if (!autoMap && isAddedKey(key)) return false;
		const mayBeField = autoMap !== undefined && key.startsWith('_');
		const mayBeName = isFieldId(key) && !isSurelyFieldId(key);
		const mayBeSeveral = typeof value === 'string' && value.includes(',');
		const isOfKind = typeof value === 'boolean' || mayBeSeveral || [value].flat().some(isDateLike);
		return mayBeField || mayBeName || isOfKind;
	});
}

/**
 * Returns whether the names of fields in reads are needed: a key is the name or ID of no listed field, or of several. In reads,
 * missing and duplicate names are numbered. False if no fields are listed.
 */
export function needsReadNames(index: FieldIndex, { values }: ParsedInput): boolean {
	const named = values.filter(({ key }) => !index.isEmpty && !key.startsWith('_'));
	return named.some(({ key, subtableId }) => index.exactly(key, scopeOf(subtableId)).length !== 1);
}

/**
 * Returns whether an item that was read has a key that reads of the listed fields do not return: a field was renamed after the
 * list was loaded. Its new name may end with the ID of another field, or begin with an underscore. False if no fields are listed.
 */
export function hasNewName(
	index: FieldIndex,
	{ values }: ParsedInput,
	{ ignoreFields }: AutoMapRules,
): boolean {
	if (index.isEmpty) return false;
	return values.some(({ key, subtableId }) => {
		const scope = scopeOf(subtableId);
		const isNoName = isAddedKey(key) || isFieldId(key.trim()) || ignoreFields.has(key);
		if (isNoName || index.byOutputKey(key, scope)) return false;
		return index.listed(key, scope).every((field) => keyWithId(field, []) !== key);
	});
}

/** Returns the changes of an input, by field IDs. Throws InputError for ambiguous names, for unknown names that may not be left out, and for values that cannot be written. */
export async function recordChanges(
	{ values, rows, deletedRows }: ParsedInput,
	rules: RecordInputRules,
): Promise<InputChanges> {
	const changes: InputChanges = { ...noChanges(), deletedRows, notes: [] };
	for (const [subtableId, rowIds] of rules.keepsRows ? rows : []) {
		changes.subtables.set(subtableId, new Map(rowIds.map((rowId) => [rowId, new Map()])));
	}
	for (const place of values) {
		const placeRules = place.isEntered ? withoutIgnored(rules) : rules;
		const field = inputField(place, placeRules);
		if (field === 'unknown') changes.notes.push({ name: place.key, reason: field });
		else if (field) await addValue(new InputValue(place, field, placeRules), changes);
	}
	if (!rules.keepsRows) changes.notes.push(...notesOnEmptyRows(rows, changes));
	return changes;
}

/** Returns the rules without ignored fields, for an entered row. */
function withoutIgnored({ autoMap, ...rules }: RecordInputRules): RecordInputRules {
	return { ...rules, autoMap: autoMap && { ...autoMap, ignoreFields: new Set() } };
}

/** Returns a note on each new row of the input without a value. Such rows are not added. */
function notesOnEmptyRows(
	rows: ParsedInput['rows'],
	{ subtables }: Pick<RecordChanges, 'subtables'>,
): ValueNote[] {
	return [...rows].flatMap(([subtableId, rowIds]) => {
		const isEmpty = (rowId: string) =>
			!isStoredRowId(rowId) && !subtables.get(subtableId)?.has(rowId);
		const name = `a new row of ${subtableKey(subtableId)}`;
		const note = { name, reason: 'emptyRow', subtableId } as const;
		return rowIds.filter(isEmpty).map((rowId) => ({ ...note, rowId }));
	});
}

/** A value of the input with its field. */
class InputValue {
	readonly name: string;
	readonly kind: ValueKind;

	constructor(
		readonly place: PlacedValue,
		readonly field: Field,
		readonly rules: RecordInputRules,
	) {
		this.name = nameOf(field);
		this.kind = kindIn(rules.kinds, field);
	}

	/** Name of the field in messages; the key of the input if the name is unknown. */
	get label(): string {
		return this.name === this.field.fieldId ? this.place.key : this.name;
	}

	/**
	 * Returns whether the value is a mask in a field that is known to be masked: stars, which would replace the hidden value in any
	 * input, or a text with stars that reads of the record return, because a mask may show a part of the value.
	 */
	async isMask(): Promise<boolean> {
		const { value } = this.place;
		if (!this.kind.is('masked')) return false;
		if (isMasked(value)) return true;
		if (typeof value !== 'string' || !value.includes('*')) return false;
		return (await this.sourceRows()).some(({ asRead }) => asRead.get(this.field.fieldId) === value);
	}

	/** Returns whether the record that the item was read from holds exactly this value, with rich text as markup. */
	async isStored(): Promise<boolean> {
		const values = (await this.sourceRows()).map(({ stored }) => stored.get(this.field.fieldId));
		return values.some((value) => String(value) === String(this.place.value));
	}

	note(reason: NoteReason, value: unknown): ValueNote {
		const { subtableId, rowId } = this.place;
		return { name: this.name, fieldId: this.field.fieldId, subtableId, rowId, reason, value };
	}

	/** Loads the rows that the value may have been read from; an empty list if the item was not read. */
	async sourceRows(): Promise<SourceRecord[]> {
		const { autoMap } = this.rules;
		const { subtableId, rowId } = this.place;
		return autoMap?.isRead ? sourceRowsOf(await autoMap.source(), subtableId, rowId) : [];
	}

	/** Returns the context for parsing. Loads the choices if a comma may belong to one of them. */
	async context(value: unknown): Promise<ParseContext> {
		const { field, kind, label, rules } = this;
		const mayBeSeveral = kind.isList && typeof value === 'string' && value.includes(',');
		if (kind.is('checkbox')) {
			const choices = rules.observedChoices?.get(field.fieldId);
			return { label, timeZone: rules.timeZone, choices };
		}
		const observed =
			mayBeSeveral && !field.choices ? await rules.sheetFields.observedValues([field]) : undefined;
		const choices = field.choices ?? observed?.get(field.fieldId)?.choices;
		return { label, timeZone: rules.timeZone, choices };
	}
}

/** Adds a value of the input to the changes, or a note with the reason why it is left out. */
async function addValue(input: InputValue, changes: InputChanges): Promise<void> {
	const { place, rules } = input;
	if (place.value === undefined || isLeftOutAsEmpty(place.value, rules)) return;

	const value = await unshift(input);
	const reason = await leftOutReason(input);
	if (reason !== undefined || value === undefined) {
		changes.notes.push(skipNote(input, reason ?? 'shifted', value ?? place.value));
		return;
	}

	const stored = await reuseStored(input, value);
	const sent = stored ?? input.kind.parse(value, await input.context(value));
	if (isLeftOutAsEmpty(sent, rules)) return;
	setOnce(input, changes, isBlank(sent) ? '' : sent);
	if (stored === undefined) changes.notes.push(...choiceNotes(input, sent));
	changes.notes.push(...(await accidentNotes(input, value, sent)));
}

/** Returns a note on a value that is probably an accident, unless the record holds exactly this value. */
async function accidentNotes(
	input: InputValue,
	value: unknown,
	sent: FieldValue,
): Promise<ValueNote[]> {
	const reason = accidentIn(value, sent);
	return reason === undefined || (await input.isStored()) ? [] : [input.note(reason, sent)];
}

/** Returns why a value is probably an accident; undefined if it is not. */
export function accidentIn(value: unknown, sent: FieldValue): NoteReason | undefined {
	if (String(sent).includes('[object Object]')) return 'objectText';
	return isInexact(value) ? 'longNumber' : undefined;
}

/** Returns the reason why the value is left out; undefined if it is written. */
async function leftOutReason(input: InputValue): Promise<NoteReason | undefined> {
	if (await input.isMask()) return 'masked';
	const reason = skipReason(input.field, input.place.value, input.rules.autoMap);
	// Rich text may be stored as HTML, and a field of unknown type may hold any text.
	return reason === 'html' && (await input.isStored()) ? undefined : reason;
}

/** Returns the note on a value that is left out. */
function skipNote(input: InputValue, reason: NoteReason, value: unknown): ValueNote {
	// A mask that was read from a masked field says nothing about the stored value, so any saved value is accepted.
	const isReadMask =
		reason === 'masked' && input.rules.autoMap?.isRead === true && input.kind.is('masked');
	return input.note(reason, isReadMask ? undefined : value);
}

/** Returns a note on a value that is not a known choice. Throws InputError if such values are rejected. */
function choiceNotes(input: InputValue, value: FieldValue): ValueNote[] {
	const problem = unknownChoice(input, value);
	if (problem === undefined) return [];
	const { message, description, reason } = problem;
	if (input.rules.refuseUnknownChoices) throw new ValueError(message, description);
	return [input.note(reason, value)];
}

/** Returns whether a value is empty, and empty values are not sent. */
function isLeftOutAsEmpty(value: unknown, { clearEmpty }: RecordInputRules): boolean {
	return isBlank(value) && !clearEmpty;
}

/** Returns the stored form of a time that was read in another time zone; undefined if the offset is unknown. Returns any other value unchanged. */
async function unshift(input: InputValue): Promise<unknown> {
	const { value } = input.place;
	const { offsetHours } = input.rules.autoMap ?? {};
	const isTime = offsetHours !== undefined && storedTime(value, offsetHours, 0) !== undefined;
	if (!isTime) return value;
	return unshiftedTime(input.field.fieldId, value, offsetHours, await input.sourceRows());
}

/** Returns the reason why a value of an automatically mapped item is not written. Undefined if it is written, and for any other input. */
export function skipReason(
	field: Field,
	value: unknown,
	autoMap: Pick<AutoMapRules, 'isRead'> | undefined,
): NoteReason | undefined {
	if (!autoMap) return undefined;
	const { isRead } = autoMap;
	const kind = kindOf(field);
	const isUnknown = kind.is('unknown');
	const mayBe = (name: KindName) => kind.is(name) || (isUnknown && isRead);
	if (field.readOnly === true || kind.is('autoNumber')) return 'filledIn';
	if (kind.is('file') || (isUnknown && areFiles(value))) return 'file';
	if (isMasked(value) && mayBe('masked')) return 'masked';
	return isRead && mayBe('richText') && looksRendered(value) ? 'html' : undefined;
}

/** Returns whether a value consists of one or more files. Empty elements do not count. */
function areFiles(value: unknown): boolean {
	const values = [value].flat().filter((element) => element !== '');
	return values.length > 0 && values.every(isSurelyFile);
}

/** Returns the stored value that was read as this value, if it is needed to interpret the value. */
async function reuseStored(input: InputValue, value: unknown): Promise<FieldValue | undefined> {
	const { field, kind, rules } = input;
	if (!rules.autoMap?.isRead) return undefined;
	const isDoubtful =
		kind.needsStoredValue(value, await input.context(value)) ||
		unknownChoice(input, value) !== undefined;
	return isDoubtful ? storedValueFor(await input.sourceRows(), field.fieldId, value) : undefined;
}

/** Returns the problem with the first value of a checkbox that means neither true nor false; undefined if there is no such value. */
function otherThanSwitch(label: string, value: unknown): UnknownChoice | undefined {
	const other = [value]
		.flat()
		.find((element) => textOf(element) !== '' && switchIn(element) === undefined);
	if (other === undefined) return undefined;
	const message = `'${textOf(other)}' is neither true nor false, but '${label}' is a checkbox`;
	return { message, reason: 'noSwitch' };
}

interface UnknownChoice {
	message: string;
	description?: string;
	reason: NoteReason;
}

/** A field with its kind, its name in messages, and the choices that records contain if no source lists its choices. */
export interface ChoiceField {
	field: Field;
	kind: ValueKind;
	label: string;
	observed?: readonly string[];
}

function unknownChoice(input: InputValue, value: unknown): UnknownChoice | undefined {
	const { field, kind, label, rules } = input;
	const observed = rules.observedChoices?.get(field.fieldId);
	return unknownChoiceOf({ field, kind, label, observed }, value);
}

/** Returns the problem with the first value that is not a choice of the field; undefined if all values are choices. */
export function unknownChoiceOf(
	{ field, kind, label, observed = [] }: ChoiceField,
	value: unknown,
): UnknownChoice | undefined {
	const firstOutside = (choices: readonly string[]) =>
		[value]
			.flat()
			// A field without a type may hold several choices in one text.
			.flatMap((text) => (field.type === undefined && chosenIn(String(text), choices)) || [text])
			.map(String)
			.find((text) => text !== '' && !choices.includes(text));
	if (kind.is('checkbox')) return otherThanSwitch(label, value);
	const { choices = [] } = field.type === undefined || kindOf(field).isSelection ? field : {};
	if (choices.length > 0) {
		const text = firstOutside(choices);
		if (text === undefined) return undefined;
		const message = `'${text}' is not a choice of '${label}': ${listOf(choices)}`;
		return { message, reason: 'noChoice' };
	}
	const text = observed.length > 0 ? firstOutside(observed) : undefined;
	if (text === undefined) return undefined;
	return {
		message: `'${text}' is not among the values in use of '${label}' (newest 200 records): ${listOf(observed)}`,
		description:
			'Check the spelling. If it is a new choice, use it in one of the newest records first.',
		reason: 'unusedChoice',
	};
}

/** Sets the value of a field in the record or the row. Throws InputError if another key has set it. */
function setOnce({ place, field, name }: InputValue, changes: RecordChanges, value: FieldValue) {
	const values = valuesAt(changes, place);
	if (values.has(field.fieldId)) {
		throw new InputError(
			`'${place.key}' and another key both stand for the field '${name}' (${field.fieldId})`,
			'Remove one of the two.',
		);
	}
	values.set(field.fieldId, value);
}
