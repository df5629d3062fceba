import { digest } from '../../json/canonicalJson';
import { scalarText } from '../../json/objects';
import { isJsonObject, memberText, type JsonObject, type JsonValue } from '../../json/orderedJson';
import { recordsOf } from '../../read/record';
import { subtableOf } from '../../values/subtableKeys';
import { fieldMapKey } from '../fieldNames';
import { isFieldId, type Field, type FieldList } from '../fields';

/** Parses the answer of `metadata/schema`. Returns undefined for any other value, and for an answer without fields. */
export function fieldsOfSchema(value?: JsonValue): FieldList | undefined {
	if (!isJsonObject(value) || !Array.isArray(value.get('fields'))) return undefined;
	const list: FieldList = { fields: schemaFields(value), subtables: [] };
	const sheet = value.get('sheet');
	const keyFieldId = isJsonObject(sheet) ? memberText(sheet, 'keyFieldId') : undefined;
	if (keyFieldId) list.keyFieldId = keyFieldId;
	for (const subtable of objectsOf(value.get('subtables'))) {
		const subtableId = memberText(subtable, 'subtableId', 'id', 'key', 'keyFieldId');
		if (subtableId === undefined) continue;
		const name = memberText(subtable, 'name', 'subtableName', 'fieldName');
		list.subtables.push({ subtableId, name });
		list.fields.push(...schemaFields(subtable, subtableId));
	}
	return list.fields.length > 0 ? list : undefined;
}

/** Parses the answer of the definition (`def`). Returns undefined for any other value, and for an answer without fields. */
export function fieldsOfDefinition(value?: JsonValue): FieldList | undefined {
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
 * Returns the fields in two reads of the same records, with field IDs and with field names as keys. Keys are paired by their
 * order. For a record or row whose values differ between the reads, only the IDs of its fields are known, without names. Returns
 * undefined if there are no fields.
 */
export function fieldsOfReadings(byId: JsonValue, byName: JsonValue): FieldList | undefined {
	const named = new Map([...partsOfRecords(byName)].map(({ partId, values }) => [partId, values]));
	const fields = new Map<string, Field>();
	const subtableIds = new Set<string>();
	for (const { partId, subtableId, values } of partsOfRecords(byId)) {
		if (subtableId !== undefined) subtableIds.add(subtableId);
		for (const field of pairedFields(values, named.get(partId), subtableId)) {
			const key = fieldMapKey(field.fieldId, subtableId);
			if (fields.get(key)?.readName === undefined) fields.set(key, field);
		}
	}
	const subtables = [...subtableIds].map((subtableId) => ({ subtableId }));
	return fields.size > 0 ? { fields: [...fields.values()], subtables } : undefined;
}

/** Yields records, subtables (without values) and rows. A part has the same `partId` in every read of the same records. */
function* partsOfRecords(
	reading: JsonValue,
): Generator<{ partId: string; subtableId?: string; values: JsonObject }> {
	for (const { id, content } of recordsOf(reading)) {
		yield { partId: id, values: content };
		for (const [key, rows] of content) {
			const subtableId = subtableOf(key);
			if (subtableId === undefined || !isJsonObject(rows)) continue;
			yield { partId: `${id} ${subtableId}`, subtableId, values: new Map() };
			for (const [rowId, row] of rows) {
				const partId = `${id} ${subtableId} ${rowId}`;
				if (isJsonObject(row)) yield { partId, subtableId, values: row };
			}
		}
	}
}

function pairedFields(ids: JsonObject, names?: JsonObject, subtableId?: string): Field[] {
	const fieldIds = [...ids.keys()].filter(isFieldId);
	// The keys that the service adds to the fields are the same in both reads.
	const isAdded = (key: string) => key.startsWith('_') && ids.has(key);
	const readNames = [...(names?.keys() ?? [])].filter((key) => !isAdded(key));
	const valuesOf = (content: JsonObject | undefined, keys: readonly string[]) =>
		digest(new Map([['values', keys.map((key) => content?.get(key) ?? null)]]));
	const fits = valuesOf(ids, fieldIds) === valuesOf(names, readNames);
	return fieldIds.map((fieldId, index) => {
		const readName = fits ? readNames[index] : undefined;
		const name = readName === undefined ? fieldId : nameInReading(readName, fieldIds.length);
		return { fieldId, name, readName, subtableId };
	});
}

/**
 * Returns the name of a field that is only known from records; an empty text if the field has no name. In place of a missing
 * name, the service sends a number of at most `fieldCount`, or `Untitled` with or without a number.
 */
function nameInReading(readName: string, fieldCount: number): string {
	const isPosition = isFieldId(readName) && Number(readName) <= fieldCount;
	return isPosition || /^Untitled\d*$/.test(readName) ? '' : readName;
}

function schemaFields(parent: JsonObject, subtableId?: string): Field[] {
	const fields = objectsOf(parent.get('fields')).map((field) => ({
		fieldId: memberText(field, 'fieldId', 'id') ?? '',
		name: memberText(field, 'fieldName', 'name') ?? '',
		type: memberText(field, 'type'),
		required: isSet(field.get('required')),
		readOnly: isSet(field.get('readOnly')) || isSet(field.get('computed')),
		computed: toldFlag(field, 'computed'),
		hidden: field.has('hidden') ? isSet(field.get('hidden')) : undefined,
		choices: listedChoices(field.get('options') ?? field.get('choices')),
		subtableId,
	}));
	return fields.filter(({ fieldId }) => isFieldId(fieldId));
}

function definedFields(definitions: JsonObject, subtableId?: string): Field[] {
	const fields: Field[] = [];
	for (const [key, definition] of definitions) {
		const fieldId = /^fid(\d+)$/.exec(key)?.[1];
		if (fieldId === undefined || !isJsonObject(definition)) continue;
		const name = memberText(definition, 'name') ?? '';
		const required = isSet(definition.get('attr_must'));
		const readOnly = isSet(definition.get('attr_ro'));
		const choices = listedChoices(definition.get('options'));
		const computed = toldFlag(definition, 'computed');
		fields.push({
			...{ fieldId, name, required, readOnly, subtableId },
			...(choices !== undefined && { choices }),
			...(computed !== undefined && { computed }),
		});
	}
	return fields;
}

function listedChoices(value: JsonValue | undefined): string[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const choiceIn = (choice: JsonValue) =>
		isJsonObject(choice) ? memberText(choice, 'value', 'v', 'name') : scalarText(choice);
	const choices = value.flatMap((choice) => choiceIn(choice) ?? []);
	return choices.length > 0 ? choices : undefined;
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns whether a property is set; undefined if it is missing. */
function toldFlag(field: JsonObject, property: string): boolean | undefined {
	return field.has(property) ? isSet(field.get(property)) : undefined;
}

function isSet(value: JsonValue | undefined): boolean {
	return value === true || value === 1 || value === 'true' || value === '1' || value === 'Y';
}
