import type { INodeProperties } from 'n8n-workflow';
import { sourceRecordId } from '../../api/read/recordKeys';
import { InputError } from '../../api/values/inputError';
import { requireWholeCharacters } from '../../api/values/query';
import { subtableKey } from '../../api/values/subtableKeys';
import { isBlank } from '../../api/values/text';
import { switchText } from '../../api/write/fieldValue';
import type { MatchKey } from '../../api/write/match';
import { isEmpty } from '../../api/write/recordContent';
import type { RecordChanges, RecordContent, RowContent } from '../../api/write/recordContent';
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

/** What an item writes, and the fields by which its record is found. */
export interface MatchedValues extends RecordContent {
	/** The ids of the fields to match on, each once. */
	matchFieldIds: string[];
	/** The value to look for in each of them; an empty one is refused by the look-up. */
	key: MatchKey;
}

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
	return { properties, deferred: true, parse: readRecordValues };
}

async function readRecordValues(item: ItemContext): Promise<RecordContent> {
	const { values, isAutoMapped } = await readRecordInput(item);
	const { notes, ...changes } = await readChanges(item, values, isAutoMapped);
	const files = await readFiles(item, changes);
	if (isEmpty(changes) && files.length === 0) throw nothingToWrite('no field');
	const sourceId = isAutoMapped ? sourceRecordId(item.record) : undefined;
	return { changes, files, notes, sourceRecordId: sourceId };
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
		const values = await readRecordValues(item);
		const matchFieldIds: string[] = [];
		for (const key of await readMatchFields(item)) {
			matchFieldIds.push((await schemaOf(item).field(key)).fieldId);
		}
		// Refused here, a key that cannot be sent does not take those along that are looked up with it.
		const key = matchFieldIds.map((fieldId) =>
			requireWholeCharacters(matchValue(values.changes, fieldId)),
		);
		return { ...values, matchFieldIds, key };
	},
};

/** Returns the text to look for in a field to match on; empty when it is not written. Throws InputError for several values. */
export function matchValue({ fields }: RecordChanges, fieldId: string): string {
	const value = fields.get(fieldId);
	if (value === undefined || isBlank(value)) return '';
	if (typeof value === 'boolean') return switchText(value);
	if (!Array.isArray(value)) return String(value);
	const [only] = value;
	if (only !== undefined && value.length === 1) return only;
	throw new InputError(
		`The field ${fieldId} to match on has several values in this item`,
		'Give it one value, or match on another field.',
	);
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
