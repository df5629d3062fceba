import { isJsonObject, type JsonValue } from '../../json/orderedJson';
import { chosenIn } from '../../read/selectionText';
import { fullServiceDate, isDateLike, isLuxonText, toServiceDate } from '../../values/dates';
import type { TimeZone } from '../../values/dates';
import { numberForm, switchForm } from '../../values/normalForm';
import { listOfObjects, unusableValue } from '../../values/singleValue';
import { isBlank, isMasked, textOf, verbatimText } from '../../values/text';
import { switchIn, wordsAmong, wordsFor } from './checkbox';
import { sameness, type Sameness } from './sameness';
import {
	areSameChoices,
	compareTexts,
	exactNumber,
	firstTextWithoutDate,
	firstTextWithoutNumber,
	requireDate,
	requireNumber,
	scalarTextOf,
	severalValues,
	unwritable,
	withoutExponent,
	type FieldValue,
} from './valueChecks';

export type KindName =
	| ('autoNumber' | 'checkbox' | 'date' | 'dateTime' | 'file' | 'masked' | 'multipleSelection')
	| ('number' | 'richText' | 'selection' | 'text' | 'unknown');

/** Context for parsing a value. */
export interface ParseContext {
	/** Name of the field in messages. */
	label: string;
	/** Label of the list in the editor that has the field, such as `Assignments`, if it is not a write of a record. */
	list?: string;
	/** Time zone in which an instant is written as a wall-clock time. */
	timeZone: TimeZone;
	/**
	 * Known choices of the field. They decide whether a comma belongs to a choice. For a checkbox, the words that records contain,
	 * most frequent first (see `checkboxTexts`).
	 */
	choices?: readonly string[];
}

/** Returns the field in words for a message: its quoted name, and the list in the editor that has it. */
function placeIn({ label, list }: Pick<ParseContext, 'label' | 'list'>): string {
	return list === undefined ? `'${label}'` : `'${label}' in '${list}'`;
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
	/** Set if every other value than a date is refused: the type is known, or all values of the field are dates. */
	onlyDates?: 'inferred' | 'known';
	/** Set if every text that is not a number is refused: the type is known, or all values of the field are numbers. */
	onlyNumbers?: 'inferred' | 'known';
	/** Set if any text may be a date, because the field's type is not known. */
	mayHoldDates?: boolean;
	/** Set if the values are choices, of which the service may know the list. */
	isSelection?: boolean;
	/** Set if a field holds several choices. */
	isList?: boolean;
	/** Set if a field certainly holds a single value, so that a list of several is refused. */
	isSingle?: boolean;
	/** Texts that the service stores for true and false. If omitted, booleans are sent unchanged. */
	booleanWords?: { on: string; off: string };
	/** JSON type of the values in the output with Typed Values. */
	typedAs?: 'boolean' | 'list' | 'number';
	/** The relations between two texts. Defaults to `identical`. */
	sameness?: Sameness;
	/** Returns further texts to filter by, because the service may compare them letter by letter. */
	spellings?: (text: string) => readonly string[];
	/** Compares two texts as the service's filters do: negative, zero or positive. */
	compare?: (left: string, right: string) => number;
}

/** The rules for the values of one kind of fields. */
export class ValueKind {
	readonly name: KindName;
	readonly mapper: NonNullable<KindTraits['mapper']>;
	readonly typedAs: KindTraits['typedAs'];
	readonly booleanWords: KindTraits['booleanWords'];
	readonly isSelection: boolean;
	readonly isList: boolean;
	private readonly sameness: Sameness;

	constructor(readonly traits: KindTraits) {
		this.name = traits.name;
		this.mapper = traits.mapper ?? 'string';
		this.typedAs = traits.typedAs;
		this.booleanWords = traits.booleanWords;
		this.isSelection = traits.isSelection ?? false;
		this.isList = traits.isList ?? false;
		this.sameness = traits.sameness ?? sameness.identical;
	}

	/** Returns whether this is one of the kinds with these names. */
	is(...names: readonly KindName[]): boolean {
		return names.includes(this.name);
	}

