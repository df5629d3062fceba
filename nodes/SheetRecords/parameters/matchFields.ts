import type { INodeProperties } from 'n8n-workflow';
import { sourceOffset } from '../../api/read/recordKeys';
import { listOf, systemFields, type Field } from '../../api/sheet/fields';
import type { SheetFields } from '../../api/sheet/sheetFields';
import { inexactNumber, isInexact } from '../../api/sheet/kinds/valueChecks';
import { kindIn, kindOf, type FieldKinds } from '../../api/sheet/kinds/valueKinds';
import { EntryError, InputError, inParameter } from '../../api/values/inputError';
import { requireWholeCharacters } from '../../api/values/query';
import { isMasked } from '../../api/values/text';
import type { MatchKey } from '../../api/write/match';
import { isEmptyMatchValue, type MatchValue } from '../../api/write/matchValues';
import type { RecordContent, ValueNote } from '../../api/write/recordContent';
import type { InputChanges } from '../../api/write/recordInput';
import { fieldsPickList } from '../../shared/editor/pickList';
import { fieldNamesOf } from '../../shared/parameters/options';
import { deferred } from '../../shared/parameters/parameter';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import type { ItemContext } from '../run/itemContext';
import { changeRules, parseChanges } from './changes';
import { parseId } from './record';

/** Match fields and the item's values for them. */
export interface ItemMatch {
	/** IDs of the match fields, without duplicates. */
	matchFieldIds: string[];
	/** The value for each match field. The look-up rejects empty values. */
	key: MatchKey;
}

/** Key for the record ID among the match fields. */
export const recordIdKey = '_recordId';

/** Parameter for the match fields. */
export const matchFieldsProperty: INodeProperties = {
	...fieldsPickList(
		'matchFields',
		'Match Field Names or IDs',
		'The fields by which existing records are found.',
	),
	required: true,
};

const matchFields = {
	...matchFieldsProperty,
	hint: "Values are taken from the input item's fields with these names",
};

/** Returns names and IDs of the match fields, without duplicates. Throws InputError if no field is chosen. */
export async function parseMatchFields(
	item: ItemContext,
	input: unknown = item.value(matchFields.name),
): Promise<Set<string>> {
	const names = fieldNamesOf(input, matchFields.displayName);
	const keys = new Set(await fieldsOfSheet(item).fieldKeys(names));
	if (keys.size > 0) return keys;
	throw new InputError(
		'No field to match on is chosen',
		"Choose the fields by which existing records are found in 'Match Field Names or IDs', or in 'Fields to match on' of the mapper.",
	);
}

/** Returns a field to match on. Throws InputError for an unknown or ambiguous name, an unknown short ID and a system field. */
export async function matchField(item: ItemContext, key: string): Promise<Field> {
	return await inParameter(matchFields.displayName, async () => {
		const field = await fieldsOfSheet(item).comparedField(key);
		if (!systemFields.includes(field)) return field;
		throw new EntryError(
			key,
			'is in no record that is read, so it cannot be matched on',
			"Match on a field of the sheet, or find the records by 'Filters' of Record: Get Many.",
		);
	});
}

/** Returns the record ID to match on. Throws InputError if the value is empty or not an ID, or if other fields are matched on. */
export function recordIdToMatch(value: unknown, keys: ReadonlySet<string>): string {
	if (keys.size === 1) return parseId(String(value ?? '').trim(), recordIdKey, 'record');
	throw new InputError(
		`'${recordIdKey}' cannot be matched on together with other fields`,
		'A record ID identifies one record, so match on it alone.',
	);
}

/** Match fields with the input item's values, converted like values to write. Parsing throws InputError if a value is missing. */
export const itemMatchParameter = deferred([matchFields], async (item: ItemContext) => {
	const values = new Map<string, unknown>();
	for (const key of await parseMatchFields(item)) {
		const { fieldId } = await matchField(item, key);
		const itemKey = await matchKeyIn(item, key);
		values.set(fieldId, itemKey === undefined ? undefined : item.record[itemKey]);
	}
	// Convert times that were read in another time zone: the look-up needs the stored times.
	const isShifted = sourceOffset(item.record) !== undefined;
	const changes = await parseChanges(
		await changeRules(item, isShifted),
		Object.fromEntries(values),
	);
	const match = await itemMatch(item, [...values.keys()], changes);
	const emptyId = match.matchFieldIds.find((_, index) => isEmptyMatchValue(match.key[index]));
	if (emptyId !== undefined) throw await missingMatchValue(item, emptyId);
	return match;
});

