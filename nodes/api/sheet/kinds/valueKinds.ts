import type { JsonValue } from '../../json/orderedJson';
import { checkboxWords } from './checkbox';
import type { Field } from '../fields';
import { sameness } from './sameness';
import {
	compareNumbers,
	compareTexts,
	toDateForm,
	toSwitchForm,
	type FieldValue,
} from './valueChecks';
import { ValueKind, type KindTraits } from './valueKind';

const dates: Pick<KindTraits, 'compare' | 'isSingle' | 'mapper' | 'sameness'> = {
	isSingle: true,
	mapper: 'dateTime',
	sameness: sameness.date,
	compare: (left, right) => compareTexts(toDateForm(left), toDateForm(right)),
};

/** The kinds by the service's names of types. The first match counts. The last entry matches every name. */
const table = [
	{ name: 'file', typeNames: /file|image|picture|photo|attach|upload|signature/ },
	{
		name: 'multipleSelection',
		typeNames: /^(?!.*(?:line|text)).*multi/,
		isSelection: true,
		isList: true,
		typedAs: 'list',
	},
	{
		...dates,
		name: 'dateTime',
		typeNames: /^(?:datetime|timestamp)/,
		dateForm: 'dateTime',
		onlyDates: 'known',
		sameness: sameness.dateTime,
	},
	{ ...dates, name: 'date', typeNames: /^date/, dateForm: 'date', onlyDates: 'known' },
	{
		name: 'number',
		typeNames: /^(?:number|numeric|money|currency|integer|decimal)/,
		onlyNumbers: 'known',
		isSingle: true,
		mapper: 'number',
		typedAs: 'number',
		sameness: sameness.number,
		compare: (left, right) => compareNumbers(left, right) ?? compareTexts(left, right),
	},
	{
		name: 'checkbox',
		typeNames: /^(?:check|bool)/,
		isSingle: true,
		typedAs: 'boolean',
		booleanWords: checkboxWords,
		sameness: sameness.checkbox,
		compare: (left, right) => (toSwitchForm(left) === toSwitchForm(right) ? 0 : 1),
	},
	{ name: 'autoNumber', typeNames: /^auto/ },
	{ name: 'masked', typeNames: /mask/ },
	{ name: 'richText', typeNames: /rich|html|bbcode/, sameness: sameness.richText },
	{ name: 'selection', typeNames: /select|choice|dropdown/, isSelection: true },
	{ name: 'text', typeNames: /(?:)/ },
] as const satisfies readonly KindTraits[];

/**
 * Kind of a field without a known type. Compares as numbers, as a checkbox if the right side is true or false, or as dates. Only
 * identical texts are equal, except that true and false find the words of a checkbox.
 */
const unknown: KindTraits = {
	name: 'unknown',
	mayHoldDates: true,
	sameness: sameness.unknown,
	compare: (left, right) => {
		const order = compareNumbers(left, right);
		if (order !== undefined) return order;
		if (/^(?:true|false)$/i.test(right)) return toSwitchForm(left) === toSwitchForm(right) ? 0 : 1;
		return compareTexts(toDateForm(left), toDateForm(right));
	},
};

type TableName = (typeof table)[number]['name'] | 'unknown';

const allKinds = [...table, unknown].map((traits) => new ValueKind(traits));

/** Returns the kind with a name. */
export function kindNamed(name: TableName): ValueKind {
	const kind = allKinds.find((candidate) => candidate.name === name);
	if (kind) return kind;
	throw new Error(`There is no kind '${name}'`);
}

const unknownKind = kindNamed('unknown');

/** Returns the kind of a field by the service's name of its type; the kind `unknown` if it has no type. */
export function kindOf({ type = '' }: Pick<Field, 'type'>): ValueKind {
	if (type === '') return unknownKind;
	const word = type.toLowerCase().replace(/[^a-z]/g, '');
	return allKinds.find(({ traits }) => traits.typeNames?.test(word)) ?? unknownKind;
}

/** The kinds of fields, by field ID. */
export type FieldKinds = ReadonlyMap<string, ValueKind>;

/** Returns the kind of a field among loaded kinds, or by its own type. */
export function kindIn(kinds: FieldKinds | undefined, field: Pick<Field, 'fieldId' | 'type'>) {
	return kinds?.get(field.fieldId) ?? kindOf(field);
}

/**
 * Returns whether writing the input certainly changes nothing in at least one kind of field (see `ValueKind.isUnchanged`). An
 * input of `1,234` may change a stored `1234`. Reads may return a stored value in another format.
 */
export function mayBeUnchanged(stored: JsonValue | undefined, input: FieldValue): boolean {
	return allKinds.some((kind) => kind.isUnchanged(stored, input));
}

/** Returns whether a stored value equals an input in at least one kind of field. A stored `1234` equals `1,234` as a number. */
export function mayBeEqual(stored: JsonValue | undefined, input: FieldValue): boolean {
	return allKinds.some((kind) => kind.equals(stored, input));
}