	/** Whether other values than dates are refused. */
	get holdsOnlyDates(): boolean {
		return this.traits.onlyDates !== undefined;
	}

	/** Whether other values than dates, or other texts than numbers, are refused. */
	get isRestricted(): boolean {
		return this.traits.onlyDates !== undefined || this.traits.onlyNumbers !== undefined;
	}

	/** Returns whether a list of one value stands for this value. A field of files may hold several. */
	private isValueItself(element: unknown): boolean {
		if (this.isList || this.is('file')) return false;
		// The field may be a multiple selection, for which a text without commas means the same.
		return !this.is('unknown') || !String(element).includes(',');
	}

	/** Whether values are written with a time of day. */
	get hasTime(): boolean {
		return this.traits.dateForm === 'dateTime';
	}

	/**
	 * Returns whether a value is empty. White space is a value in texts only: a column of a table may have a blank for an empty date,
	 * number, checkbox or choice.
	 */
	isEmpty(value: unknown): boolean {
		if (isBlank(value)) return true;
		const { dateForm, isSelection, typedAs } = this.traits;
		const mayBeBlanks = dateForm === undefined && typedAs === undefined && !isSelection;
		return !mayBeBlanks && typeof value === 'string' && value.trim() === '';
	}

	/**
	 * Returns the value to send for an input: an array for an array or for several choices in a text, '' or an empty array for an
	 * empty input. Throws InputError for a value that the field cannot store.
	 */
	parse(input: unknown, context: ParseContext): FieldValue {
		if (this.isEmpty(input)) return '';
		const value = this.choicesIn(input, context) ?? input;
		if (!Array.isArray(value)) return this.single(value, context);
		const elements = value.filter((element) => !this.isEmpty(element));
		const [first] = elements;
		if (elements.some((element) => unusableValue(element) === 'an object')) {
			throw unwritable(placeIn(context), listOfObjects);
		}
		if (elements.length === 1 && this.isValueItself(first)) return this.single(first, context);
		const { isSingle = false } = this.traits;
		const texts = elements.map((element) => String(this.checked(element, context)));
		if (isSingle && texts.length > 1) throw severalValues(placeIn(context), texts);
		return texts;
	}

	/**
	 * Returns a single value in the service's format. Texts are not checked. Throws InputError for objects, lists, NaN and
	 * Infinity.
	 */
	format(value: unknown, context: ParseContext): string | number | boolean {
		const place = placeIn(context);
		const what = unusableValue(value);
		if (what !== undefined) throw unwritable(place, what);
		const date = this.dateIn(value, context.timeZone);
		if (date !== undefined) return date;
		const word = this.wordFor(value, context.choices);
		if (word !== undefined) return word;
		const isDate = this.traits.dateForm !== undefined && isDateLike(value);
		const isScalar = ['bigint', 'boolean', 'number', 'string'].includes(typeof value);
		// A date outside the range of the service.
		if (isDate || !isScalar) throw unwritable(place, 'a date that the service cannot store');
		if (typeof value === 'number') return withoutExponent(value);
		return typeof value === 'boolean' ? value : String(value);
	}

	/**
	 * Returns the text that a filter compares with; undefined for a value that cannot be compared (see
	 * `unusableValue`). As a part of a text (`isPart`), a day has no time.
	 */
	filterText(value: unknown, timeZone: TimeZone, { isPart = false } = {}): string | undefined {
		if (unusableValue(value) !== undefined) return undefined;
		if (this.isComparedDate(value)) return this.comparedDate(value, timeZone, isPart);
		if (typeof value === 'object' && value !== null) return undefined;
		if (typeof value === 'boolean') return this.wordFor(value) ?? String(value);
		if (typeof value === 'number') return String(withoutExponent(value));
		return this.comparedText(value, isPart) ?? verbatimText(value);
	}

	/** Returns a date or number of this kind without white space; undefined for any other value. A date as a part of a text (`isPart`) is only trimmed. */
	private comparedText(value: unknown, isPart: boolean): string | undefined {
		const { dateForm, typedAs } = this.traits;
		if (dateForm !== undefined) {
			const date = fullServiceDate(textOf(value));
			return isPart && date !== undefined ? textOf(value) : date;
		}
		const isNumber = typedAs === 'number' && numberForm(textOf(value)) !== undefined;
		return isNumber ? textOf(value) : undefined;
	}

