import { idInKey, isSurelyFieldId } from '../../api/schema/fields';
import { InputError } from '../../api/values/inputError';
import { isObject } from '../../api/json/objects';
import { requireDate, switchText } from '../../api/write/fieldValue';
import { chosenIn } from '../../api/read/selectionText';
import type { ItemContext } from '../itemContext';

/** What the editor keeps of a field of the mapper beside its key. */
interface MappedField {
	type?: unknown;
	options?: unknown;
}

/**
 * The mapper's values as the user gave them, in the service's form where the mapper knows the field's type.
 * What n8n makes of them by the schema that the editor kept is not asked for: it reads a date without an
 * offset off its own clock, and refuses empty texts.
 *
 * @throws InputError for what is no date in a field of dates, and for a field that is given twice
 */
export function mappedValues(item: ItemContext): Record<string, unknown> {
	const { value } = mapperOf(item);
	const fields = mappedFields(item);
	const values = new Map<string, unknown>();
	for (const [key, given] of Object.entries(isObject(value) ? value : {})) {
		const fieldKey = fieldKeyOf(key, fields);
		if (values.has(fieldKey)) {
			throw new InputError(`'${key}' and another key both stand for the field ${fieldKey}`);
		}
		values.set(fieldKey, mappedValue(key, given, fields.get(key)));
	}
	return Object.fromEntries(values);
}

/** The fields that the mapper matches on, as they are looked up; undefined when it was not set. */
export function mappedMatches(item: ItemContext): unknown {
	const keys = mapperOf(item).matchingColumns;
	const fields = mappedFields(item);
	return Array.isArray(keys) ? keys.map((key) => fieldKeyOf(String(key), fields)) : keys;
}

function mappedFields(item: ItemContext): ReadonlyMap<unknown, MappedField> {
	const { schema } = mapperOf(item);
	const listed = Array.isArray(schema) ? schema.filter(isObject) : [];
	return new Map(listed.map((field) => [field.id, field]));
}

function mapperOf(item: ItemContext): Record<string, unknown> {
	const mapper = item.value('fields');
	return isObject(mapper) ? mapper : {};
}

/** A key that the mapper made holds the id, and is no other field's name. */
function fieldKeyOf(key: string, fields: ReadonlyMap<unknown, MappedField>): string {
	const id = fields.has(key) ? idInKey(key) : undefined;
	return id !== undefined && isSurelyFieldId(id) ? id : key;
}

function mappedValue(key: string, value: unknown, field: MappedField = {}): unknown {
	const { type, options } = field;
	if (type === 'dateTime') requireDate(key, value);
	if (type === 'boolean' && typeof value === 'boolean') return switchText(value);
	// Of texts, only those for multiple selections have choices; once they were arrays.
	const choices = Array.isArray(options)
		? options.filter(isObject).map((one) => String(one.value))
		: [];
	const isSelection = type === 'array' || (type === 'string' && Array.isArray(options));
	if (!isSelection || typeof value !== 'string') return value;
	return chosenIn(value, choices) ?? value;
}
