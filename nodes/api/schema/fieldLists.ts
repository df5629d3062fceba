import { digest } from '../json/canonicalJson';
import { isJsonObject, memberText, type JsonObject, type JsonValue } from '../json/orderedJson';
import { isFieldId, type Field } from './fields';
import { recordsOf } from '../read/record';
import { subtableOf } from '../values/subtableKeys';
import { scalarText } from '../json/objects';
import { isAddedKey } from '../read/recordKeys';

/** The fields and subtables of a sheet, in the order in which the service names them. */
export interface FieldList {
	fields: Field[];
	subtables: Subtable[];
	/** The field whose value stands for the record. */
	keyFieldId?: string;
}

export interface Subtable {
	subtableId: string;
	name?: string;
}

/** Reads the answer of `metadata/schema`; undefined when it has another shape. */
export function fieldsOfSchema(value: JsonValue): FieldList | undefined {
	if (!isJsonObject(value)) return undefined;
	const fields = schemaFields(value.get('fields'));
	if (!fields) return undefined;
	const sheet = value.get('sheet');
	const keyFieldId = isJsonObject(sheet) ? memberText(sheet, 'keyFieldId') : undefined;
	const list: FieldList = { fields, subtables: [], ...(keyFieldId ? { keyFieldId } : {}) };
	for (const subtable of objectsOf(value.get('subtables'))) {
		const subtableId = memberText(subtable, 'subtableId', 'id', 'key', 'keyFieldId');
		if (subtableId === undefined) continue;
		list.subtables.push({
			subtableId,
			name: memberText(subtable, 'name', 'subtableName', 'fieldName'),
		});
		list.fields.push(...(schemaFields(subtable.get('fields'), subtableId) ?? []));
	}
	return list.fields.length > 0 ? list : undefined;
}

/** Reads the answer of the definition (`def`); undefined when it has another shape. */
export function fieldsOfDefinition(value: JsonValue): FieldList | undefined {
	const definitions = isJsonObject(value) ? value.get('fields') : undefined;
	if (!isJsonObject(definitions)) return undefined;
	const list: FieldList = { fields: definedFields(definitions), subtables: [] };
	for (const [key, definition] of definitions) {
		const subtableId = /^stid(\d+)$/.exec(key)?.[1];
		if (subtableId === undefined || !isJsonObject(definition)) continue;
		list.subtables.push({ subtableId, name: memberText(definition, 'name') });
		list.fields.push(...definedFields(definition, subtableId));
	}
	return list.fields.length > 0 ? list : undefined;
}

/**
 * Pairs two reads of the same records, one keyed by field id, one by field name, by the order of their keys. A record
 * that was changed between the two does not tell which name is whose: it yields the ids alone. Undefined when there is
 * no record.
 */
export function fieldsOfReadings(byId: JsonValue, byName: JsonValue): FieldList | undefined {
	const named = new Map((recordsOf(byName) ?? []).map(({ id, content }) => [id, content]));
	const fields = new Map<string, Field>();
	const subtableIds = new Set<string>();
	const add = (ids: JsonObject, names: JsonObject | undefined, subtableId?: string) => {
		for (const field of pairedFields(ids, names, subtableId)) {
			const key = `${subtableId ?? ''} ${field.fieldId}`;
			const known = fields.get(key);
			if (!known || known.name === known.fieldId) fields.set(key, field);
		}
	};
	for (const { id, content } of recordsOf(byId) ?? []) {
		const names = named.get(id);
		add(content, names);
		for (const [key, rows] of content) {
			const subtableId = subtableOf(key);
			if (subtableId === undefined || !isJsonObject(rows)) continue;
			subtableIds.add(subtableId);
			const namedRows = objectIn(names, key);
			for (const [rowId, row] of rows) {
				if (isJsonObject(row)) add(row, objectIn(namedRows, rowId), subtableId);
			}
		}
	}
	const subtables = [...subtableIds].map((subtableId) => ({ subtableId }));
	return fields.size > 0 ? { fields: [...fields.values()], subtables } : undefined;
}

function pairedFields(
	ids: JsonObject,
	names: JsonObject | undefined,
	subtableId?: string,
): Field[] {
	const fieldIds = [...ids.keys()].filter(isFieldId);
	const fieldNames = [...(names?.keys() ?? [])].filter((name) => !isAdded(name, ids));
	const valuesOf = (content: JsonObject | undefined, keys: readonly string[]) =>
		digest(new Map([['values', keys.map((key) => content?.get(key) ?? null)]]));
	const fits = valuesOf(ids, fieldIds) === valuesOf(names, fieldNames);
	return fieldIds.map((fieldId, index) => ({
		fieldId,
		name: (fits && fieldNames[index]) || fieldId,
		...(subtableId === undefined ? {} : { subtableId }),
	}));
}

function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
	const value = object?.get(key);
	return isJsonObject(value) ? value : undefined;
}

/** What the service adds beside the fields is known, or called the same in both reads. */
function isAdded(name: string, ids: JsonObject): boolean {
	return isAddedKey(name) || (name.startsWith('_') && ids.has(name));
}

function schemaFields(value: JsonValue | undefined, subtableId?: string): Field[] | undefined {
	if (!Array.isArray(value)) return undefined;
	return objectsOf(value).flatMap((field) => {
		const fieldId = memberText(field, 'fieldId', 'id');
		if (fieldId === undefined || !isFieldId(fieldId)) return [];
		const choices = choicesOf(field.get('options') ?? field.get('choices'));
		return [
			{
				fieldId,
				name: memberText(field, 'fieldName', 'name') || fieldId,
				type: memberText(field, 'type'),
				required: isSet(field.get('required')),
				readOnly: isSet(field.get('readOnly')) || isSet(field.get('computed')),
				...(field.has('hidden') ? { hidden: isSet(field.get('hidden')) } : {}),
				...(choices ? { choices } : {}),
				...(subtableId === undefined ? {} : { subtableId }),
			},
		];
	});
}

function definedFields(definitions: JsonObject, subtableId?: string): Field[] {
	const fields: Field[] = [];
	for (const [key, definition] of definitions) {
		const fieldId = /^fid(\d+)$/.exec(key)?.[1];
		if (fieldId === undefined || !isJsonObject(definition)) continue;
		fields.push({
			fieldId,
			name: memberText(definition, 'name') || fieldId,
			required: isSet(definition.get('attr_must')),
			readOnly: isSet(definition.get('attr_ro')),
			...(subtableId === undefined ? {} : { subtableId }),
		});
	}
	return fields;
}

function choicesOf(value: JsonValue | undefined): string[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const choices = value.flatMap((choice) => {
		const text = isJsonObject(choice) ? memberText(choice, 'value', 'name') : scalarText(choice);
		return text === undefined ? [] : [text];
	});
	return choices.length > 0 ? choices : undefined;
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function isSet(value: JsonValue | undefined): boolean {
	return value === true || value === 1 || value === 'true' || value === '1' || value === 'Y';
}
