import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../api/values/inputError';
import { requireWholeCharacters } from '../../api/values/query';
import { switchText } from '../../api/write/fieldValue';
import { isMasked } from '../../api/values/text';
import { hiddenField, type MatchKey } from '../../api/write/match';
import type { FieldValues, ValueNote } from '../../api/write/recordContent';
import { fieldNamesOf } from '../../ui/options';
import { deferred } from '../../ui/parameter';
import { fieldsPickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import type { ItemContext } from '../itemContext';
import { readChanges } from './changes';
import { idOf } from './record';

/** By which fields the records of an item are found, and what it holds in them. */
export interface ItemMatch {
	/** The ids of the fields to match on, each once. */
	matchFieldIds: string[];
	/** The value to look for in each of them; an empty one is refused by the look-up. */
	key: MatchKey;
}

/** Stands for the record's id among the fields to match on. */
export const recordIdKey = '_recordId';

/** Returns the choice of fields to match on; `what` says which they are. */
export function matchFieldsProperty(what: string): INodeProperties {
	return {
		...fieldsPickList('matchFields', 'Match Field Names or IDs', what),
		required: true,
	};
}

/** Returns names and ids as the user gave them, each once. Throws InputError when there is none. */
export async function chosenMatchFields(item: ItemContext, given: unknown): Promise<Set<string>> {
	const keys = new Set(await schemaOf(item).fieldKeys(fieldNamesOf(given)));
	if (keys.size > 0) return keys;
	throw new InputError(
		'No field to match on is chosen',
		"Choose the fields by which existing records are found, in 'Fields to match on' or, for JSON, in 'Match Field Names or IDs'.",
	);
}

/** Returns the id of a record that is matched on. Throws InputError for what is no id, and for other fields beside it. */
export function recordIdToMatch(given: unknown, keys: ReadonlySet<string>): string {
	if (keys.size === 1) return idOf(String(given ?? '').trim(), recordIdKey, 'record');
	throw new InputError(
		`'${recordIdKey}' is matched on together with other fields`,
		'A record ID stands for one record: match on it alone.',
	);
}

/** Returns the fields to match on with their texts. Throws InputError for what cannot be sent: it must not take those along that are looked up with it. */
export async function itemMatch(
	item: ItemContext,
	matchFieldIds: string[],
	values: FieldValues,
): Promise<ItemMatch> {
	const key: string[] = [];
	for (const fieldId of matchFieldIds) {
		const [value = '', ...others] = [values.get(fieldId) ?? []].flat();
		if (others.length > 0) {
			throw new InputError(
				`The field '${await schemaOf(item).nameFor(fieldId)}' to match on has several values in this item`,
				'Give it one value, or match on another field.',
			);
		}
		const text = typeof value === 'boolean' ? switchText(value) : String(value);
		if (isMasked(text)) {
			const { type = 'masked' } = await schemaOf(item).field(fieldId, true);
			if (/mask/i.test(type)) throw hiddenField(await schemaOf(item).nameFor(fieldId));
		}
		key.push(requireWholeCharacters(text));
	}
	return { matchFieldIds, key };
}

/** Returns what an item holds in fields of the record: what the service fills in is not written, but can be matched on. */
export function valuesToMatch(fields: FieldValues, notes: readonly ValueNote[]): FieldValues {
	const filledIn = notes.flatMap(({ reason, fieldId, subtableId, value }) => {
		const isOwn = reason === 'filledIn' && subtableId === undefined;
		return isOwn && fieldId !== undefined ? [[fieldId, String(value)] as const] : [];
	});
	return new Map([...filledIn, ...fields]);
}

const matchFields = matchFieldsProperty(
	'The fields by which records are found. Each item holds the values under the same names.',
);

/** Returns names and ids of the fields that the item is matched on, each once. Throws InputError when there is none. */
export async function readMatchFields(item: ItemContext): Promise<Set<string>> {
	return await chosenMatchFields(item, item.value(matchFields.name));
}

/** The fields to match on, with the values that the input item has in them: typed as if they were to be written. */
export const itemMatchParameter = deferred(
	[matchFields],
	async (item: ItemContext): Promise<ItemMatch> => {
		const values = new Map<string, unknown>();
		for (const key of await readMatchFields(item)) {
			const { fieldId } = await schemaOf(item).field(key);
			const isOwn = (name: string) => Object.prototype.hasOwnProperty.call(item.record, name);
			const names = [key, key.replace(` (${fieldId})`, ''), fieldId];
			const own = names.find(isOwn) ?? (await schemaOf(item).nameFor(fieldId));
			values.set(fieldId, isOwn(own) ? item.record[own] : undefined);
		}
		// Times that were read in another time zone are looked for as they are stored.
		const isShifted = item.record._timeZone !== undefined;
		const { fields, notes } = await readChanges(item, Object.fromEntries(values), isShifted);
		return await itemMatch(item, [...values.keys()], valuesToMatch(fields, notes));
	},
);
