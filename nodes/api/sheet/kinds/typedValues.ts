import { isJsonObject, type JsonValue } from '../../json/orderedJson';
import { switchForm } from '../../values/normalForm';
import { subtableOf } from '../../values/subtableKeys';
import { fieldMapKey, type KnownNames } from '../fieldNames';
import type { FieldIndex } from '../fieldIndex';
import { idInKey, readKeyOf, type Field } from '../fields';
import { kindNamed, kindOf } from './valueKinds';
import type { ValueKind } from './valueKind';
import { exactNumber } from './valueChecks';

/** Rules for the JSON types of values. What the user declared takes precedence over the type of a field. */
export interface TypingRules {
	/** Whether the records are keyed by field IDs; otherwise by names. */
	byId: boolean;
	/** Keys of fields that the user declared as numbers: names, IDs or `<name> (<id>)`. */
	numbers: readonly string[];
	/** Keys of fields that the user declared as lists. */
	lists: readonly string[];
	/** Output keys for records that are keyed by field IDs. The fields without a type are named by them. */
	names?: KnownNames;
}

/** Converts values of records to JSON numbers, booleans and lists, except values that the type cannot represent exactly. */
export class ValueTypes {
	/** Kinds by the key of the field and its subtable. Undefined if unknown, or if fields of one name are typed differently. */
	private readonly kinds = new Map<string, ValueKind | undefined>();
	/** Declared kinds by the keys of fields that are not listed: a key of the user, and the ID in it. */
	private readonly unlistedKinds = new Map<string, ValueKind>();

	/** @param untyped receives the keys of fields whose values may need a type, but whose type is unknown */
	constructor(
		index: FieldIndex,
		private readonly rules: TypingRules,
		private readonly untyped = new Set<string>(),
	) {
		const declared = this.declaredKinds(index, rules);
		for (const field of index.fields) {
			const key = readKeyOf(field, rules.byId ? 'EID' : 'FNAME');
			const place = fieldMapKey(key, field.subtableId);
			const kind = declared.get(field) ?? knownKindOf(field);
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
		const place = fieldMapKey(key, subtableId);
		const kind = this.kinds.get(place) ?? this.unlistedKinds.get(key);
		const typed = kind?.typed(value);
		if (kind === undefined && !key.startsWith('_') && mayBeTyped(value)) {
			this.untyped.add(this.rules.names?.[place] ?? key);
		}
		return typed === undefined ? value : typed;
	}

	/** Returns the kinds that the user declared, by listed field. A number takes precedence over a list. */
	private declaredKinds(index: FieldIndex, { numbers, lists }: TypingRules): Map<Field, ValueKind> {
		const declared = new Map<Field, ValueKind>();
		const declare = (key: string, kind: ValueKind) => {
			for (const field of index.listed(key, 'anywhere')) declared.set(field, kind);
			this.unlistedKinds.set(key, kind).set(idInKey(key) ?? key, kind);
		};
		for (const key of lists) declare(key, kindNamed('multipleSelection'));
		for (const key of numbers) declare(key, kindNamed('number'));
		return declared;
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
