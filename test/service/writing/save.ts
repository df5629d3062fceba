import type { Call, ServiceState } from '../call';
import type { Row, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import { applyChanges } from './applyChanges';
import { readChanges } from './readChanges';
import { validate } from './validation';
import type { AccountData } from '../data/accountData';
import type { RecordChanges } from './changes';
import { isDate, isDateTime } from '../data/dates';
import { isDateType, isNumber, textsOf, type Field } from '../data/field';

type State = Pick<ServiceState, 'data' | 'switches'>;

/** Message of the service for a text in a number field, which it stores blank. */
const wrongNumberMessage = 'Invalid numeric value format.';

/** Removes values from a change that the switches silently drop: unknown choices, unknown people and invalid dates. */
export function dropUnstorable({ values, rows }: RecordChanges, sheet: Sheet, state: State): void {
	dropFrom(values, sheet.fields, state);
	for (const { id, fields } of sheet.subtables) {
		for (const row of rows.get(id)?.values() ?? []) dropFrom(row, fields, state);
	}
}

function dropFrom(row: Row, fields: readonly Field[], state: State): void {
	for (const field of fields) {
		const value = row.get(field.id);
		if (value === undefined) continue;
		const kept = textsOf(value).filter((text) => isStorable(field, text, state));
		if (kept.length === textsOf(value).length) continue;
		row.set(field.id, typeof value === 'string' ? '' : kept);
	}
}

function isStorable({ type, choices }: Field, text: string, { data, switches }: State): boolean {
	if (choices && switches.unknownChoices === 'dropped') return choices.includes(text);
	if (type === 'user' && switches.unknownPeople === 'dropped') return isUser(text, data.sheets);
	if (type === 'number' && switches.wrongNumbers === 'blank') return isNumber(text);
	if (isDateType(type) && switches.wrongDates === 'lost') return isDate(text) || isDateTime(text);
	return true;
}

/** Returns whether a number field of a change has a text that the service stores blank. */
function hasWrongNumber({ values, rows }: RecordChanges, sheet: Sheet, state: State): boolean {
	if (state.switches.wrongNumbers === 'stored') return false;
	const isWrong = (row: Row, fields: readonly Field[]) =>
		fields.some(
			({ id, type }) => type === 'number' && !textsOf(row.get(id)).every((text) => isNumber(text)),
		);
	return (
		isWrong(values, sheet.fields) ||
		sheet.subtables.some(({ id, fields }) =>
			[...(rows.get(id)?.values() ?? [])].some((row) => isWrong(row, fields)),
		)
	);
}

/** Returns whether the text is the e-mail or the full name of a user (specification, "User-sheet fields"). */
function isUser(text: string, sheets: readonly Sheet[]): boolean {
	return sheets
		.filter(({ definition }) => definition.users !== undefined)
		.some(({ records }) =>
			[...records.values()].some((user) => [user.text('1'), user.text('4')].includes(text)),
		);
}

/** Sets the automatic number of a new record, unless the write contains it. */
export function numberAutomatically(draft: SheetRecord, sheet: Sheet): void {
	for (const { id, type } of sheet.fields) {
		if (type === 'autoNumber' && draft.text(id) === '') draft.set(id, sheet.takeAutoNumber(draft));
	}
}

/** `doDefaultValue`: sets defaults in empty fields that the write does not contain. */
export function loadDefaults(draft: SheetRecord, sheet: Sheet, changes: RecordChanges): void {
	for (const { id, defaultValue } of sheet.fields) {
		if (defaultValue === undefined || changes.values.has(id)) continue;
		if (draft.text(id) === '') draft.set(id, defaultValue);
	}
}

/** `doLinkLoad`: `first` loads before formulas are recalculated, `true` after. */
export function calculate(
	draft: SheetRecord,
	sheet: Sheet,
	data: AccountData,
	{ formula, linkLoad }: { formula: boolean; linkLoad: string | undefined },
): void {
	if (linkLoad === 'first') loadLinks(draft, sheet, data);
	if (formula) sheet.definition.formulas?.(draft);
	if (linkLoad === 'true') loadLinks(draft, sheet, data);
}

/** Copies fields from linked records. Clears the fields if there is no linked record. */
function loadLinks(draft: SheetRecord, sheet: Sheet, data: AccountData): void {
	for (const { id, link } of sheet.fields) {
		if (!link) continue;
		const key = draft.text(id);
		const linked = [...(data.findSheet(link.sheet)?.records.values() ?? [])].find(
			(record) => record.text(link.keyFieldId) === key,
		);
		for (const { from, to } of link.loads) draft.set(to, linked?.value(from) ?? '');
	}
}

/** Applies a create or an update to a draft (endpoint 6). Nothing is saved until every check has passed. */
export function save(call: Call, sheet: Sheet, draft: SheetRecord, isNew: boolean): void {
	const { query, state, identity } = call;
	const changes = readChanges(call, sheet);
	if (hasWrongNumber(changes, sheet, state)) call.notes?.push(wrongNumberMessage);
	dropUnstorable(changes, sheet, state);
	const uploads = applyChanges(changes, draft, sheet, state);
	if (isNew) numberAutomatically(draft, sheet);
	if (query.first('doDefaultValue') === 'true') loadDefaults(draft, sheet, changes);

	const formula = query.first('doFormula') === 'true';
	calculate(draft, sheet, state.data, { formula, linkLoad: query.first('doLinkLoad') });
	validate(draft, sheet, query.flag('doValidation'), state.switches);
	if (!formula && query.first('doWorkflow') !== 'false') {
		sheet.definition.workflow?.(draft, identity.name);
	}

	for (const file of uploads) state.data.keepFile(file);
	draft.noteEdit(state.clock, {
		user: identity.email,
		type: isNew ? 'Create' : 'Update',
		detail: [...changes.values.keys()].join(', '),
	});
	if (query.first('notification') !== 'false') {
		const { path, index } = sheet;
		state.data.notifications.push({
			sheet: { path, index },
			recordId: draft.id,
			user: identity.email,
		});
	}
}
