import type { JsonValue } from '../../json/orderedJson';
import { fromServiceDate } from '../../values/dates';
import { dateTimeForm, switchForm } from '../../values/normalForm';
import { checkboxWords } from './checkbox';
import type { Field } from '../fields';
import {
	compareNumbers,
	compareTexts,
	isSameNumber,
	toDateForm,
	toNumberForm,
	toSwitchForm,
	type FieldValue,
} from './valueChecks';
import { ValueKind, type KindTraits } from './valueKind';

const dates: Pick<
	KindTraits,
	'compare' | 'isFoundBy' | 'isKept' | 'isSingle' | 'mapper' | 'normalize'
> = {
	isSingle: true,
	mapper: 'dateTime',
	normalize: toDateForm,
	compare: (left, right) => compareTexts(toDateForm(left), toDateForm(right)),
	// Filters only understand the service's own format (specification, endpoint 1, filter rule 2).
	isFoundBy: (stored, text) =>
		[stored, text].every((date) => fromServiceDate(date) !== undefined) &&
		toDateForm(stored) === toDateForm(text),
	// A field may display a time without its seconds.
	isKept: (saved, sent) =>
		toDateForm(saved) === toDateForm(sent) ||
		(dateTimeForm(saved) !== undefined && sent.startsWith(saved)),
};

/** Returns whether a condition's text means the stored word of a checkbox. Conditions may also say 1 and 0. */
const isSameSwitch = (stored: string, text: string) => {
	const form = switchForm(stored);
	const digits: Readonly<Record<string, string>> = { 1: 'true', 0: 'false' };
	return form !== undefined && form === (digits[text] ?? switchForm(text));
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
	},
	{ ...dates, name: 'date', typeNames: /^date/, dateForm: 'date', onlyDates: 'known' },
	{
		name: 'number',
		typeNames: /^(?:number|numeric|money|currency|integer|decimal)/,
		onlyNumbers: 'known',
		isSingle: true,
		mapper: 'number',
		typedAs: 'number',
		normalize: toNumberForm,
		compare: (left, right) => compareNumbers(left, right) ?? compareTexts(left, right),
		isFoundBy: (stored, text) =>
			![stored, text].some((number) => number.includes(',')) && compareNumbers(stored, text) === 0,
		// It is not documented whether the service accepts thousands separators.
		isUnchanged: (stored, written) =>
			!written.includes(',') && toNumberForm(stored) === toNumberForm(written),
		isKept: isSameNumber,
	},
	{
		name: 'checkbox',
		typeNames: /^(?:check|bool)/,
		isSingle: true,
		typedAs: 'boolean',
		booleanWords: checkboxWords,
		normalize: toSwitchForm,
		compare: (left, right) => (toSwitchForm(left) === toSwitchForm(right) ? 0 : 1),
		isFoundBy: isSameSwitch,
	},
	{ name: 'autoNumber', typeNames: /^auto/ },
	{ name: 'masked', typeNames: /mask/ },
	// The service may return markup as HTML, so the texts cannot be compared.
	{ name: 'richText', typeNames: /rich|html|bbcode/, isKept: (saved) => saved !== '' },
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
	isFoundBy: (stored, text) => /^(?:true|false)$/i.test(text) && isSameSwitch(stored, text),
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
export function isSameInSomeKind(stored: JsonValue | undefined, input: FieldValue): boolean {
	return allKinds.some((kind) => kind.isUnchanged(stored, input));
}

/** Returns whether a stored value equals an input in at least one kind of field. A stored `1234` equals `1,234` as a number. */
export function isEqualInSomeKind(stored: JsonValue | undefined, input: FieldValue): boolean {
	return allKinds.some((kind) => kind.equals(stored, input));
}
