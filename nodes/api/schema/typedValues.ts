import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { switchForm } from '../values/normalForm';
import { subtableOf } from '../values/subtableKeys';
import { placeOf } from './fieldNames';
import { isKeyOf, type Field } from './fields';
import { exactNumber, kindNamed, kindOf, type ValueKind } from './valueKinds';

/** How the fields of a sheet are typed. */
export interface TypingRules {
	/** Whether the records are keyed by field IDs; otherwise by names. */
	byId: boolean;
	/** Fields that hold numbers, as a user named them: by name, ID or `<name> (<id>)`. */
	numbers: readonly string[];
	/** Fields that hold lists, named in the same way. */
	lists: readonly string[];
}

/** Gives the values of records their JSON types: numbers, booleans and lists. A value that is not certainly the same in the type of its field stays as it was sent. */
export class ValueTypes {
	/** Kinds by the key of the field and its subtable. Undefined if the kind is unknown, or if fields of one name are typed differently. */
	private readonly kinds = new Map<string, ValueKind | undefined>();

	/** Takes the fields of the sheet and its subtables. Adds to `untyped` the names of fields whose type would matter and is not known. */
	constructor(
		fields: readonly Field[],
		private readonly rules: TypingRules,
		private readonly untyped = new Set<string>(),
	) {
		for (const field of fields) {
			const { fieldId, name, readName = name, subtableId } = field;
			const place = placeOf(rules.byId ? fieldId : readName, subtableId);
			const kind = this.kindByHand(field) ?? knownKindOf(field);
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
		const kind = this.kinds.get(place) ?? this.kindByHand({ fieldId: key, name: key });
		const typed = kind?.typed(value);
		if (kind === undefined && !key.startsWith('_') && mayBeTyped(value)) this.untyped.add(key);
		return typed === undefined ? value : typed;
	}

	private kindByHand(field: Field): ValueKind | undefined {
		const { numbers, lists } = this.rules;
		if (numbers.some((key) => isKeyOf(key, field))) return kindNamed('number');
		return lists.some((key) => isKeyOf(key, field)) ? kindNamed('multipleSelection') : undefined;
	}
}

function knownKindOf(field: Field): ValueKind | undefined {
	const kind = kindOf(field);
	return kind.name === 'unknown' ? undefined : kind;
}

function areTypedAlike(left: ValueKind | undefined, right: ValueKind | undefined): boolean {
	if (left === undefined || right === undefined) return left === right;
	return left.typedAs === right.typedAs;
}

/** Whether a value of a field of unknown type may be another one than a text. */
function mayBeTyped(value: JsonValue): boolean {
	if (typeof value !== 'string') return Array.isArray(value);
	return exactNumber(value) !== undefined || switchForm(value) !== undefined;
}
