import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import { isObject } from '../../api/json/objects';
import type { TimeZone } from '../../api/values/dates';
import { arrayIn } from '../../api/read/selectionText';
import { InputError } from '../../api/values/inputError';
import { requireTextual, textualValue, unusableText } from '../../api/values/singleValue';
import { shortened, textOf, verbatimText } from '../../api/values/text';
import { choiceOf, flagOf, requireText } from './settings';

/** Source of parameter values, evaluated by n8n for one item or one delivery. */
export interface ParameterSource {
	/** Returns the value of a parameter; undefined if it is hidden. */
	value(name: string): unknown;
	/** Returns the time zone with this offset, or the workflow's time zone if there is no offset. */
	timeZone?(offsetHours?: number): TimeZone;
}

/** Source of parameter values with a client, for parameters that depend on the sheet. */
export interface SheetContext extends ParameterSource {
	readonly client: Client;
	/** Returns the time zone with this offset, or the workflow's time zone if there is no offset. */
	timeZone(offsetHours?: number): TimeZone;
}

/** A parameter of a node: its properties in the editor, and the function that parses its value. */
export interface Parameter<Value, Context = SheetContext> {
	/** Properties in the editor. A parameter may consist of several. */
	readonly properties: readonly INodeProperties[];
	/** Parses the value. Throws an InputError that names the parameter if the value is not valid. */
	readonly parse: (item: Context) => Value;
	/** Whether parsing sends requests or reads files. Such parameters come last, so that other wrong values cost no request. */
	readonly deferred?: boolean;
}

/** Name of a value → the parameter for this value. Some parameters are parsed asynchronously. */
export type Parameters<Values, Context = SheetContext> = {
	readonly [Name in keyof Values]: Parameter<Values[Name] | Promise<Values[Name]>, Context>;
};

/** Returns the properties of parameters, in order. */
export function propertiesOf(
	parameters: Readonly<Record<string, Pick<Parameter<unknown>, 'properties'>>>,
): INodeProperties[] {
	return Object.values(parameters).flatMap(({ properties }) => properties);
}

/** Parses all parameters, deferred ones last, and returns their values by name. Throws the errors of parsing. */
export async function parseParameters<Values, Context>(
	parameters: Parameters<Values, Context>,
	item: Context,
): Promise<Values> {
	const values: Partial<Values> = {};
	for (const deferred of [false, true]) {
		for (const name in parameters) {
			const parameter = parameters[name];
			if (Boolean(parameter.deferred) !== deferred) continue;
			const value = parameter.parse(item);
			values[name] = value instanceof Promise ? await value : value;
		}
	}
	return complete(values, parameters);
}

/** Returns the values unchanged. Throws Error if a name has no value. */
function complete<Values>(values: Partial<Values>, names: object): Values {
	const isComplete = (some: Partial<Values>): some is Values =>
		Object.keys(names).every((name) => name in some);
	if (isComplete(values)) return values;
	throw new Error('A parameter was not parsed');
}

/** A property without a type. The functions below add the type and, if needed, a default. */
type Described = Partial<INodeProperties> & Pick<INodeProperties, 'displayName' | 'name'>;

/** A parameter whose value is converted by `valueOf`. */
export function parameter<Value>(
	property: INodeProperties,
	valueOf: (value: unknown, displayName: string, timeZone: TimeZone) => Value,
): Parameter<Value, ParameterSource> {
	const { name, displayName } = property;
	const parse = (item: ParameterSource) =>
		valueOf(item.value(name), displayName, item.timeZone?.() ?? { offsetHours: 0 });
	return { properties: [property], parse };
}

/** A parameter with the properties of another one, whose value is converted by `make`. */
export function mapped<Value, Made, Context extends ParameterSource = ParameterSource>(
	{ properties, parse }: Parameter<Value, ParameterSource>,
	make: (value: Value, item: Context) => Made,
): Parameter<Made, Context> {
	return { properties, parse: (item) => make(parse(item), item) };
}

/** A parameter whose parsing sends requests or reads files. It is parsed after all other parameters. */
export function deferred<Value, Context extends ParameterSource>(
	properties: readonly INodeProperties[],
	parse: (item: Context) => Promise<Value>,
): Parameter<Promise<Value>, Context> {
	return { properties, parse, deferred: true };
}

