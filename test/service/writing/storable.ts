import type { ServiceState } from '../call';
import { isDateType } from '../data/comparing';
import { isDate, isDateTime } from '../data/dates';
import { textsOf, type Field } from '../data/field';
import type { Row } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { RecordChanges } from './changes';

/** Where a dropping can be looked up. */
type State = Pick<ServiceState, 'data' | 'switches'>;

/** Takes out of a change what is dropped without a word, as switches say: choices, people and dates that are none. */
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
	if (isDateType(type) && switches.wrongDates === 'lost') return isDate(text) || isDateTime(text);
	return true;
}

/** Users are known by e-mail or full name (specification, "User-sheet fields"). */
function isUser(text: string, sheets: readonly Sheet[]): boolean {
	return sheets
		.filter(({ definition }) => definition.users !== undefined)
		.some(({ records }) =>
			[...records.values()].some((user) => [user.text('1'), user.text('4')].includes(text)),
		);
}
