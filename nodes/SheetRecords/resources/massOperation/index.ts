import type { INodeProperties } from 'n8n-workflow';
import type { FieldAssignment, FieldReplacement } from '../../../api/tasks/massOperations';
import { numberOrText } from '../../../api/read/record';
import { groupsValue, holdsGroups, parseGroups, requireChangeable } from '../../../api/users';
import type { UserSheet } from '../../../api/users';
import { nameOf, type Field } from '../../../api/sheet/fields';
import type { SheetFields } from '../../../api/sheet/sheetFields';
import type { FieldValue } from '../../../api/sheet/kinds/valueChecks';
import type { ParseContext, ValueKind } from '../../../api/sheet/kinds/valueKind';
import type { TimeZone } from '../../../api/values/dates';
import { InputError } from '../../../api/values/inputError';
import { dateTimeForm, numberForm } from '../../../api/values/normalForm';
import { isBlank, isMasked } from '../../../api/values/text';
import type { ValueNote } from '../../../api/write/recordContent';
import { accidentIn, unknownChoiceOf, type ChoiceField } from '../../../api/write/recordInput';
import { writtenTimeZone } from '../../../shared/parameters/options';
import {
	choiceParameter,
	deferred,
	entriesParameter,
	verbatimTextParameter,
} from '../../../shared/parameters/parameter';
import {
	choosableValue,
	entryField,
	isPicked,
	locatorValue,
	pickList,
} from '../../../shared/editor/pickList';
import { fieldsOfSheet } from '../../../shared/parameters/sheet';
import { commentNotes } from '../../run/hints';
import type { ItemContext } from '../../run/itemContext';
import type { Resource } from '../../run/operation';
import { buttonIdParameter } from '../actionButton';
import { massOperationOf, userSheetOption } from './massOperation';

const approve = massOperationOf({
	value: 'approve',
	name: 'Approve or Reject',
	action: 'Approve or reject many records',
	description:
		'Approve or reject many records. To set a field such as a status, use Mass Operation: Update.',
	changeParameters: {
		action: choiceParameter({
			displayName: 'Action',
			name: 'approvalAction',
			choices: { approve: 'Approve', reject: 'Reject' },
			default: 'approve',
			description: 'Decision for the selected records',
		}),
		comment: verbatimTextParameter({
			displayName: 'Comment',
			name: 'comment',
			typeOptions: { rows: 2 },
			description: 'Optional reason for the decision',
		}),
	},
	operation: ({ action, comment }) => ({
		type: 'massApproval',
		body: { action, ...(comment === '' ? {} : { comment }) },
	}),
	notesOf: ({ comment }) => commentNotes(comment),
});

const lock = massOperationOf({
	value: 'lock',
	name: 'Lock or Unlock',
	action: 'Lock or unlock many records',
	description: 'Lock many records against editing, or unlock them. For one record, use Lock: Lock.',
	changeParameters: {
		action: choiceParameter({
			displayName: 'Action',
			name: 'lockAction',
			choices: { lock: 'Lock', unlock: 'Unlock' },
			default: 'lock',
			description: 'What to do with the selected records',
		}),
	},
	operation: ({ action }) => ({ type: 'massLock', body: { action } }),
});

const runActionButtons = massOperationOf({
	value: 'runActionButton',
	name: 'Run Action Button',
	action: 'Run an action button on many records',
	description: 'Run an action button on many records. For one record, use Action Button: Run.',
	changeParameters: { buttonId: buttonIdParameter },
	operation: ({ buttonId }) => ({
		type: 'massActionButton',
		body: { buttonId: numberOrText(buttonId) },
	}),
});

const assignments = changesParameter(
	{
		what: 'Assignment',
		description: 'Fields to set in every selected record. An empty value clears the field.',
		advice: 'Add a field and the value to set.',
		values: [
			choosableValue({
				displayName: 'Value',
				name: 'value',
				description:
					'New value of the field. An expression can return a date, or an array for a multiple selection.',
			}),
		],
	},
	async (entry, key, { sheetFields, userSheet, timeZone }): Promise<Noted<FieldAssignment>> => {
		const value = locatorValue(entry.value);
		if (value === undefined) throw missingValue('assignment', key);
		const { field: known, kind } = await sheetFields.fieldWithKind(key, value);
		requireChangeable(userSheet, known.fieldId);
		const field = numberOrText(known.fieldId);
		if (holdsGroups(userSheet, known.fieldId)) {
			return { change: { field, value: groupsValue(userSheet, value) } };
		}
		// A choice from the list may contain commas.
		const isChoice = kind.isList && isPicked(entry.value);
		const observed = await observedChoices(sheetFields, known);
		// Only the records show the words of a checkbox.
		const choices = kind.is('checkbox') ? observed : (known.choices ?? observed);
		const place = { label: key, list: 'Assignments', timeZone, choices };
		const parsed = kind.parse(isChoice ? [value] : value, place);
		if (isBlank(parsed) && !isBlank(value)) throw missingValue('assignment', key);
		requireNoMask(kind, parsed, key);
		return {
			change: { field, value: parsed },
			notes: notesOn({ field: known, kind, observed }, value, parsed),
		};
	},
);