/** An option in the collection `options`. Its value is undefined if the user did not add it. */
export function optional<Value>({ properties, parse }: Parameter<Value, ParameterSource>) {
	const parseOption = (item: ParameterSource) => {
		const options = item.value('options');
		const isSet = isObject(options) && properties.some(({ name }) => name in options);
		if (!isSet) return undefined;
		const timeZone = (offsetHours?: number) => item.timeZone?.(offsetHours) ?? { offsetHours: 0 };
		return parse({ value: (name) => options[name], timeZone });
	};
	return { properties, parse: parseOption };
}

/** A text without surrounding white space. Numbers of expressions become texts. Parsing throws InputError for a list or an object. */
export function textParameter(property: Described) {
	return parameter({ type: 'string', default: '', ...property }, singleText(textOf));
}

/** A text with its white space, for texts such as comments. Parsing throws InputError for a list or an object. */
export function verbatimTextParameter(property: Described) {
	return parameter({ type: 'string', default: '', ...property }, singleText(verbatimText));
}

/** Returns a function that converts a value to a text. A date object becomes a date of the service. */
function singleText(valueOf: (value: unknown) => string) {
	return (value: unknown, displayName: string, timeZone: TimeZone) =>
		valueOf(textualValue(value, displayName, timeZone));
}

/** Returns the entries of a list, or of a text that is a JSON array of texts, as a tool may write it; undefined for any other value. */
export function entriesOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	const entries = typeof value === 'string' ? arrayIn(value) : undefined;
	return entries?.every((entry) => typeof entry === 'string') ? entries : undefined;
}

/**
 * A list of names, from a text with comma-separated names or from a list. Empty if there is no name. Parsing throws InputError
 * for a name that is no text.
 */
export function nameListParameter(property: Described) {
	return parameter({ type: 'string', default: '', ...property }, nameList);
}

/** Returns the names in a text with comma-separated names, or in a list. Throws InputError for a name that is no text. */
export function nameList(value: unknown, displayName: string): string[] {
	const entries = entriesOf(value);
	for (const name of entries ?? [value]) requireTextual(name, displayName);
	// A name in a list may contain commas.
	const texts = entries ? entries.map(textOf) : textOf(value).split(',');
	return texts.map((name) => name.trim()).filter(Boolean);
}

/** A text that must not be empty. By default, surrounding white space is removed. */
export function requiredTextParameter(property: Described, valueOf = textOf) {
	const required = { type: 'string', default: '', required: true, ...property } as const;
	const text = singleText(valueOf);
	return parameter(required, (value, label, timeZone) =>
		requireText(text(value, label, timeZone), label),
	);
}

/** Maximum number of characters of a value that a message shows. */
const maxShownCharacters = 60;

/** A number that passes `isValid`. `rule` completes the error. An empty value gives `fallback`, or an error if it is unset. */
export function numberParameter(
	property: Described,
	isValid: (number: number) => boolean,
	rule: string,
	fallback?: number,
) {
	return parameter({ type: 'number', default: 0, ...property }, (value, label) => {
		const what = unusableText(value);
		const text = textOf(value);
		const number = text === '' ? fallback : Number(text);
		if (what === undefined && number !== undefined && isValid(number)) return number;
		const found = text === '' ? 'it is empty' : `it is '${shortened(text, maxShownCharacters)}'`;
		const returned =
			what === undefined ? `, but ${found}` : `, but the expression returned ${what}`;
		const advice = 'Correct the number, or check its expression.';
		throw new InputError(`'${label}' must be ${rule}${returned}`, advice);
	});
}

/** A whole number of at least 1. */
export function positiveIntegerParameter(property: Described) {
	const isValid = (number: number) => Number.isSafeInteger(number) && number >= 1;
	return numberParameter(property, isValid, 'a whole number of at least 1');
}

/** A switch. It is on by default, so that an added option is on. */
export function flagParameter(property: Described) {
	return parameter({ type: 'boolean', default: true, ...property }, flagOf);
}

/** A switch among the options. */
interface FlagOption {
	readonly label: string;
	readonly description: string;
	/** State when the user adds the option. On by default. */
	readonly isOn?: false;
}

