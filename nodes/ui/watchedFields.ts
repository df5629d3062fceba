import type { WebhookEvent } from '../api/webhooks/delivery';
import type { OutputOptions } from './options';
import { fieldNamesOf } from './options';
import type { Parameter, ParameterSource, SheetContext } from './parameter';
import { fieldsPickList } from './pickList';
import { keysOf } from './recordOutput';
import { schemaOf } from './sheet';
import { systemFields } from '../api/schema/fields';
import { InputError } from '../api/values/inputError';
import { isSubtableKey, subtableKey, subtableOf } from '../api/values/subtableKeys';

/** The fields one of which has to change: names and ids; none when any change counts. */
export const watchedFields: Parameter<string[], ParameterSource> = {
	properties: [
		{
			...fieldsPickList(
				'watchFields',
				'Watch Field Names or IDs',
				'An update counts only when one of these fields changed; none for any change. Items then say which did, and what they held before.',
			),
			displayOptions: { show: { events: ['UPDATE'] } },
		},
	],
	parse: (item) => fieldNamesOf(item.value('watchFields')),
};

/** Returns the keys of the watched fields in reads; undefined when any change counts. */
export async function watchedKeys(
	item: SheetContext,
	events: readonly WebhookEvent[],
	naming: OutputOptions['naming'],
): Promise<string[] | undefined> {
	if (!events.includes('UPDATE')) return undefined;
	const keys = await keysOf(watchedFields.parse(item), naming, schemaOf(item));
	return keys && [...keys];
}

/**
 * Throws InputError for a watched field that the records of the sheet do not have: it would always change, or never.
 * Where the fields are unknown, names are taken as they are.
 */
export async function checkWatchedFields(item: SheetContext): Promise<void> {
	const schema = schemaOf(item);
	const fields = await schema.fields();
	if (fields.length === 0) return;
	for (const name of await schema.fieldKeys(watchedFields.parse(item))) {
		if (isSubtableKey(name)) {
			await schema.requireSubtable(subtableOf(name) ?? name);
			continue;
		}
		const found = await schema.field(name, true);
		const { subtableId } = fields.find(({ fieldId }) => fieldId === found.fieldId) ?? {};
		if (subtableId === undefined && !systemFields.includes(found)) continue;
		throw new InputError(
			`'${name}' in 'Watch Field Names or IDs' is no field of the record itself`,
			subtableId && `Watch '${subtableKey(subtableId)}': then any change of its rows counts.`,
		);
	}
}