	/**
	 * Returns the texts that a filter compares with for a boolean: the words of this meaning that records contain, or the word that is
	 * written, and then all others, because older records may contain them. `words` are those of records, most frequent first.
	 */
	filterWords(value: boolean, words: readonly string[] = []): string[] {
		const inUse = words.filter((word) => switchIn(word) === value);
		const first = inUse.length > 0 ? inUse : [this.wordFor(value, words) ?? String(value)];
		return [...new Set([...first, ...wordsFor(value)])];
	}

	/**
	 * Throws InputError if a field of this kind cannot hold the value of a condition: the field accepts only dates and the value is
	 * not a date, or it accepts only numbers and the value is not a number. `text` is the result of `filterText`.
	 */
	requireComparable(value: unknown, text: string, context: Pick<ParseContext, 'label' | 'list'>) {
		const { onlyDates, onlyNumbers } = this.traits;
		if (onlyDates) requireDate(value, placeIn(context), onlyDates);
		if (onlyNumbers && typeof value !== 'number')
			requireNumber(text, placeIn(context), onlyNumbers);
	}

	/** Returns whether a filter compares with a value as a date. A text that looks like a date is one in some kinds only. */
	private isComparedDate(value: unknown): boolean {
		const { dateForm, mayHoldDates = false } = this.traits;
		const mayBeDate = typeof value !== 'string' || mayHoldDates || dateForm !== undefined;
		return mayBeDate && isDateLike(value);
	}

	/** Returns the date that a filter compares with; undefined if it is outside the range of the service. */
	private comparedDate(value: unknown, timeZone: TimeZone, isPart: boolean): string | undefined {
		const { dateForm, mayHoldDates = false } = this.traits;
		const date = (mayHoldDates || isPart) && isLuxonText(value) ? new Date(value) : value;
		const form = isPart && dateForm === 'dateTime' ? undefined : dateForm;
		return toServiceDate(date, timeZone, form);
	}

	/** Returns the value of a field that gets one value. Throws as `parse`. */
	private single(value: unknown, context: ParseContext): FieldValue {
		const formatted = this.checked(value, context);
		const { onlyNumbers } = this.traits;
		if (!onlyNumbers) return formatted;
		requireNumber(formatted, placeIn(context), onlyNumbers);
		return typeof formatted === 'string' ? formatted.trim() : formatted;
	}

	/** Like `format`, but also throws InputError for a value that is not a date in a field that accepts only dates. */
	private checked(value: unknown, context: ParseContext): string | number | boolean {
		const single = typeof value === 'bigint' ? String(value) : value;
		const isUsable = unusableValue(single) === undefined;
		const { onlyDates } = this.traits;
		if (isUsable && onlyDates) requireDate(single, placeIn(context), onlyDates);
		return this.format(single, context);
	}

	/**
	 * Returns whether a read may have returned the value in another format than the stored one, so that the stored value is needed:
	 * a text that is not a date or number in a field that accepts only these, a date in any other field, several choices in one
	 * text, a word of a checkbox that would be written as another one, a date or number with white space around it, or a JSON
	 * number, which has no zeros at its end.
	 */
	needsStoredValue(input: unknown, context: ParseContext): boolean {
		if (typeof input === 'number') return this.typedAs === 'number';
		const { dateForm, onlyDates, onlyNumbers } = this.traits;
		const isDoubtful = onlyDates
			? firstTextWithoutDate(input) !== undefined
			: [input].flat().some(isDateLike);
		// The record may hold another word of the same meaning.
		const isOtherWord = (text: unknown) => (this.wordFor(text, context.choices) ?? text) !== text;
		if ([input].flat().some(isOtherWord)) return true;
		const isNoNumber = onlyNumbers !== undefined && firstTextWithoutNumber(input) !== undefined;
		// The white space around a date or number is not sent.
		const isTrimmed =
			(dateForm !== undefined || onlyNumbers !== undefined) && [input].flat().some(hasOuterSpace);
		return isDoubtful || isNoNumber || isTrimmed || this.choicesIn(input, context) !== undefined;
	}

