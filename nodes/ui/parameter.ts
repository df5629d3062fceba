import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Client } from '../api/http/client';
import { isObject } from '../api/json/objects';
import type { Clock } from '../api/values/dates';
import { InputError } from '../api/values/inputError';
import { isBlank, shortened, textOf } from '../api/values/text';

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
	/** Set where parsing takes a request or reads a file: it waits until all others are parsed, since what those refuse shall cost none. */
	readonly deferred?: boolean;
}

/** Parameters by the names under which their values are used. */
export type Parameters<Values, Context = SheetContext> = {
	readonly [Name in keyof Values]: Parameter<Values[Name], Context>;
};

/** The same, where some may be parsed asynchronously. */
export type AnyParameters<Values, Context = SheetContext> = {
	readonly [Name in keyof Values]: Parameter<Values[Name] | Promise<Values[Name]>, Context>;
};

/** Returns what the user sees of parameters, in their order. */
export function propertiesOf(
	parameters: Readonly<Record<string, Pick<Parameter<unknown>, 'properties'>>>,
): INodeProperties[] {
	return Object.values(parameters).flatMap(({ properties }) => properties);
}

/** Returns what the user set, by the names of the parameters. Throws InputError that names the parameter. */
export function parseParameters<Values, Context>(
	parameters: Parameters<Values, Context>,
	item: Context,
): Values {
	const values: Partial<Values> = {};
	for (const name in parameters) values[name] = parameters[name].parse(item);
	return complete(values, parameters);
}

/** Returns the same where some are parsed asynchronously, the deferred ones last. Throws what they throw, too. */
export async function parseAnyParameters<Values, Context>(
	parameters: AnyParameters<Values, Context>,
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
	if (isComplete(values, names)) return values;
	throw new Error('A parameter was not parsed');
}

function isComplete<Values>(values: Partial<Values>, names: object): values is Values {
	return Object.keys(names).every((name) => name in values);
}

/** A parameter with a value that `valueOf` makes of what the user set. */
function parameter<Value>(
	property: INodeProperties,
	valueOf: (value: unknown, displayName: string) => Value,
): Parameter<Value, ParameterSource> {
	const { name, displayName } = property;
	return { properties: [property], parse: (item) => valueOf(item.value(name), displayName) };
}

/** A text without the white space around it; numbers that an expression yields become one. */
export function textParameter(property: INodeProperties): Parameter<string, ParameterSource> {
	return parameter(property, textOf);
}

/** A text with its white space, for what people write. */
export function verbatimTextParameter(
	property: INodeProperties,
): Parameter<string, ParameterSource> {
	return parameter(property, (value) => (typeof value === 'string' ? value : textOf(value)));
}

/** A text that must not be empty; `advice` says what to enter. */
export function requiredTextParameter(
	{ properties, parse }: Parameter<string, ParameterSource>,
	advice: string,
): Parameter<string, ParameterSource> {
	return {
		properties: properties.map((property) => ({ ...property, required: true })),
		parse(item) {
			const text = parse(item);
			if (text.trim() !== '') return text;
			throw new InputError(`'${properties[0]?.displayName ?? ''}' is empty`, advice);
		},
	};
}

/** Something that is turned on or off. */
export function flagParameter(property: INodeProperties): Parameter<boolean, ParameterSource> {
	return parameter(property, flagOf);
}

/** A list to choose from, as n8n shows it. */
export interface ChoiceProperty<Choice extends string> extends Omit<INodeProperties, 'options'> {
	type: 'options';
	options: ReadonlyArray<INodePropertyOptions & { value: Choice }>;
}

/** One of a list. */
export function choiceParameter<const Choice extends string>(
	property: ChoiceProperty<Choice>,
): Parameter<Choice, ParameterSource> {
	return parameter({ ...property, options: [...property.options] }, choiceFrom(property));
}

function choiceFrom<Choice extends string>({ options }: ChoiceProperty<Choice>) {
	const choices = options.map(({ value }) => value);
	return (value: unknown, displayName: string) => choiceOf(value, displayName, choices);
}

/** A list of entries that users add, each with some values, as n8n shows it. */
export interface EntriesProperty<Name extends string> extends Omit<INodeProperties, 'options'> {
	type: 'fixedCollection';
	options: readonly [Entry<Name>];
}

interface Entry<Name extends string> {
	displayName: string;
	name: string;
	values: ReadonlyArray<INodeProperties & { name: Name }>;
}

