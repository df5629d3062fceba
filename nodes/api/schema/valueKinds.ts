import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { chosenIn } from '../read/selectionText';
import { fromServiceDate, isDateLike, isLuxonText, toServiceDate } from '../values/dates';
import type { Clock } from '../values/dates';
import { InputError } from '../values/inputError';
import { dateTimeForm, numberForm, switchForm } from '../values/normalForm';
import { isBlank, isMasked, textOf, verbatimText } from '../values/text';
import type { Field } from './fields';

/** A value as a write sends it. An array is a multiple selection; '' clears the field. */
export type FieldValue = string | number | boolean | string[];

export type KindName =
	| ('autoNumber' | 'checkbox' | 'date' | 'dateTime' | 'file' | 'masked' | 'multipleSelection')
	| ('number' | 'richText' | 'selection' | 'text' | 'unknown');

/** Context for parsing a value. */
export interface ParseContext {
	/** Name of the field in messages. */
	label: string;
	/** Time zone in which an instant is written as a wall-clock time. */
	clock: Clock;
	/** Known choices of the field. They decide whether a comma belongs to a choice. */
	choices?: readonly string[];
}

/** Traits of one kind of values. Omitted traits are those of a text. */
export interface KindTraits {
	name: KindName;
	/** Matches the service's names of the field type, in lower case and without other characters than letters. */
	typeNames?: RegExp;
	/** Type of the field in the editor's mapper. Defaults to `string`. */
	mapper?: 'dateTime' | 'number' | 'string';
	/** Form in which dates are written. */
	dateForm?: 'date' | 'dateTime';
	/** Set if every other value than a date is refused. */
	isOnlyDates?: boolean;
	/** Set if the values are choices, of which the service may know the list. */
	isSelection?: boolean;
	/** Set if a field holds several choices. */
	isList?: boolean;
	/** Texts that the service stores for true and false. If omitted, booleans are sent unchanged. */
	booleanWords?: { on: string; off: string };
	/** JSON type of the values in the output with Typed Values. */
	typedAs?: 'boolean' | 'list' | 'number';
	/** Returns the same text for all spellings of one value. */
	normalize?: (text: string) => string;
	/** Compares two texts as the service's filters do: negative, zero or positive. */
	compare?: (left: string, right: string) => number;
	/** Whether writing a text certainly does not change a stored text. Defaults to equal normal forms. */
	isUnchanged?: (stored: string, written: string) => boolean;
	/** Whether a saved text stands for a sent text. Defaults to equal normal forms. */
	isKept?: (saved: string, sent: string) => boolean;
}

/** The rules for the values of one kind of fields. */
export class ValueKind {
	readonly name: KindName;
	readonly mapper: NonNullable<KindTraits['mapper']>;
	readonly typedAs: KindTraits['typedAs'];
	readonly booleanWords: KindTraits['booleanWords'];
	readonly isSelection: boolean;
	readonly isList: boolean;

	constructor(readonly traits: KindTraits) {
		this.name = traits.name;
		this.mapper = traits.mapper ?? 'string';
		this.typedAs = traits.typedAs;
		this.booleanWords = traits.booleanWords;
		this.isSelection = traits.isSelection ?? false;
		this.isList = traits.isList ?? false;
	}

	/** Returns whether this is one of the kinds with these names. */
	is(...names: readonly KindName[]): boolean {
		return names.includes(this.name);
	}

	/** Whether values are written with a time of day. */
	get hasTime(): boolean {
		return this.traits.dateForm === 'dateTime';
	}

	/** Returns the value to send for an input; '' or an empty array for an empty input. Throws InputError for a value that the field cannot store. */
	parse(input: unknown, context: ParseContext): FieldValue {
		if (isBlank(input)) return '';
		if (this.traits.isOnlyDates) requireDate(input, context.label);
		const value = this.choicesIn(input, context) ?? input;
		return Array.isArray(value)
			? value
					.filter((element) => !isBlank(element))
					.map((element) => String(this.format(element, context)))
			: this.format(value, context);
	}

	/** Returns a single value in the service's format. Texts are not checked. Throws InputError for objects, arrays and NaN. */
	format(value: unknown, { label, clock }: ParseContext): string | number | boolean {
		const date = this.dateIn(value, clock);
		if (date !== undefined) return date;
		if (typeof value === 'boolean') return this.wordOf(value);
		if (typeof value === 'string') return value;
		if (typeof value === 'number' && Number.isFinite(value)) return value;
		if (typeof value === 'bigint') return String(value);
		throw unwritable(label);
	}

	/** Returns the text that a filter compares with; undefined for lists and objects. */
	filterText(value: unknown, clock: Clock): string | undefined {
		const { dateForm } = this.traits;
		const isUnknown = this.name === 'unknown';
		// Do not convert a text that looks like a date in a field of another kind.
		const mayBeDate = typeof value !== 'string' || isUnknown || dateForm !== undefined;
		if (mayBeDate && isDateLike(value)) {
			const date = isUnknown && isLuxonText(value) ? new Date(value) : value;
			const written = toServiceDate(date, clock, dateForm);
			if (written !== undefined) return written;
		}
		if (typeof value === 'object' && value !== null) return undefined;
		if (typeof value === 'boolean') return String(this.wordOf(value));
		return verbatimText(value);
	}

