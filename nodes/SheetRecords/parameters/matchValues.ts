import { arrayIn } from '../../api/read/selectionText';
import { listOf } from '../../api/sheet/fields';
import { InputError } from '../../api/values/inputError';
import { isBlank, textOf } from '../../api/values/text';
import { mapped, verbatimTextParameter } from '../../shared/parameters/parameter';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import { ItemContext } from '../run/itemContext';
import { matchKeyIn, parseMatchFields, recordIdKey } from './matchFields';

/** The values to match in a tool of an AI agent. A model fills in parameters, and cannot name the fields of an item. */
const matchValues = mapped(
	verbatimTextParameter({
		displayName: 'Values to Match',
		name: 'matchValues',
		typeOptions: { rows: 2 },
		displayOptions: { show: { '@tool': [true] } },
		placeholder: "e.g. {{ $fromAI('orderNumber') }}",
		description:
			'The value of each match field, one per line, in the order of the match fields. If empty, the values are those of the input item.',
	}),
	(text) => text.replace(/\r\n/g, '\n'),
);

export const matchValuesProperties = matchValues.properties;

/** An item with other values for the match fields. */
class MatchedItem extends ItemContext {
	constructor(
		item: ItemContext,
		private readonly values: Readonly<Record<string, string>>,
	) {
		super(item.run, item.index);
	}

	override get record(): Record<string, unknown> {
		return { ...this.values };
	}
}

/**
 * Returns the item with the values of 'Values to Match' as its record. Returns the item itself if the node is no tool, or if the
 * parameter is empty and the item has the match fields. Throws InputError if there is not one value for each match field.
 */
export async function withMatchValues(item: ItemContext): Promise<ItemContext> {
	if (!item.run.isTool) return item;
	const given: unknown = item.value('matchValues');
	const keys = [...(await parseMatchFields(item))];
	const names = await Promise.all(keys.map(async (key) => await nameOf(item, key)));
	if (isBlank(given)) {
		const inItem = await Promise.all(keys.map(async (key) => await matchKeyIn(item, key)));
		if (!inItem.includes(undefined)) return item;
		throw unusableValues('is empty', names);
	}
	const text = matchValues.parse(item).trim();
	const lines = keys.length === 1 ? [text] : text.split('\n');
	// Models also give a JSON list.
	const values = (arrayIn(text) ?? lines).map(textOf);
	if (values.length !== keys.length || values.includes('')) {
		throw unusableValues('has not one value for each match field', names);
	}
	const record = Object.fromEntries(keys.map((key, index) => [key, values[index] ?? '']));
	return await new MatchedItem(item, record).connected();
}

function unusableValues(problem: string, names: readonly string[]): InputError {
	const quoted = listOf(names.map((name) => `'${name}'`));
	return new InputError(
		`'Values to Match' ${problem}`,
		`Give the value of ${quoted}${names.length > 1 ? ', one per line, in this order' : ''}.`,
	);
}

async function nameOf(item: ItemContext, key: string): Promise<string> {
	return key === recordIdKey ? key : await fieldsOfSheet(item).nameFor(key);
}
