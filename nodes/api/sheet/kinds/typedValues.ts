import { isJsonObject, type JsonValue } from '../../json/orderedJson';
import { switchForm } from '../../values/normalForm';
import { subtableOf } from '../../values/subtableKeys';
import { placeOf } from '../fieldNames';
import { isKeyOf, type Field } from '../fields';
import { kindNamed, kindOf } from './valueKinds';
import type { ValueKind } from './valueKind';
import { exactNumber } from './valueChecks';

/** Rules for the JSON types of values. What the user declared takes precedence over the type of a field. */
export interface TypingRules {
	/** Whether the records are keyed by field IDs; otherwise by names. */
	byId: boolean;
	/** Fields that the user declared as numbers, by name, ID or `<name> (<id>)`. */
	numbers: readonly string[];
	/** Fields that the user declared as lists. */
	lists: readonly string[];
}

/** Converts values of records to JSON numbers, booleans and lists, except values that the type cannot represent exactly. */
export class ValueTypes {
	/** Kinds by the key of the field and its subtable. Undefined if unknown, or if fields of one name are typed differently. */
	private readonly kinds = new Map<string, ValueKind | undefined>();

	/** @param untyped receives the keys of fields whose values may need a type, but whose type is unknown */
	constructor(
		fields: readonly Field[],
		private readonly rules: TypingRules,
		private readonly untyped = new Set<string>(),
	) {
		for (const field of fields) {
			const { fieldId, name, readName = name, subtableId } = field;
			const place = placeOf(rules.byId ? fieldId : readName, subtableId);
			const kind = this.declaredKind(field) ?? knownKindOf(field);
			const isAmbiguous = this.kinds.has(place) && !areTypedAlike(this.kinds.get(place), kind);
			this.kinds.set(place, isAmbiguous ? undefined : kind);
		}
	}

	/** Returns a member of a record with its JSON type: the value of a field, or the rows of a subtable. */
	member(key: string, value: JsonValue): JsonValue {
		const subtableId = subtableOf(key);
		if (subtableId === undefined || !isJsonObject(value)) return this.value(key, value);
		return new Map([...value].map(([rowId, row]) => [rowId, this.row(subtableId, row)]));
	}

	/** Returns a row of a subtable with the JSON types of its values. */
	row(subtableId: string, row: JsonValue): JsonValue {
		if (!isJsonObject(row)) return row;
		return new Map([...row].map(([key, value]) => [key, this.value(key, value, subtableId)]));
	}

	private value(key: string, value: JsonValue, subtableId?: string): JsonValue {
		const place = placeOf(key, subtableId);
		const kind = this.kinds.get(place) ?? this.declaredKind({ fieldId: key, name: key });
		const typed = kind?.typed(value);
		if (kind === undefined && !key.startsWith('_') && mayBeTyped(value)) this.untyped.add(key);
		return typed === undefined ? value : typed;
	}

	private declaredKind(field: Field): ValueKind | undefined {
		const { numbers, lists } = this.rules;
		if (numbers.some((key) => isKeyOf(key, field))) return kindNamed('number');
		return lists.some((key) => isKeyOf(key, field)) ? kindNamed('multipleSelection') : undefined;
	}
}

function knownKindOf(field: Field): ValueKind | undefined {
	const kind = kindOf(field);
	return kind.is('unknown') ? undefined : kind;
}

function areTypedAlike(left: ValueKind | undefined, right: ValueKind | undefined): boolean {
	if (left === undefined || right === undefined) return left === right;
	return left.typedAs === right.typedAs;
}

/** Returns whether a value of unknown type may be something else than a text: a list, or a text such as `5` or `Yes`. */
function mayBeTyped(value: JsonValue): boolean {
	if (typeof value !== 'string') return Array.isArray(value);
	return exactNumber(value) !== undefined || switchForm(value) !== undefined;
}