	/** Returns whether a read may have returned the value in another format than it is stored in, so that the stored value is needed. */
	needsStoredValue(input: unknown, context: ParseContext): boolean {
		const { isOnlyDates } = this.traits;
		const isDoubtful = isOnlyDates
			? noDateIn(input) !== undefined
			: [input].flat().some(isDateLike);
		return isDoubtful || this.choicesIn(input, context) !== undefined;
	}

	/** Returns a stored value with its JSON type: null if it is empty, undefined if the type cannot represent it exactly. */
	typed(stored: JsonValue): JsonValue | undefined {
		const { typedAs } = this;
		const isList = Array.isArray(stored) || isJsonObject(stored);
		if (typedAs === 'list' && isList) return stored;
		if (typedAs === 'list') return isBlank(stored) ? [] : [stored];
		if (typedAs === undefined || typeof stored !== 'string' || isMasked(stored)) return stored;
		if (stored === '') return null;
		if (typedAs === 'number') return exactNumber(stored);
		const form = switchForm(stored);
		return form === undefined ? undefined : form === 'true';
	}

	/** Returns the same text for all spellings of one value. */
	normalize(text: string): string {
		return this.traits.normalize?.(text) ?? text;
	}

	/** Compares two texts as the service's filters do: negative, zero or positive. */
	compare(left: string, right: string): number {
		return (this.traits.compare ?? compareTexts)(left, right);
	}

	/** Returns whether a stored value equals the value of an input. */
	equals(stored: JsonValue | undefined, given: FieldValue): boolean {
		return this.areSame(stored, given, this.hasEqualForm);
	}

	/** Returns whether writing a value certainly changes nothing. */
	isUnchanged(stored: JsonValue | undefined, written: FieldValue): boolean {
		return this.areSame(stored, written, this.traits.isUnchanged ?? this.hasEqualForm);
	}

	/** Returns whether a saved text means the same as the sent text. */
	isKept(saved: string, sent: string): boolean {
		return saved === sent || (this.traits.isKept ?? this.hasEqualForm)(saved, sent);
	}

	/** Returns the spellings of a value that a filter needs to find it. */
	filterSpellings(text: string): string[] {
		const { typedAs } = this;
		// Filters compare numbers by value, but may not understand thousands separators.
		const isGrouped = typedAs === 'number' && text.includes(',');
		return isGrouped ? [...new Set([text, this.normalize(text)])] : [text];
	}

	/** Returns a date in the service's format; undefined if the value is not a date in a field of this kind. */
	private dateIn(value: unknown, clock: Clock): string | undefined {
		const { dateForm } = this.traits;
		const mayBeDate = typeof value === 'object' || dateForm !== undefined;
		if (mayBeDate) return toServiceDate(value, clock, dateForm);
		// n8n converts Luxon objects to texts, so such a text is a date.
		const isLuxon = this.name === 'unknown' && isLuxonText(value);
		return isLuxon ? toServiceDate(new Date(value), clock) : undefined;
	}

	private wordOf(value: boolean): string | boolean {
		const { booleanWords } = this;
		if (!booleanWords) return value;
		return value ? booleanWords.on : booleanWords.off;
	}

	private readonly hasEqualForm = (left: string, right: string): boolean =>
		this.normalize(left) === this.normalize(right);

	/** Returns the choices in a text with several choices; undefined for any other value. */
	private choicesIn(input: unknown, { choices }: ParseContext): unknown[] | undefined {
		return this.isList && typeof input === 'string' ? chosenIn(input, choices) : undefined;
	}

	private areSame(
		stored: JsonValue | undefined,
		given: FieldValue,
		areTextsSame: (stored: string, given: string) => boolean,
	): boolean {
		if (Array.isArray(stored)) return areSameChoices(stored, given);
		const text = scalarTextOf(stored);
		if (text === undefined) return false;
		if (Array.isArray(given)) {
			if (given.length === 0) return text === '';
			// A single choice may be returned without a list.
			return this.isList && given.length === 1 && text === given[0];
		}
		return text === String(given) || areTextsSame(text, String(given));
	}
}

const toDateForm = (text: string) => dateTimeForm(text) ?? text;
const toNumberForm = (text: string) => numberForm(text) ?? text;
const toSwitchForm = (text: string) => switchForm(text) ?? text;

const dates: Pick<KindTraits, 'compare' | 'isKept' | 'mapper' | 'normalize'> = {
	mapper: 'dateTime',
	normalize: toDateForm,
	compare: (left, right) => compareTexts(toDateForm(left), toDateForm(right)),
	// A field may display a time without its seconds.
	isKept: (saved, sent) =>
		toDateForm(saved) === toDateForm(sent) ||
		(dateTimeForm(saved) !== undefined && sent.startsWith(saved)),
};

