import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Client } from '../../api/http/client';
import { isObject } from '../../api/json/objects';
import type { Clock } from '../../api/values/dates';
import { InputError } from '../../api/values/inputError';
import { textOf, verbatimText } from '../../api/values/text';
import { choiceOf, flagOf, requireText } from './settings';

/** What a user set on a node, as n8n evaluates it for one item or one delivery. */
export interface ParameterSource {
	/** The parameter of that name; undefined when it is not shown. */
	value(name: string): unknown;
}

/** The same with the client of the chosen credential: what parameters about a sheet are parsed from. */
export interface SheetContext extends ParameterSource {
	readonly client: Client;
	/** Where moments are read off: the offset that the user chose, else the workflow's time zone. */
	clock(offsetHours?: number): Clock;
}

/** A parameter of a node: what the user sees of it, and what is made of what they set. */
export interface Parameter<Value, Context = SheetContext> {
	/** As n8n shows it; several when they belong together. */
	readonly properties: readonly INodeProperties[];
	/** Makes the value. Throws an InputError that names the parameter for what cannot be meant. */
	readonly parse: (item: Context) => Value;
	/** Parsing takes a request or a file: it waits until all others are parsed, since what those refuse shall cost none. */
	readonly deferred?: boolean;
}

/** Parameters by the names under which their values are used; some may be parsed asynchronously. */
export type Parameters<Values, Context = SheetContext> = {
	readonly [Name in keyof Values]: Parameter<Values[Name] | Promise<Values[Name]>, Context>;
};

/** Returns what the user sees of parameters, in their order. */
export function propertiesOf(
	parameters: Readonly<Record<string, Pick<Parameter<unknown>, 'properties'>>>,
): INodeProperties[] {
	return Object.values(parameters).flatMap(({ properties }) => properties);
}

/** Returns what the user set, by the names of the parameters, the deferred ones parsed last. Throws what they throw. */
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

function complete<Values>(values: Partial<Values>, names: object): Values {
	const isComplete = (some: Partial<Values>): some is Values =>
		Object.keys(names).every((name) => name in some);
	if (isComplete(values)) return values;
	throw new Error('A parameter was not parsed');
}

/** A property for a function below, which knows its type and mostly its default. */
type Described = Partial<INodeProperties> & Pick<INodeProperties, 'displayName' | 'name'>;

/** A parameter with a value that `valueOf` makes of what the user set. */
export function parameter<Value>(
	property: INodeProperties,
	valueOf: (value: unknown, displayName: string) => Value,
): Parameter<Value, ParameterSource> {
	const { name, displayName } = property;
	return { properties: [property], parse: (item) => valueOf(item.value(name), displayName) };
}

/** A parameter with a value that `make` makes of the value of another. */
export function mapped<Value, Made, Context extends ParameterSource = ParameterSource>(
	{ properties, parse }: Parameter<Value, ParameterSource>,
	make: (value: Value, item: Context) => Made,
): Parameter<Made, Context> {
	return { properties, parse: (item) => make(parse(item), item) };
}

/** A parameter whose value takes a request or a file: it waits until all others are parsed. */
export function deferred<Value, Context extends ParameterSource>(
	properties: readonly INodeProperties[],
	parse: (item: Context) => Promise<Value>,
): Parameter<Promise<Value>, Context> {
	return { properties, parse, deferred: true };
}

/** Something that users add to the collection `options` when they want it; undefined when they did not. */
export function optional<Value>({ properties, parse }: Parameter<Value, ParameterSource>) {
	const parseOption = (item: ParameterSource) => {
		const options = item.value('options');
		const isSet = isObject(options) && properties.some(({ name }) => name in options);
		return isSet ? parse({ value: (name) => options[name] }) : undefined;
	};
	return { properties, parse: parseOption };
}

/** A text without the white space around it; numbers that an expression yields become one. */
export function textParameter(property: Described) {
	return parameter({ type: 'string', default: '', ...property }, textOf);
}

/** A text with its white space, for what people write. */
export function verbatimTextParameter(property: Described) {
	return parameter({ type: 'string', default: '', ...property }, verbatimText);
}

