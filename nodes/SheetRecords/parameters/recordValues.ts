import { sourceRecordId } from '../../api/read/recordKeys';
import { InputError } from '../../api/values/inputError';
import { subtableKey } from '../../api/values/subtableKeys';
import { isBlank } from '../../api/values/text';
import { isEmpty } from '../../api/write/recordContent';
import type { RecordContent, RowContent } from '../../api/write/recordContent';
import { deferred, shownFor, type Parameter } from '../../ui/parameter';
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
import {
	chosenMatchFields,
	itemMatch,
	matchFieldsProperty,
	recordIdKey,
	recordIdToMatch,
	valuesToMatch,
	type ItemMatch,
} from './match';
import { subtableParameter } from './record';
import { readRowRules, rowsMode } from './rowsMode';

/** What an item writes, and by what its record is found: its id, where it is matched on, is empty for a new record. */
export type MatchedValues = RecordContent & ItemMatch & { recordId?: string };

/** What the item writes. Refused are JSON that is none, unknown names, values that cannot be written, missing files, and to write nothing. */
export function recordValuesParameter({
	isNew,
}: {
	isNew: boolean;
}): Parameter<Promise<RecordContent>, ItemContext> {
	return deferred(recordInputProperties('add', isNew), async (item: ItemContext) => {
		return await readRecordValues(item, readRecordInput(item), !isNew);
	});
}

async function readRecordValues(
	item: ItemContext,
	{ values, isAutoMapped }: ReturnType<typeof readRecordInput>,
	mayExist: boolean,
): Promise<RecordContent> {
	const replacesRows = mayExist && rowsMode.parse(item) === 'replace';
	const { notes, ...changes } = await readChanges(item, values, isAutoMapped, replacesRows);
	item.run.hints.addLeftOut(notes);
	const rowRules = mayExist ? await readRowRules(item, changes) : undefined;
	const files = await readFiles(item, changes);
	if (isEmpty(changes) && files.length === 0) throw nothingToWrite('no field');
	return { changes, files, notes, sourceRecordId: sourceRecordId(values), rowRules };
}

/** What the item writes into a row of the subtable; refused is the same. */
export const rowValuesParameter = deferred(
	rowInputProperties,
	async (item: ItemContext): Promise<RowContent> => {
		const { subtableId } = subtableParameter.parse(item);
		const { values: input, isAutoMapped } = readRowInput(item);
		const values = Object.fromEntries(Object.entries(input).filter(([key]) => key !== '_rowId'));
		const record = { [subtableKey(subtableId)]: [values] };
		const { subtables, notes } = await readChanges(item, record, isAutoMapped);
		item.run.hints.addLeftOut(notes);
		const [row] = [...(subtables.get(subtableId)?.values() ?? [])];
		const files = await readRowFiles(item, subtableId);
		if (row || files.length > 0) return { values: row ?? new Map(), files, notes };
		throw nothingToWrite('no field of the row');
	},
);

function nothingToWrite(what: string): InputError {
	return new InputError(
		`There is nothing to write: ${what} has a value`,
		"To empty fields on purpose, turn on the option 'Clear Empty'.",
	);
}

const matchFields = matchFieldsProperty('The fields by which existing records are found.');

/** What the item writes, and by which fields its records are found. */
export const matchedValuesParameter = deferred(
	recordInputProperties('upsert', true, shownFor({ inputMode: ['json'] }, [matchFields])),
	async (item: ItemContext): Promise<MatchedValues> => {
		const input = readRecordInput(item);
		const given = takesJson(item) ? item.value(matchFields.name) : mappedMatches(item);
		const keys = await chosenMatchFields(item, given);
		if (keys.has(recordIdKey)) {
			const { [recordIdKey]: id, ...others } = input.values;
			const recordId = isBlank(id) && keys.size === 1 ? '' : recordIdToMatch(id, keys);
			const values = await readRecordValues(item, { ...input, values: others }, true);
			return { ...values, recordId, matchFieldIds: [recordIdKey], key: [recordId] };
		}
		const values = await readRecordValues(item, input, true);
		const matchFieldIds: string[] = [];
		for (const key of keys) {
			matchFieldIds.push((await schemaOf(item).field(key)).fieldId);
		}
		const { changes, notes = [] } = values;
		const held = valuesToMatch(changes.fields, notes);
		return { ...values, ...(await itemMatch(item, matchFieldIds, held)) };
	},
);