const update = massOperationOf({
	value: 'update',
	name: 'Update',
	action: 'Update many records',
	description:
		'Set fields of many records to the same values. For one record, or other values for each, use Record: Update.',
	changeParameters: { assignments },
	changesFields: true,
	operation: (what) => ({ type: 'massUpdate', body: { action: what.assignments.changes } }),
	notesOf: (what) => what.assignments.notes,
});

const replacements = changesParameter(
	{
		what: 'Replacement',
		description: 'Fields to search in, the value to search for, and its replacement',
		advice: 'Add a field, the value to search for, and its replacement.',
		values: [
			{
				displayName: 'Search For',
				name: 'valueReplaced',
				type: 'string',
				default: '',
				description: 'Text to search for. It must not be empty.',
			},
			{
				displayName: 'Replace With',
				name: 'valueNew',
				type: 'string',
				default: '',
				description: 'Replacement. Leave empty to remove the text that was found.',
			},
		],
	},
	async ({ valueReplaced, valueNew }, key, context): Promise<Noted<FieldReplacement>> => {
		const { sheetFields, userSheet, timeZone } = context;
		if (isBlank(valueReplaced) || valueNew === undefined) throw missingValue('replacement', key);
		const { field: found, kind } = await sheetFields.fieldWithKind(key, [valueReplaced, valueNew]);
		requireChangeable(userSheet, found.fieldId);
		// Only check the names of the groups: the text is sent, not the list of names.
		if (holdsGroups(userSheet, found.fieldId)) parseGroups(userSheet, valueNew);
		const observed = await choicesToCompare(sheetFields, { field: found, kind }, valueReplaced);
		// Only the records show the words of a checkbox.
		const choices = kind.is('checkbox') ? observed : undefined;
		const place = { label: key, list: 'Replacements', timeZone, choices };
		if (kind.isEmpty(valueReplaced)) throw missingValue('replacement', key);
		requireNoMask(kind, valueNew, key);
		const texts = replacementTexts(kind, { valueReplaced, valueNew }, place);
		const change = { field: numberOrText(found.fieldId), ...texts };
		// A part of a date, such as a year, may become any text.
		const formOf = kind.typedAs === 'number' ? numberForm : dateTimeForm;
		if (formOf(change.valueReplaced) !== undefined && change.valueNew !== '') {
			kind.requireComparable(valueNew, change.valueNew, place);
		}
		return { change, notes: notesOn({ field: found, kind, observed }, valueNew, change.valueNew) };
	},
);

const searchReplace = massOperationOf({
	value: 'searchReplace',
	name: 'Search and Replace',
	action: 'Search and replace in many records',
	description:
		'Replace a value in fields of many records. To set a field whatever it contains, use Mass Operation: Update.',
	changeParameters: { replacements },
	changesFields: true,
	operation: (what) => ({
		type: 'massSearchReplace',
		body: { action: what.replacements.changes },
	}),
	notesOf: (what) => what.replacements.notes,
});

/**
 * Returns the values in use with which a replacement is compared; undefined for a field that may hold texts, unless the searched text
 * is such a value: otherwise, the replacement may be a part of a text.
 */
async function choicesToCompare(
	sheetFields: SheetFields,
	{ field, kind }: { field: Field; kind: ValueKind },
	searched: unknown,
): Promise<readonly string[] | undefined> {
	const hasChoices = kind.is('checkbox') || kind.isSelection;
	if (!hasChoices && field.type !== undefined) return undefined;
	const inUse = await observedChoices(sheetFields, field);
	return hasChoices || inUse?.includes(String(searched)) ? inUse : undefined;
}

/**
 * Returns the text to search for and its replacement. In a field with a time, a day is a part of the value, so its replacement must
 * be a day. Throws InputError otherwise, and the errors of `ValueKind.format`.
 */
function replacementTexts(
	kind: ValueKind,
	{ valueReplaced, valueNew }: Record<'valueNew' | 'valueReplaced', unknown>,
	place: ParseContext,
): Omit<FieldReplacement, 'field'> {
	const whole = (value: unknown) => String(kind.format(value, place));
	const partOf = (value: unknown) => {
		const isWord = typeof value === 'string' && place.choices?.includes(value);
		const text = isWord ? value : whole(value);
		return kind.hasTime ? (kind.filterText(value, place.timeZone, { isPart: true }) ?? text) : text;
	};
	const isDate = (text: string) => dateTimeForm(text) !== undefined;
	const searched = partOf(valueReplaced);
	const isDay = kind.hasTime && isDate(searched) && !searched.includes(':');
	// Lists are errors. An empty one may come from a failed expression, and would remove the text.
	const isNothing = !Array.isArray(valueNew) && kind.isEmpty(valueNew);
	const replacement = isNothing ? '' : (isDay ? partOf : whole)(valueNew);
	if (isDay && (!isDate(replacement) || replacement.includes(':'))) {
		throw new InputError(
			`A day is searched for in '${place.label}', so it can only be replaced by a day, and nothing was sent`,
			'The time of day stays. To replace or clear whole values, search for the day with its time.',
		);
	}
	return { valueReplaced: searched, valueNew: replacement };
}