/** A text that must not be empty, without the white space around it unless `valueOf` keeps that. */
export function requiredTextParameter(property: Described, valueOf = textOf) {
	const required = { type: 'string', default: '', required: true, ...property } as const;
	return parameter(required, (value, label) => requireText(valueOf(value), label));
}

/** A number that `fits`, as `rule` says; without a value `whenEmpty`, where that is given. */
export function numberParameter(
	property: Described,
	fits: (number: number) => boolean,
	rule: string,
	whenEmpty?: number,
) {
	return parameter({ type: 'number', default: 0, ...property }, (value, label) => {
		const text = textOf(value);
		const number = text === '' ? whenEmpty : Number(text);
		if (number !== undefined && fits(number)) return number;
		const advice = 'Correct the number, or check its expression.';
		throw new InputError(`'${label}' must be ${rule}`, advice);
	});
}

/** Something that is turned on or off; on when it is added as an option, unless the property has another default. */
export function flagParameter(property: Described) {
	return parameter({ type: 'boolean', default: true, ...property }, flagOf);
}

/** Options that are turned on or off, by their names: what they are called, what they do, and their default if it is off. */
export function flagOptions<Name extends string>(
	flags: Readonly<Record<Name, readonly [displayName: string, description: string, isOn?: false]>>,
) {
	type Flags = Record<Name, Parameter<boolean | undefined, ParameterSource>>;
	const options: Partial<Flags> = {};
	for (const name in flags) {
		const [displayName, description, isOn = true] = flags[name];
		options[name] = optional(flagParameter({ displayName, name, default: isOn, description }));
	}
	return complete<Flags>(options, flags);
}

/** A list to choose from: the name of each value, with a description where it needs one. */
export interface ChoiceProperty<Choice extends string> extends Described {
	choices: Readonly<Record<Choice, string | readonly [name: string, description: string]>>;
	default: NoInfer<Choice>;
}

/** Returns a list to choose from as n8n shows it. */
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

/** One of a list. */
export function choiceParameter<Choice extends string>(property: ChoiceProperty<Choice>) {
	const isChoice = (name: string): name is Choice => name in property.choices;
	const choices = Object.keys(property.choices).filter(isChoice);
	return parameter(choiceProperty(property), (value, label) => choiceOf(value, label, choices));
}

/** The same as an option. */
export function choiceOption<Choice extends string>(property: ChoiceProperty<Choice>) {
	return optional(choiceParameter(property));
}

/** A list of entries that users add, each with some values, as n8n shows it. */
export interface EntriesProperty<Name extends string> extends Described {
	entry: { displayName: string; name: string; values: Array<INodeProperties & { name: Name }> };
}

/** The entries that the user added, with what they set in each. */
export function entriesParameter<Name extends string>(property: EntriesProperty<Name>) {
	const { entry, ...shown } = property;
	const options = [entry];
	const isEntry = (value: unknown): value is Record<Name, unknown> => isObject(value);
	return parameter({ ...shown, type: 'fixedCollection', default: {}, options }, (value) => {
		const entries = isObject(value) ? value[entry.name] : undefined;
		return (Array.isArray(entries) ? entries : [entries]).filter(isEntry);
	});
}

/** Returns properties that are shown only where others have certain values. */
export function shownFor(show: IDisplayOptions['show'], properties: readonly INodeProperties[]) {
	return properties.map((property) => {
		const { displayOptions = {} } = property;
		// n8n looks no further behind a condition on a parameter that holds an expression, so these come first.
		const shown = { ...show, ...displayOptions.show };
		return { ...property, displayOptions: { ...displayOptions, show: shown } };
	});
}

/** A sentence among the parameters. */
export function notice(name: string, displayName: string, displayOptions?: IDisplayOptions) {
	const property = { displayName, name, type: 'notice', default: '', displayOptions } as const;
	return { properties: [property], parse: () => undefined };
}

/** The collection of options, in the order of their names, with the values of all of them. */
export function optionsCollection<Values, Context = SheetContext>(
	options: Parameters<Values, Context>,
): Parameter<Promise<Values>, Context> {
	const sorted = propertiesOf(options).sort((left, right) =>
		left.displayName.localeCompare(right.displayName, 'en'),
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

/** A hint for models that write workflows, to be spread into a property: the types of older versions of n8n do not know it. */
export function builderHint(propertyHint: string) {
	return { builderHint: { propertyHint } };
}
