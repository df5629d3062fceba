import type { INodeProperties } from 'n8n-workflow';
import type { Parameter } from '../../ui/parameter';
import { fieldsPickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import type { ItemContext } from '../itemContext';
import { readChanges } from './changes';
import { chosenMatchFields, itemMatch, type ItemMatch } from './recordValues';

const matchFields: INodeProperties = {
	...fieldsPickList(
		'matchFields',
		'Match Field Names or IDs',
		'The fields by which records are found. Each item holds the values under the same names.',
	),
	required: true,
};

/** The fields to match on, with the values that the input item has in them: typed as if they were to be written. */
export const itemMatchParameter: Parameter<Promise<ItemMatch>, ItemContext> = {
	properties: [matchFields],
	deferred: true,
	async parse(item) {
		const values = new Map<string, unknown>();
		for (const key of await readMatchFields(item)) {
			const { fieldId } = await schemaOf(item).field(key);
			const isOwn = (name: string) => Object.prototype.hasOwnProperty.call(item.record, name);
			const names = [key, key.replace(` (${fieldId})`, ''), fieldId];
			const own = names.find(isOwn) ?? (await schemaOf(item).nameFor(fieldId));
			values.set(fieldId, isOwn(own) ? item.record[own] : undefined);
		}
		const { fields } = await readChanges(item, Object.fromEntries(values), false);
		return await itemMatch(item, [...values.keys()], fields);
	},
};

/** Returns names and ids as the user gave them, each once. Throws InputError when there is none. */
export async function readMatchFields(item: ItemContext): Promise<Set<string>> {
	return await chosenMatchFields(item, item.value(matchFields.name));
}