	/**
	 * Returns a stored value with its JSON type, unchanged if the kind has none. Returns null for an empty number or boolean, an
	 * empty array for an empty list, and undefined if the type cannot represent the value exactly.
	 */
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
		return this.sameness.normalize(text);
	}

	/** Compares two texts as the service's filters do: negative, zero or positive. */
	compare(left: string, right: string): number {
		return (this.traits.compare ?? compareTexts)(left, right);
	}

	/** Returns whether `eq` of the service finds a stored text by the text of a condition. */
	isFoundBy(stored: string, text: string): boolean {
		return stored === text || this.sameness.isFoundBy(stored, text);
	}

	/** Returns whether a stored value equals the value of an input. */
	equals(stored: JsonValue | undefined, input: FieldValue): boolean {
		return this.areSame(stored, input, (left, right) => {
			return this.normalize(left) === this.normalize(right);
		});
	}

	/** Returns whether writing a value certainly changes nothing. */
	isUnchanged(stored: JsonValue | undefined, written: FieldValue): boolean {
		return this.areSame(stored, written, this.sameness.isUnchanged);
	}

	/** Returns whether a saved text means the same as the sent text. */
	isKept(saved: string, sent: string): boolean {
		return saved === sent || this.sameness.isKept(saved, sent);
	}

	/**
	 * Returns the texts to filter by: the text itself, further spellings and, for a number with thousands separators, the number
	 * without them.
	 */
	filterSpellings(text: string): string[] {
		const { spellings } = this.traits;
		if (spellings) return [...new Set([text, ...spellings(text)])];
		const { typedAs } = this;
		// Filters compare numbers by value, but may not understand thousands separators.
		const isGrouped = typedAs === 'number' && text.includes(',');
		return isGrouped ? [...new Set([text, this.normalize(text)])] : [text];
	}

	/** Returns a date in the service's format; undefined if the value is not a date in a field of this kind. */
	private dateIn(value: unknown, timeZone: TimeZone): string | undefined {
		const { dateForm, mayHoldDates = false } = this.traits;
		const mayBeDate = typeof value === 'object' || dateForm !== undefined;
		if (mayBeDate)
			return toServiceDate(value, timeZone, dateForm) ?? fullServiceDate(textOf(value));
		// n8n converts Luxon objects to texts, so such a text is a date.
		const isLuxon = mayHoldDates && isLuxonText(value);
		return isLuxon ? toServiceDate(new Date(value), timeZone) : undefined;
	}

	/** Returns the word of a checkbox for a value that means true or false; undefined for other values and in other fields. */
	private wordFor(value: unknown, choices: readonly string[] = []): string | undefined {
		const isOn = this.booleanWords ? switchIn(value) : undefined;
		if (isOn === undefined) return undefined;
		const words = wordsAmong(choices);
		return isOn ? words.on : words.off;
	}

	/** Returns the choices in a text with several choices; undefined for any other value. */
	private choicesIn(input: unknown, { choices }: ParseContext): unknown[] | undefined {
		return this.isList && typeof input === 'string' ? chosenIn(input, choices) : undefined;
	}

	private areSame(
		stored: JsonValue | undefined,
		input: FieldValue,
		areTextsSame: (stored: string, input: string) => boolean,
	): boolean {
		if (Array.isArray(stored)) {
			const isOne = this.traits.isSingle && stored.length === 1 && !Array.isArray(input);
			if (isOne) return this.areSame(stored[0], input, areTextsSame);
			return areSameChoices(stored, input);
		}
		const text = scalarTextOf(stored);
		if (text === undefined) return false;
		if (Array.isArray(input)) {
			if (input.length === 0) return text === '';
			// A single choice may be returned without a list.
			return this.isList && input.length === 1 && text === input[0];
		}
		return text === String(input) || areTextsSame(text, String(input));
	}
}

/** Returns whether the value is a text with white space around other characters. */
function hasOuterSpace(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '' && value !== value.trim();
}
