import type { INodeProperties } from 'n8n-workflow';
import { fieldKey } from '../../api/schema/fields';
import { InputError } from '../../api/values/inputError';
import type { MatchKey } from '../../api/write/match';
import { requireWholeCharacters } from '../../api/values/query';
import type { RecordChanges } from '../../api/write/recordContent';
import { isBlank, textOf } from '../../api/values/text';
import { fieldsPickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import { mappedMatches } from './mapper';
import { inputMode, recordValueProperties } from './recordValueProperties';
import { readRecordValues, type RecordValues } from './recordValues';
import type { Parameter } from '../../ui/parameter';
import type { ItemContext } from '../itemContext';

const matchFields: INodeProperties = {
	...fieldsPickList(
		'matchFields',
		'Match Field Names or IDs',
		'The fields by which existing records are found.',
	),
	required: true,
	displayOptions: { show: { inputMode: ['json'] } },
};

/** What an item writes, and the fields by which its record is found. */
export interface MatchedValues extends RecordValues {
	/** The ids of the fields to match on, each once. */
	matchFieldIds: string[];
	/** The value to look for in each of them; an empty one is refused by the look-up. */
	key: MatchKey;
}

/** What the item writes, and by which fields its records are found. */
export const matchedValuesParameter: Parameter<Promise<MatchedValues>, ItemContext> = {
	properties: recordValueProperties('upsert', true, [matchFields]),
	deferred: true,
	async parse(item) {
		const values = await readRecordValues(item);
		const matchFieldIds: string[] = [];
		for (const key of matchKeys(item)) {
			matchFieldIds.push((await schemaOf(item).field(key)).fieldId);
		}
		// Refused here, a key that cannot be sent does not take those along that are looked up with it.
		const key = matchFieldIds.map((fieldId) =>
			requireWholeCharacters(matchValue(values.changes, fieldId)),
		);
		return { ...values, matchFieldIds, key };
	},
};

function matchValue({ fields }: RecordChanges, fieldId: string): string {
	const value = fields.get(fieldId);
	if (value === undefined || isBlank(value)) return '';
	if (!Array.isArray(value)) return String(value);
	const [only] = value;
	if (only !== undefined && value.length === 1) return only;
	throw new InputError(
		`The field ${fieldId} to match on has several values in this item`,
		'Give it one value, or match on another field.',
	);
}

/** Names and ids as the user gave them, each once. */
function matchKeys(item: ItemContext): string[] {
	const value =
		inputMode.parse(item) === 'json' ? item.value(matchFields.name) : mappedMatches(item);
	const keys = (Array.isArray(value) ? value : textOf(value).split(/\s*,\s*/))
		.map(fieldKey)
		.filter((key) => key !== '');
	if (keys.length > 0) return [...new Set(keys)];
	throw new InputError(
		'No field to match on is chosen',
		"Choose the fields by which existing records are found, in 'Fields to match on' or, for JSON, in 'Match Field Names or IDs'.",
	);
}