/** Texts of a checkbox in the service's answers. */
export const checkboxWords = { on: 'Yes', off: 'No' };

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
		isOnlyDates: true,
	},
	{ ...dates, name: 'date', typeNames: /^date/, dateForm: 'date', isOnlyDates: true },
	{
		name: 'number',
		typeNames: /^(?:number|numeric|money|currency|integer|decimal)/,
		mapper: 'number',
		typedAs: 'number',
		normalize: toNumberForm,
		compare: (left, right) => compareNumbers(left, right) ?? compareTexts(left, right),
		// It is not documented whether the service accepts thousands separators.
		isUnchanged: (stored, written) =>
			!written.includes(',') && toNumberForm(stored) === toNumberForm(written),
		isKept: isSameNumber,
	},
	{
		name: 'checkbox',
		typeNames: /^(?:check|bool)/,
		typedAs: 'boolean',
		booleanWords: checkboxWords,
		normalize: toSwitchForm,
		compare: (left, right) => (toSwitchForm(left) === toSwitchForm(right) ? 0 : 1),
	},
	{ name: 'autoNumber', typeNames: /^auto/ },
	{ name: 'masked', typeNames: /mask/ },
	// The service may return markup as HTML, so the texts cannot be compared.
	{ name: 'richText', typeNames: /rich|html|bbcode/, isKept: (saved) => saved !== '' },
	{ name: 'selection', typeNames: /select|choice|dropdown/, isSelection: true },
	{ name: 'text', typeNames: /(?:)/ },
] as const satisfies readonly KindTraits[];

const unknown: KindTraits = {
	name: 'unknown',
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

/** Returns whether both values are equal in some kind of field. Reads may return a stored value in another format. */
export function isSameInSomeKind(stored: JsonValue | undefined, given: FieldValue): boolean {
	return allKinds.some((kind) => kind.isUnchanged(stored, given));
}

/** Numbers in the format of the service. `0612`, `1e5` and `1,234` are texts in every field. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns the number in a text if JavaScript can represent it exactly; undefined for any other text. */
export function exactNumber(text: string): number | undefined {
	if (!plainNumber.test(text)) return undefined;
	const number = Number(text);
	// Convert -0 to 0.
	return numberForm(String(number)) === numberForm(text) ? number + 0 : undefined;
}

/** Returns whether two texts are the same number, except for a rounding error of floating-point arithmetic. */
export function isSameNumber(saved: string, sent: string): boolean {
	if (toNumberForm(saved) === toNumberForm(sent)) return true;
	const isWhole = [saved, sent].every((text) => /^-?\d+$/.test(text));
	return !isWhole && Math.abs(Number(saved) - Number(sent)) <= Math.abs(Number(sent)) * 1e-9;
}

/** Compares two texts as numbers. Returns undefined if one of them is not a number. */
function compareNumbers(left: string, right: string): number | undefined {
	const [first, second] = [numberForm(left), numberForm(right)];
	if (first === undefined || second === undefined) return undefined;
	return first === second ? 0 : Number(first) - Number(second);
}

function compareTexts(left: string, right: string): number {
	return left < right ? -1 : Number(left > right);
}

/** Returns whether a stored selection has exactly these choices, in any order. A single text is one choice. */
function areSameChoices(stored: readonly JsonValue[], given: FieldValue): boolean {
	const single = given === '' ? [] : [String(given)];
	const choices = Array.isArray(given) ? given : single;
	const storedTexts = stored.map((choice) => scalarTextOf(choice) ?? '').sort();
	const givenTexts = [...choices].sort();
	return (
		storedTexts.length === givenTexts.length &&
		storedTexts.every((choice, index) => choice === givenTexts[index])
	);
}

/** Returns the text of a value; undefined for lists, objects and null. */
function scalarTextOf(value: JsonValue | undefined): string | undefined {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : undefined;
}

/** Returns the first text in a value that is neither a date of the service nor an ISO 8601 date. */
function noDateIn(value: unknown): string | undefined {
	const isDate = (text: string) => isDateLike(text) || fromServiceDate(text) !== undefined;
	return [value]
		.flat()
		.map(textOf)
		.find((text) => text !== '' && !isDate(text));
}

/** Throws InputError if the value is not a date in a format of the service, of ISO 8601 or of n8n. */
export function requireDate(value: unknown, label: string): void {
	const wrong = noDateIn(value);
	if (wrong === undefined) return;
	throw new InputError(
		`'${wrong}' is not a valid date for '${label}'`,
		"Write 2026-01-31, 2026-01-31T09:30 or, as the service does, 2026/01/31 09:30:00, or let an expression yield a date, e.g. {{ DateTime.fromFormat('31.01.2026', 'dd.MM.yyyy') }}.",
	);
}

function unwritable(label: string): InputError {
	return new InputError(
		`The value of '${label}' cannot be written: it must be a text, a number, true or false, a date, or an array of texts`,
	);
}