/** Returns the key of the item that holds the value of a match field; undefined if no key does. */
export async function matchKeyIn(item: ItemContext, key: string): Promise<string | undefined> {
	const isInRecord = (name: string) => Object.prototype.hasOwnProperty.call(item.record, name);
	if (key === recordIdKey) return isInRecord(key) ? key : undefined;
	const { fieldId } = await matchField(item, key);
	const names = [key, key.replace(` (${fieldId})`, ''), fieldId];
	const found = names.find(isInRecord);
	if (found !== undefined) return found;
	const name = await fieldsOfSheet(item).nameFor(fieldId);
	return [name, `${name} (${fieldId})`].find(isInRecord);
}

/** Match fields with the input item's values, or the record ID of the item if `_recordId` is the match field. Parsing throws InputError as `itemMatchParameter`. */
export const idOrMatchParameter = deferred(
	itemMatchParameter.properties,
	async (item: ItemContext): Promise<ItemMatch | string> => {
		const keys = await parseMatchFields(item);
		if (!keys.has(recordIdKey)) return await itemMatchParameter.parse(item);
		return recordIdToMatch(item.record[recordIdKey], keys);
	},
);

async function missingMatchValue(item: ItemContext, fieldId: string): Promise<InputError> {
	const name = await fieldsOfSheet(item).nameFor(fieldId);
	const message = `The field '${name}' to match on has no value in this item`;
	if ((await matchKeyIn(item, fieldId)) !== undefined) {
		return new InputError(
			message,
			'The item has the field, but it is empty. Fill it in, or leave out such items with a Filter node.',
		);
	}
	const itemFields = Object.keys(item.record).map((key) => `'${key}'`);
	return new InputError(
		message,
		itemFields.length === 0
			? 'The item is empty. It needs a field with this name.'
			: `The fields of the item are ${listOf(itemFields)}. To rename one of them, use an Edit Fields node.`,
	);
}

/**
 * Returns the match fields with their values. A missing value becomes an empty text, which the look-up rejects. Throws InputError
 * for several values in a field that holds one, a hidden value and an unpaired surrogate: they would make the look-ups of other
 * items fail, too.
 */
export async function itemMatch(
	item: ItemContext,
	matchFieldIds: string[],
	{ fields, notes, kinds }: Pick<InputChanges, 'fields'> & Pick<RecordContent, 'kinds' | 'notes'>,
): Promise<ItemMatch> {
	const sheetFields = fieldsOfSheet(item);
	const filledIn = await filledInValues(item, matchFieldIds, notes);
	const key: MatchValue[] = [];
	for (const fieldId of matchFieldIds) {
		const values = [fields.get(fieldId) ?? filledIn.get(fieldId) ?? ''].flat();
		const isMask = ({ reason, subtableId, fieldId: id }: ValueNote) =>
			reason === 'masked' && !subtableId && id === fieldId;
		if (notes?.some(isMask)) throw await sheetFields.hiddenMatchField(fieldId);
		if (values.some(isInexact)) {
			throw inexactNumber(`to match on in '${await sheetFields.nameFor(fieldId)}'`);
		}
		const texts = values.map((value) => requireWholeCharacters(String(value)));
		const [text = ''] = texts;
		if (texts.length > 1) await requireList(sheetFields, kinds, fieldId);
		else if (isMasked(text)) {
			const kind = kindOf(await sheetFields.field(fieldId, true));
			if (kind.is('masked', 'unknown')) throw await sheetFields.hiddenMatchField(fieldId);
		}
		key.push(texts.length > 1 ? texts : text);
	}
	return { matchFieldIds, key };
}

/**
 * Returns the values of match fields that the service fills in, converted like values to write. They are not written, but they can
 * be matched on.
 */
async function filledInValues(
	item: ItemContext,
	matchFieldIds: readonly string[],
	notes: readonly ValueNote[] = [],
): Promise<InputChanges['fields']> {
	const values = notes.flatMap(({ reason, fieldId = '', subtableId, value }) =>
		reason === 'filledIn' && !subtableId && matchFieldIds.includes(fieldId)
			? [[fieldId, value] as const]
			: [],
	);
	if (values.length === 0) return new Map();
	return (await parseChanges(await changeRules(item, false), Object.fromEntries(values))).fields;
}

/** Throws InputError if a field is known to hold one value, so that several values cannot match it. */
async function requireList(
	sheetFields: SheetFields,
	kinds: FieldKinds | undefined,
	fieldId: string,
): Promise<void> {
	const kind = kindIn(kinds, { fieldId });
	if (kind.isList || kind.is('unknown')) return;
	throw new InputError(
		`The field '${await sheetFields.nameFor(fieldId)}' to match on has several values in this item`,
		'Reduce it to one value, or match on another field.',
	);
}