/** Options that are switches, by name. */
export function flagOptions<Name extends string>(flags: Readonly<Record<Name, FlagOption>>) {
	type Flags = Record<Name, Parameter<boolean | undefined, ParameterSource>>;
	const options: Partial<Flags> = {};
	for (const name in flags) {
		const { label, description, isOn = true } = flags[name];
		const property = { displayName: label, name, default: isOn, description };
		options[name] = optional(flagParameter(property));
	}
	return complete<Flags>(options, flags);
}

/** A list of choices: value → label, or label and description. */
export interface ChoiceProperty<Choice extends string> extends Described {
	choices: Readonly<Record<Choice, string | readonly [name: string, description: string]>>;
	default: NoInfer<Choice>;
}

/** Returns the property for a list of choices. */
export function choiceProperty<Choice extends string, Name extends string>({
	choices,
	...property
}: ChoiceProperty<Choice> & { name: Name }): INodeProperties & { name: Name } {
	const texts = Object.entries<string | readonly [string, string]>(choices);
	const options = texts.map(([value, text]) =>
		typeof text === 'string'
			? { name: text, value }
			: { name: text[0], value, description: text[1] },
	);
	return { ...property, type: 'options', options };
}

/** A parameter with a list of choices. */
export function choiceParameter<Choice extends string>(property: ChoiceProperty<Choice>) {
	const isChoice = (name: string): name is Choice => name in property.choices;
	const choices = Object.keys(property.choices).filter(isChoice);
	return parameter(choiceProperty(property), (value, label) => choiceOf(value, label, choices));
}

/** An option with a list of choices. */
export function choiceOption<Choice extends string>(property: ChoiceProperty<Choice>) {
	return optional(choiceParameter(property));
}

/** A list of entries. Each entry has several values. */
export interface EntriesProperty<Name extends string> extends Described {
	entry: { displayName: string; name: string; values: Array<INodeProperties & { name: Name }> };
}

/** Entries of the collection, as entered by the user; an empty array without entries. */
export function entriesParameter<Name extends string>(property: EntriesProperty<Name>) {
	const { entry, ...texts } = property;
	const options = [entry];
	const isEntry = (value: unknown): value is Record<Name, unknown> => isObject(value);
	return parameter({ ...texts, type: 'fixedCollection', default: {}, options }, (value) => {
		const entries = isObject(value) ? value[entry.name] : undefined;
		return (Array.isArray(entries) ? entries : [entries]).filter(isEntry);
	});
}

/** Returns properties that are only shown if other parameters have these values. */
export function shownFor(show: IDisplayOptions['show'], properties: readonly INodeProperties[]) {
	return properties.map((property) => {
		const { displayOptions = {} } = property;
		// n8n stops at the first condition on a parameter with an expression, so the new conditions must come first.
		const conditions = { ...show, ...displayOptions.show };
		return { ...property, displayOptions: { ...displayOptions, show: conditions } };
	});
}

/** A notice between the parameters. It has no value. */
export function notice(name: string, displayName: string, displayOptions?: IDisplayOptions) {
	const property = { displayName, name, type: 'notice', default: '', displayOptions } as const;
	return { properties: [property], parse: () => undefined };
}

/**
 * The collection of options, with the values of all options.
 *
 * @param first names of the options that most users need: they come first, in this order. Other options are sorted by label.
 */
export function optionsCollection<Values, Context = SheetContext>(
	options: Parameters<Values, Context>,
	first: readonly string[] = [],
): Parameter<Promise<Values>, Context> {
	const rankOf = ({ name }: INodeProperties) =>
		first.includes(name) ? first.indexOf(name) : first.length;
	const sorted = propertiesOf(options).sort(
		(left, right) => rankOf(left) - rankOf(right) || compareLabels(left, right),
	);
	const collection: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: sorted,
	};
	return { properties: [collection], parse: async (item) => await parseParameters(options, item) };
}

/** Compares two labels without case. `localeCompare` would load the tables of all languages when n8n starts. */
function compareLabels(left: INodeProperties, right: INodeProperties): number {
	return left.displayName.toLowerCase() < right.displayName.toLowerCase() ? -1 : 1;
}

/** Returns a hint for models that write workflows. Spread it into a property, because types of older n8n versions lack it. */
export function builderHint(propertyHint: string) {
	return { builderHint: { propertyHint } };
}