/** The entries that the user added, with what they set in each. */
export function entriesParameter<Name extends string>(
	property: EntriesProperty<Name>,
): Parameter<Array<Record<Name, unknown>>, ParameterSource> {
	const [entry] = property.options;
	const options = [{ ...entry, values: [...entry.values] }];
	const isEntry = (value: unknown): value is Record<Name, unknown> => isObject(value);
	return {
		properties: [{ ...property, options }],
		parse(item) {
			const collection = item.value(property.name);
			const entries = isObject(collection) ? collection[entry.name] : undefined;
			return (Array.isArray(entries) ? entries : [entries]).filter(isEntry);
		},
	};
}

/** The same in the collection `options`. */
export function entriesOption<Name extends string>(
	property: EntriesProperty<Name>,
): ReturnType<typeof entriesParameter<Name>> {
	const { properties, parse } = entriesParameter(property);
	return {
		properties,
		parse(item) {
			const options = item.value('options');
			return parse({ value: (name) => (isObject(options) ? options[name] : undefined) });
		},
	};
}

/** The value of a resource locator in whichever mode; anything else is the value itself. */
export function locatorValue(locator: unknown): unknown {
	return isObject(locator) && '__rl' in locator ? locator.value : locator;
}

/** A sentence among the parameters. */
export function notice(name: string, displayName: string): Parameter<undefined, ParameterSource> {
	return {
		properties: [{ displayName, name, type: 'notice', default: '' }],
		parse: () => undefined,
	};
}

/** Something that users add to the collection `options` when they want it; undefined when they did not. */
export function option<Value>(
	property: INodeProperties,
	valueOf: (value: unknown, displayName: string) => Value,
): Parameter<Value | undefined, ParameterSource> {
	const { name, displayName } = property;
	return {
		properties: [property],
		parse(item) {
			const options = item.value('options');
			return isObject(options) && name in options ? valueOf(options[name], displayName) : undefined;
		},
	};
}

/** An option that is turned on or off; on when it is added, unless the property has another default. */
export function flagOption(
	property: Partial<INodeProperties> & Pick<INodeProperties, 'displayName' | 'name'>,
): Parameter<boolean | undefined, ParameterSource> {
	return option({ type: 'boolean', default: true, ...property }, flagOf);
}

/** An option with a list to choose from. */
export function choiceOption<const Choice extends string>(
	property: ChoiceProperty<Choice>,
): Parameter<Choice | undefined, ParameterSource> {
	return option({ ...property, options: [...property.options] }, choiceFrom(property));
}

/** The collection of options, in the order of their names, with the values of all of them. */
export function optionsCollection<Values, Context = SheetContext>(
	options: Parameters<Values, Context>,
): Parameter<Values, Context> {
	const collection: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: propertiesOf(options).sort((left, right) =>
			left.displayName.localeCompare(right.displayName, 'en'),
		),
	};
	return { properties: [collection], parse: (item) => parseParameters(options, item) };
}

/** Returns what was chosen of a list. Throws InputError for anything else: to guess might do the opposite of what was meant. */
export function choiceOf<Choice extends string>(
	value: unknown,
	displayName: string,
	choices: readonly Choice[],
): Choice {
	const text = textOf(value);
	const chosen = choices.find((choice) => choice === text);
	if (chosen !== undefined) return chosen;
	throw new InputError(
		isBlank(value)
			? `'${displayName}' has no value`
			: `'${displayName}' is ${shown(value)}, which is none of its choices`,
		`Choose from the list, or check that its expression yields one of ${choices.join(', ')}.`,
	);
}

/** Returns whether something is turned on: true or false, their texts in any case, 1 or 0. Throws InputError for anything else. */
export function flagOf(value: unknown, displayName: string): boolean {
	const text = textOf(value).toLowerCase();
	if (text === 'true' || text === '1') return true;
	if (text === 'false' || text === '0') return false;
	throw new InputError(
		isBlank(value)
			? `'${displayName}' has no value`
			: `'${displayName}' is neither true nor false but ${shown(value)}`,
		'Turn it on or off, or check that its expression yields true or false.',
	);
}

function shown(value: unknown): string {
	return typeof value === 'object' ? 'a list or an object' : `'${shortened(String(value), 60)}'`;
}

/**
 * A hint for models that write workflows; people do not see it. To be spread into a property: the types of older
 * versions of n8n do not know it, and those versions ignore it.
 */
export function builderHint(propertyHint: string): { builderHint: { propertyHint: string } } {
	return { builderHint: { propertyHint } };
}
