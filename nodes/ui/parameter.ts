import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { isObject } from '../api/json/objects';
import { InputError } from '../api/values/inputError';
import { textOf } from '../api/values/text';
import { choiceOf, flagOf } from './settings';

/** What a user set on a node, as n8n evaluates it for one item or one delivery. */
export interface ParameterSource {
	/** The parameter of that name; undefined when it is not shown. */
	value(name: string): unknown;
}

/** What builds on the source alone. Parameters that need more, such as the account, say so. */
export interface Given {
	item: ParameterSource;
}

/** A parameter of a node: what the user sees of it, and what is read of what they set. */
export interface Parameter<Value, Call = Given> {
	/** As n8n shows it; several when they belong together. */
	readonly shown: readonly INodeProperties[];
	/** What was set. It throws an InputError that names the parameter for what cannot be meant. */
	readonly read: (call: Call) => Value;
}

/**
 * A parameter whose value has to be looked up, as for the id of a field's name. That is done after all
 * others were read: what they refuse costs no request.
 */
export interface LookedUpParameter<Value, Call> {
	readonly shown: readonly INodeProperties[];
	/** What was set. It throws as `read` does, and what the service throws. */
	readonly lookUp: (call: Call) => Promise<Value>;
}

/** Parameters by the names under which their values are used. */
export type Parameters<Values, Call = Given> = {
	readonly [Name in keyof Values]: Parameter<Values[Name], Call>;
};

/** The same, where some have to be looked up. */
export type AnyParameters<Values, Call> = {
	readonly [Name in keyof Values]:
		Parameter<Values[Name], Call> | LookedUpParameter<Values[Name], Call>;
};

/** What the user sees of parameters, in their order. */
export function shownOf(
	parameters: Readonly<Record<string, { readonly shown: readonly INodeProperties[] }>>,
): INodeProperties[] {
	return Object.values(parameters).flatMap(({ shown }) => shown);
}

/** What the user set, by the names of the parameters. Throws InputError that names the parameter. */
export function readParameters<Values, Call>(
	parameters: Parameters<Values, Call>,
	call: Call,
): Values {
	const values: Partial<Values> = {};
	for (const name in parameters) values[name] = parameters[name].read(call);
	return whole(values, parameters);
}

/**
 * What the user set, by the names of the parameters; what has to be looked up comes last. Throws InputError
 * that names the parameter, and what the service throws.
 */
export async function lookUpParameters<Values, Call>(
	parameters: AnyParameters<Values, Call>,
	call: Call,
): Promise<Values> {
	const values: Partial<Values> = {};
	for (const name in parameters) {
		const parameter = parameters[name];
		if ('read' in parameter) values[name] = parameter.read(call);
	}
	for (const name in parameters) {
		const parameter = parameters[name];
		if (!('lookUp' in parameter)) continue;
		await parameter.lookUp(call).then((value) => {
			values[name] = value;
		});
	}
	return whole(values, parameters);
}

function whole<Values>(values: Partial<Values>, names: object): Values {
	if (isWhole(values, names)) return values;
	throw new Error('A parameter was not read');
}

function isWhole<Values>(values: Partial<Values>, names: object): values is Values {
	return Object.keys(names).every((name) => name in values);
}

/** A text without the white space around it; numbers that an expression yields become one. */
export function textParameter(property: INodeProperties): Parameter<string> {
	return { shown: [property], read: ({ item }) => textOf(item.value(property.name)) };
}

/** A text with its white space, for what people write. */
export function verbatimTextParameter(property: INodeProperties): Parameter<string> {
	return {
		shown: [property],
		read({ item }) {
			const value = item.value(property.name);
			return typeof value === 'string' ? value : textOf(value);
		},
	};
}

/**
 * A text that must be given.
 *
 * @param advice what to give
 */
export function requiredTextParameter(
	{ shown, read }: Parameter<string>,
	advice: string,
): Parameter<string> {
	return {
		shown: shown.map((property) => ({ ...property, required: true })),
		read(call) {
			const text = read(call);
			if (text.trim() !== '') return text;
			throw new InputError(`'${shown[0]?.displayName ?? ''}' is empty`, advice);
		},
	};
}

/** Something that is turned on or off. */
export function flagParameter(property: INodeProperties): Parameter<boolean> {
	const { name, displayName } = property;
	return { shown: [property], read: ({ item }) => flagOf(item.value(name), displayName) };
}

/** A list to choose from, as n8n shows it. */
export interface ChoiceProperty<Choice extends string> extends Omit<INodeProperties, 'options'> {
	type: 'options';
	options: ReadonlyArray<INodePropertyOptions & { value: Choice }>;
}

/** One of a list. */
export function choiceParameter<const Choice extends string>(
	property: ChoiceProperty<Choice>,
): Parameter<Choice> {
	const { name, displayName } = property;
	const choices = choicesOf(property);
	return {
		shown: [propertyOf(property)],
		read: ({ item }) => choiceOf(item.value(name), displayName, choices),
	};
}

function choicesOf<Choice extends string>({ options }: ChoiceProperty<Choice>): Choice[] {
	return options.map(({ value }) => value);
}

function propertyOf({ options, ...property }: ChoiceProperty<string>): INodeProperties {
	return { ...property, options: [...options] };
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
): Parameter<Array<Record<Name, unknown>>> {
	const [entry] = property.options;
	const options = [{ ...entry, values: [...entry.values] }];
	const isEntry = (value: unknown): value is Record<Name, unknown> => isObject(value);
	return {
		shown: [{ ...property, options }],
		read({ item }) {
			const collection = item.value(property.name);
			const entries = isObject(collection) ? collection[entry.name] : undefined;
			return (Array.isArray(entries) ? entries : [entries]).filter(isEntry);
		},
	};
}

/** The value of a resource locator in whichever mode; anything else is the value itself. */
export function locatorValue(locator: unknown): unknown {
	return isObject(locator) && '__rl' in locator ? locator.value : locator;
}

/** A sentence among the parameters. */
export function notice(name: string, displayName: string): Parameter<undefined> {
	return { shown: [{ displayName, name, type: 'notice', default: '' }], read: () => undefined };
}

/**
 * Something that users add to the collection `options` when they want it.
 *
 * @param valueOf makes the value of what they set
 * @returns a parameter that reads undefined when it was not added
 */
export function option<Value>(
	property: INodeProperties,
	valueOf: (value: unknown, displayName: string) => Value,
): Parameter<Value | undefined> {
	const { name, displayName } = property;
	return {
		shown: [property],
		read({ item }) {
			const options = item.value('options');
			return isObject(options) && name in options ? valueOf(options[name], displayName) : undefined;
		},
	};
}

/** An option that is turned on or off. */
export function flagOption(property: INodeProperties): Parameter<boolean | undefined> {
	return option(property, flagOf);
}

/** An option with a list to choose from. */
export function choiceOption<const Choice extends string>(
	property: ChoiceProperty<Choice>,
): Parameter<Choice | undefined> {
	const choices = choicesOf(property);
	return option(propertyOf(property), (value, displayName) =>
		choiceOf(value, displayName, choices),
	);
}

/** The collection `options`, in the order in which they are declared: the order of use. */
export function optionsProperty(options: readonly INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...options],
	};
}

/** The collection of options, with the values of all of them. */
export function optionsCollection<Values, Call>(
	options: Parameters<Values, Call>,
): Parameter<Values, Call> {
	return {
		shown: [optionsProperty(shownOf(options))],
		read: (call) => readParameters(options, call),
	};
}
