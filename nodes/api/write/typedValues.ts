import { isKeyOf, type Field } from '../schema/fields';
import { valueKind, type ValueKind } from '../schema/fieldTypes';
import { numberForm, switchForm } from '../values/normalForm';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { subtableOf } from '../values/subtableKeys';
import { isMasked } from '../values/text';
import { getOrInsert } from '../json/objects';

/** As the service writes a number that is one; `0612`, `1e5` and `1,234` are texts, whatever the field. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** How the fields of a sheet are typed. */
export interface TypingRules {
	/** Whether the records are keyed by field ids; otherwise by names. */
	byId: boolean;
	/** Fields that hold numbers, and such that hold lists, as a user named them: by name, id or `<name> (<id>)`. */
	numbers: readonly string[];
	lists: readonly string[];
}

/**
 * Turns the values of records into those of their fields' types: numbers, true and false, lists. A field whose
 * type is not known keeps what the service sent, and so does a value that is not surely the same in that type.
 */
export class ValueTypes {
	/** By the subtable whose rows have the fields; those of the records themselves by undefined. */
	private readonly places = new Map<string | undefined, Place>();

	/** @param fields of the sheet and its subtables, with their types as far as they are known */
	constructor(
		fields: readonly Field[],
		private readonly rules: TypingRules,
	) {
		for (const field of fields) this.place(field.subtableId).all.push(field);
		for (const place of this.places.values()) place.byKey = keyed(place.all, rules);
	}

	/** A member of a record, typed: the value of a field, or the rows of a subtable. */
	member(key: string, value: JsonValue): JsonValue {
		const subtableId = subtableOf(key);
		if (subtableId === undefined || !isJsonObject(value)) return this.value(key, value);
		return new Map([...value].map(([rowId, row]) => [rowId, this.row(subtableId, row)]));
	}

	row(subtableId: string, row: JsonValue): JsonValue {
		if (!isJsonObject(row)) return row;
		return new Map([...row].map(([key, value]) => [key, this.value(key, value, subtableId)]));
	}

	private value(key: string, value: JsonValue, subtableId?: string): JsonValue {
		const place = this.place(subtableId);
		if (!place.kinds.has(key)) place.kinds.set(key, this.kindOf(key, place));
		const kind = place.kinds.get(key);
		const typed = kind === undefined ? undefined : typedValue(kind, value);
		return typed === undefined ? value : typed;
	}

	private place(subtableId: string | undefined): Place {
		return getOrInsert(this.places, subtableId, () => ({
			all: [],
			byKey: new Map(),
			kinds: new Map(),
		}));
	}

	private kindOf(key: string, { all, byKey }: Place): ValueKind | undefined {
		const field = byKey.get(key);
		const { numbers, lists } = this.rules;
		for (const [kind, names] of [['number', numbers] as const, ['list', lists] as const]) {
			if (names.some((one) => isKeyOf(one, field ?? { fieldId: key, name: key }))) return kind;
		}
		if (field) return valueKind(field.type);
		if (key.startsWith('_')) return 'other';
		// A read numbers names that are missing or double: which field it is matters only where they differ.
		const shown = new Set(byKey.values());
		const numbered = all.filter((one) => !shown.has(one)).map(({ type }) => valueKind(type));
		return numbered.every((kind) => kind === numbered[0]) ? numbered[0] : undefined;
	}
}

/** The fields of a sheet's records, or of a subtable's rows. */
interface Place {
	readonly all: Field[];
	/** By their keys in the output, without those that the service numbers in its own way. */
	byKey: ReadonlyMap<string, Field>;
	/** Kinds of values by keys of the output; undefined where unknown. */
	readonly kinds: Map<string, ValueKind | undefined>;
}

function keyed(fields: readonly Field[], { byId }: TypingRules): Map<string, Field> {
	if (byId) return new Map(fields.map((field) => [field.fieldId, field]));
	const byName = new Map<string, Field>();
	const shared = new Set<string>();
	for (const field of fields) {
		if (byName.has(field.name)) shared.add(field.name);
		byName.set(field.name, field);
	}
	return new Map(
		[...byName].filter(([name, { fieldId }]) => !shared.has(name) && !['', fieldId].includes(name)),
	);
}

/**
 * A value of a field that holds such; an empty number or switch is null, an empty list has no element.
 * Undefined for a value that is not surely the same in that type.
 */
export function typedValue(kind: ValueKind, value: JsonValue): JsonValue | undefined {
	if (kind === 'other') return value;
	if (kind === 'list') return listOf(value);
	if (typeof value !== 'string' || isMasked(value)) return value;
	if (value === '') return null;
	if (kind === 'number') return exactNumber(value);
	const form = switchForm(value);
	return form === undefined ? undefined : form === 'true';
}

function listOf(value: JsonValue): JsonValue {
	if (Array.isArray(value) || isJsonObject(value)) return value;
	return value === '' || value === null ? [] : [value];
}

/** The number that a text says, if it is written back with the same value; undefined for any other text. */
export function exactNumber(text: string): number | undefined {
	if (!plainNumber.test(text)) return undefined;
	const number = Number(text);
	// Zero has no sign.
	return numberForm(String(number)) === numberForm(text) ? number + 0 : undefined;
}