/** A change, with notes if its value may be a mistake. */
interface Noted<Change> {
	change: Change;
	notes?: readonly ValueNote[];
}

/** Returns the values that records contain, of a checkbox, and of a selection whose choices no source lists. */
async function observedChoices(sheetFields: SheetFields, { fieldId }: Field) {
	return (await sheetFields.load({ choicesOf: [fieldId] })).choices.get(fieldId);
}

/** Returns notes on a new value that is no choice of its field, or that is probably an accident. `sent` is its form in the request. */
function notesOn(place: Omit<ChoiceField, 'label'>, value: unknown, sent: FieldValue): ValueNote[] {
	const name = nameOf(place.field);
	const choice = unknownChoiceOf({ ...place, label: name }, sent);
	return [choice?.reason, accidentIn(value, sent)].flatMap((reason) =>
		reason === undefined ? [] : { name, reason },
	);
}

/** Texts and properties of a list of changes in the editor. */
interface ChangesDescription<Name extends string> {
	what: 'Assignment' | 'Replacement';
	description: string;
	/** Advice for an empty list. */
	advice: string;
	values: ReadonlyArray<INodeProperties & { name: Name }>;
}

/**
 * A list of changes, each of one field. `changeOf` gets the field as entered (`key`), so it must look the field up and reject a
 * protected field. Parsing throws InputError with `advice` if the list is empty.
 */
function changesParameter<Name extends string, Change extends { field: number | string }>(
	{ what, description, advice, values }: ChangesDescription<Name>,
	changeOf: (
		entry: Record<Name, unknown>,
		key: string,
		context: { sheetFields: SheetFields; userSheet: UserSheet; timeZone: TimeZone },
	) => Promise<Noted<Change>>,
) {
	const displayName = `${what}s`;
	const field = pickList('field', 'Field Name or ID', 'getFields');
	const entries = entriesParameter<Name | 'field'>({
		displayName,
		name: displayName.toLowerCase(),
		required: true,
		typeOptions: { multipleValues: true },
		placeholder: `Add ${what}`,
		description,
		entry: { displayName: what, name: what.toLowerCase(), values: [field, ...values] },
	});
	return deferred(entries.properties, async (item: ItemContext) => {
		const context = {
			sheetFields: fieldsOfSheet(item),
			userSheet: userSheetOption.parse(item) ?? 'none',
			timeZone: item.timeZone(writtenTimeZone.parse(item)),
		};
		const changes: Change[] = [];
		const notes: ValueNote[] = [];
		for (const entry of entries.parse(item)) {
			const key = entryField(entry.field, displayName);
			const { change, notes: notesOnChange = [] } = await context.sheetFields.withNewest(
				async () => await changeOf(entry, key, context),
			);
			const isRepeated = changes.some(({ field: fieldId }) => fieldId === change.field);
			if (isRepeated && what === 'Assignment') throw setTwice(key);
			changes.push(change);
			notes.push(...notesOnChange);
		}
		if (changes.length > 0) return { changes, notes };
		throw new InputError(`'${displayName}' is empty`, advice);
	});
}

/**
 * Returns the error for undefined or an array of blanks as a new value, and for an empty text to search for. Null and an empty
 * text are accepted as new values: they clear the field on purpose.
 */
function missingValue(what: string, key: string): InputError {
	return new InputError(
		`The ${what} of '${key}' has no value, so nothing was sent`,
		'Check its expressions. To clear the field or remove the text that was found, use an empty text. An empty text cannot be searched for.',
	);
}

export const massOperation: Resource = {
	value: 'massOperation',
	name: 'Mass Operation',
	description: 'The same change to many records at once',
	defaultOperation: update,
	operations: [approve, lock, runActionButtons, searchReplace, update],
};

/** Throws InputError for a mask as the new value of a masked field, because it would replace the hidden values of all records. */
function requireNoMask(kind: ValueKind, value: unknown, key: string): void {
	if (!kind.is('masked') || ![value].flat().some(isMasked)) return;
	throw new InputError(
		`The new value of '${key}' is a mask, which would replace the hidden values, so nothing was sent`,
		"Enter the value itself, or read it with the option 'Show Masked Values'.",
	);
}

/** Returns the error for a field with two values. Which of them the service would store is not known. */
function setTwice(key: string): InputError {
	return new InputError(`'${key}' is set twice in 'Assignments'`, 'Remove one of the two values.');
}
