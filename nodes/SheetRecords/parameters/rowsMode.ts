import { findField, idInKey, isKeyOf, type Field } from '../../api/schema/fields';
import { InputError } from '../../api/values/inputError';
import { isExistingRow, type RecordChanges, type RowRules } from '../../api/write/recordContent';
import { fieldNamesOption } from '../../ui/options';
import { choiceOption } from '../../ui/parameter';
import { schemaOf } from '../../ui/sheet';
import type { ItemContext } from '../itemContext';

export const rowsMode = choiceOption({
	displayName: 'Rows Mode',
	name: 'rowsMode',
	choices: {
		append: ['Add', 'Add rows without _rowId as new ones'],
		upsert: 'Create or Update',
		replace: ['Replace', 'Keep the given rows and delete all others of their subtables'],
	},
	default: 'append',
	description:
		"What becomes of the rows of subtables that the item names. Create or Update changes those with the same values in 'Row Match Fields', and adds the others. An empty array with Replace empties a subtable. Records are read for that when the node begins.",
});

export const rowMatchFields = fieldNamesOption({
	displayName: 'Row Match Fields',
	name: 'rowMatchFields',
	placeholder: 'e.g. Article, 1000020',
	description:
		"Names or IDs of the fields by which given rows are found among those of the record, one a line or with commas between. For 'Rows Mode' Create or Update, and Replace.",
});

/** Returns how the item's rows are matched with those of a record; undefined when ids alone decide. Throws InputError for ambiguous rows. */
export async function readRowRules(
	item: ItemContext,
	{ subtables }: RecordChanges,
): Promise<RowRules | undefined> {
	const mode = rowsMode.parse(item) ?? 'append';
	if (mode === 'append' || subtables.size === 0) return undefined;
	const schema = schemaOf(item);
	const keys = await schema.fieldKeys(rowMatchFields.parse(item) ?? []);
	const matchFields =
		keys.length > 0
			? await schema.resolved(keys, (fields) => matchFieldsIn(fields, keys, subtables))
			: new Map<string, string[]>();
	for (const [subtableId, rows] of mode === 'upsert' ? subtables : []) {
		if (matchFields.has(subtableId) || [...rows.keys()].every(isExistingRow)) continue;
		throw new InputError(
			`No field to match the rows of subtable ${subtableId} on is chosen`,
			"Name the fields by which rows are found in the option 'Row Match Fields', or give each row its _rowId.",
		);
	}
	return { mode, matchFields };
}

/** Returns the fields of each subtable that the keys stand for. Fields of unknown subtables are those of the rows that have them. */
function matchFieldsIn(
	fields: readonly Field[],
	keys: readonly string[],
	subtables: RecordChanges['subtables'],
): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const key of keys) {
		const named = fields.filter((one) => one.subtableId !== undefined && isKeyOf(key, one));
		const listed = named.flatMap(({ subtableId }) => subtableId ?? []);
		const having = [...subtables].flatMap(([subtableId, rows]) =>
			[...rows.values()].some((row) => row.has(idInKey(key) ?? '')) ? [subtableId] : [],
		);
		const places = [listed, having, [...subtables.keys()]].find(({ length }) => length > 0);
		for (const subtableId of new Set(places)) {
			const { fieldId } = findField(fields, key, subtableId);
			found.set(subtableId, [...new Set([...(found.get(subtableId) ?? []), fieldId])]);
		}
	}
	return found;
}
