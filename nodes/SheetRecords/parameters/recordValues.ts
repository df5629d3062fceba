import type { INodeProperties } from 'n8n-workflow';
import { sourceRecordId } from '../../api/read/recordKeys';
import { InputError } from '../../api/values/inputError';
import { requireWholeCharacters } from '../../api/values/query';
import { wholeNumberText } from '../../api/values/sheetAddress';
import { subtableKey } from '../../api/values/subtableKeys';
import { isBlank } from '../../api/values/text';
import { switchText } from '../../api/write/fieldValue';
import type { MatchKey } from '../../api/write/match';
import { isEmpty } from '../../api/write/recordContent';
import type { FieldValues, RecordContent, RowContent } from '../../api/write/recordContent';
import type { Parameter } from '../../ui/parameter';
import { fieldNamesOf } from '../../ui/options';
import { fieldsPickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import type { ItemContext } from '../itemContext';
import { readChanges } from './changes';
import { readFiles, readRowFiles } from './fileEntries';
import {
	mappedMatches,
	readRecordInput,
	readRowInput,
	recordInputProperties,
	rowInputProperties,
	takesJson,
} from './input';
import { subtableParameter } from './record';
import { readRowRules, rowsMode } from './rowsMode';

/** By which fields the records of an item are found, and what it holds in them. */
export interface ItemMatch {
	/** The ids of the fields to match on, each once. */
	matchFieldIds: string[];
	/** The value to look for in each of them; an empty one is refused by the look-up. */
	key: MatchKey;
}

/** What an item writes, and by what its record is found: its id, where it is matched on, is empty for a new record. */
export type MatchedValues = RecordContent & ItemMatch & { recordId?: string };

/**
 * What the item writes, with field ids for names: for a new record all fields of the sheet are shown. Refused are JSON
 * that is none, unknown names, values that cannot be written, missing files, and to write nothing at all.
 */
export function recordValuesParameter({
	isNew,
}: {
	isNew: boolean;
}): Parameter<Promise<RecordContent>, ItemContext> {
	const properties = recordInputProperties('add', isNew);
	const parse = async (item: ItemContext) =>
		await readRecordValues(item, await readRecordInput(item), !isNew);
	return { properties, deferred: true, parse };
}

async function readRecordValues(
	item: ItemContext,
	{ values, isAutoMapped }: Awaited<ReturnType<typeof readRecordInput>>,
	mayExist: boolean,
): Promise<RecordContent> {
	const replacesRows = mayExist && rowsMode.parse(item) === 'replace';
	const { notes, ...changes } = await readChanges(item, values, isAutoMapped, replacesRows);
	const rowRules = mayExist ? await readRowRules(item, changes) : undefined;
	const files = await readFiles(item, changes);
	if (isEmpty(changes) && files.length === 0) throw nothingToWrite('no field');
	return { changes, files, notes, sourceRecordId: sourceRecordId(values), rowRules };
}

/** What the item writes into a row of the subtable; refused is the same. */
export const rowValuesParameter: Parameter<Promise<RowContent>, ItemContext> = {
	properties: rowInputProperties,
	deferred: true,
	async parse(item) {
		const { subtableId } = await subtableParameter.parse(item);
		const { values: input, isAutoMapped } = readRowInput(item);
		const values = Object.fromEntries(Object.entries(input).filter(([key]) => key !== '_rowId'));
		const record = { [subtableKey(subtableId)]: [values] };
		const { subtables, notes } = await readChanges(item, record, isAutoMapped);
		const [row] = [...(subtables.get(subtableId)?.values() ?? [])];
		const files = await readRowFiles(item, subtableId);
		if (row || files.length > 0) return { values: row ?? new Map(), files, notes };
		throw nothingToWrite('no field of the row');
	},
};

function nothingToWrite(what: string): InputError {
	return new InputError(
		`There is nothing to write: ${what} has a value`,
		"To empty fields on purpose, turn on the option 'Clear Empty'.",
	);
}

const matchFields: INodeProperties = {
	...fieldsPickList(
		'matchFields',
		'Match Field Names or IDs',
		'The fields by which existing records are found.',
	),
	required: true,
	displayOptions: { show: { inputMode: ['json'] } },
};

/** What the item writes, and by which fields its records are found. */
export const matchedValuesParameter: Parameter<Promise<MatchedValues>, ItemContext> = {
	properties: recordInputProperties('upsert', true, [matchFields]),
	deferred: true,
	async parse(item) {
		const input = await readRecordInput(item);
		const keys = await readMatchFields(item);
		if (keys.has(recordIdKey)) {
			const { [recordIdKey]: given, ...others } = input.values;
			const recordId = recordIdToMatch(given, keys.size === 1);
			const values = await readRecordValues(item, { ...input, values: others }, true);
			return { ...values, recordId, matchFieldIds: [recordIdKey], key: [recordId] };
		}
		const values = await readRecordValues(item, input, true);
		const matchFieldIds: string[] = [];
		for (const key of keys) {
			matchFieldIds.push((await schemaOf(item).field(key)).fieldId);
		}
		return { ...values, ...(await itemMatch(item, matchFieldIds, valuesToMatch(values))) };
	},
};

/** Stands for the record's id among the fields to match on. */
const recordIdKey = '_recordId';

/** Returns the id of a record in its one spelling, empty for a new one. Throws InputError for what is no id. */
function recordIdToMatch(given: unknown, isAlone: boolean): string {
	if (!isAlone) {
		throw new InputError(
			`'${recordIdKey}' is matched on together with other fields`,
			'A record ID stands for one record: match on it alone.',
		);
	}
	const id = isBlank(given) ? '' : wholeNumberText(String(given).trim());
	if (id !== undefined) return id;
	throw new InputError(
		`'${String(given)}' is not a record ID`,
		'Give the number of a record, or nothing to create one.',
	);
}

/** Returns what an item holds in fields of the record: what the service fills in is not written, but can be matched on. */
function valuesToMatch({ changes, notes = [] }: RecordContent): FieldValues {
	const filledIn = notes.flatMap(({ reason, fieldId, subtableId, value }) => {
		const isOwn = reason === 'filledIn' && subtableId === undefined;
		return isOwn && fieldId !== undefined ? [[fieldId, String(value)] as const] : [];
	});
	return new Map([...filledIn, ...changes.fields]);
}

/**
 * Returns the fields to match on with the texts to look for, empty where there is no value. Throws InputError for several
 * values, and for a text that cannot be sent: it must not take those along that are looked up with it.
 */
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
		key.push(requireWholeCharacters(text));
	}
	return { matchFieldIds, key };
}

async function readMatchFields(item: ItemContext): Promise<Set<string>> {
	const given = takesJson(item) ? item.value(matchFields.name) : mappedMatches(item);
	return await chosenMatchFields(item, given);
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
