import { placeOf } from '../schema/fieldNames';
import { isKeyOf, type Field } from '../schema/fields';
import { valueKind, type ValueKind } from '../schema/fieldTypes';
import { numberForm, switchForm } from '../values/normalForm';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { subtableOf } from '../values/subtableKeys';
import { isBlank, isMasked } from '../values/text';

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

/** Types the values of records: numbers, true and false, lists. What is not surely the same in the type of its field stays as it was sent. */
export class ValueTypes {
	/** By the key and the subtable; undefined where fields of one name are of several kinds. */
	private readonly kinds = new Map<string, ValueKind | undefined>();

	/** Takes the fields of the sheet and its subtables. Names of fields whose type would matter and is not known are added to `untyped`. */
	constructor(
		fields: readonly Field[],
		private readonly rules: TypingRules,
		private readonly untyped = new Set<string>(),
	) {
		for (const field of fields) {
			const { fieldId, name, readName = name, subtableId } = field;
			const place = placeOf(rules.byId ? fieldId : readName, subtableId);
			const kind = this.kindByHand(field) ?? valueKind(field.type);
			const isOther = this.kinds.has(place) && this.kinds.get(place) !== kind;
			this.kinds.set(place, isOther ? undefined : kind);
		}
	}

	/** Returns a member of a record, typed: the value of a field, or the rows of a subtable. */
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
		const place = placeOf(key, subtableId);
		const kind = this.kinds.get(place) ?? this.kindByHand({ fieldId: key, name: key });
		const typed = kind && typedValue(kind, value);
		if (kind === undefined && !key.startsWith('_') && mayBeTyped(value)) this.untyped.add(key);
		return typed === undefined ? value : typed;
	}

	private kindByHand(field: Field): ValueKind | undefined {
		const { numbers, lists } = this.rules;
		if (numbers.some((key) => isKeyOf(key, field))) return 'number';
		return lists.some((key) => isKeyOf(key, field)) ? 'list' : undefined;
	}
}

/** Returns a value of that kind, null for an empty number or switch; undefined for what is not surely the same in it. */
export function typedValue(kind: ValueKind, value: JsonValue): JsonValue | undefined {
	const isList = Array.isArray(value) || isJsonObject(value);
	if (kind === 'list' && !isList) return isBlank(value) ? [] : [value];
	if (kind === 'other' || typeof value !== 'string' || isMasked(value)) return value;
	if (value === '') return null;
	if (kind === 'number') return exactNumber(value);
	const form = switchForm(value);
	return form === undefined ? undefined : form === 'true';
}

/** The number that a text says, if it is written back with the same value; undefined for any other text. */
export function exactNumber(text: string): number | undefined {
	if (!plainNumber.test(text)) return undefined;
	const number = Number(text);
	// Zero has no sign.
	return numberForm(String(number)) === numberForm(text) ? number + 0 : undefined;
}

/** Whether a value of a field of unknown type may be another one than a text. */
function mayBeTyped(value: JsonValue): boolean {
	if (typeof value !== 'string') return Array.isArray(value);
	return exactNumber(value) !== undefined || switchForm(value) !== undefined;
}
