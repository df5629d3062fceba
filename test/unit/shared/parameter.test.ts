import type { INodeProperties } from 'n8n-workflow';
import {
	choiceParameter,
	nameList,
	numberParameter,
	parseParameters,
	requiredTextParameter,
	textParameter,
	type ParameterSource,
} from '../../../nodes/shared/parameters/parameter';
import { verbatimText } from '../../../nodes/api/values/text';
import { fieldNamesOf } from '../../../nodes/shared/parameters/options';
import { operation } from '../../../nodes/SheetRecords/run/operation';

const sourceOf = (values: Record<string, unknown>): ParameterSource => ({
	value: (name) => values[name],
});
const text = (name: string): INodeProperties => ({
	displayName: `The ${name}`,
	name,
	type: 'string',
	default: '',
});
const action = choiceParameter({
	displayName: 'Action',
	name: 'action',
	choices: { approve: 'Approve', reject: 'Reject' },
	default: 'approve',
});

it.each([
	['a list', [5]],
	['an object', { value: 5 }],
	['a date', new Date(5)],
	['"not a number"', NaN],
])('a number that is %s is an error, also if an empty value has a default', (what, value) => {
	for (const fallback of [undefined, 0]) {
		const size = numberParameter(text('size'), () => true, 'a number', fallback);
		const message = `'The size' must be a number, but the expression returned ${what}`;
		expect(() => size.parse(sourceOf({ size: value }))).toThrow(message);
	}
});

describe('parameters', () => {
	it('parameters are parsed by their names, deferred ones last', async () => {
		const lookUp = jest.fn(async () => 1);
		const parameters = {
			slow: { properties: [], deferred: true, parse: lookUp },
			subject: textParameter(text('words')),
			title: requiredTextParameter(text('title'), verbatimText),
		};
		await expect(parseParameters(parameters, sourceOf({ title: ' ' }))).rejects.toThrow(
			"'The title' is empty",
		);
		expect(lookUp).not.toHaveBeenCalled();
		const read = await parseParameters(parameters, sourceOf({ title: ' b ', words: 5 }));
		expect(read).toEqual({ slow: 1, subject: '5', title: ' b ' });
		expect(lookUp).toHaveBeenCalledTimes(1);
	});

	it('an operation gets the values of its parameters, and an unknown name does not compile', () => {
		const parameters = { comment: textParameter(text('comment')) };
		const texts = { value: 'add', name: 'Add', action: 'Add it', description: 'Add it' };
		operation({
			...texts,
			parameters,
			run: async (_, { comment }) => ({ length: comment.length }),
		});
		// @ts-expect-error a misspelled parameter
		operation({ ...texts, parameters, run: async (_, { coment }) => ({ coment }) });
		// @ts-expect-error a parameter that is not listed
		operation({ ...texts, parameters, run: async (item) => ({ text: item.text('comment') }) });
		// @ts-expect-error a value that is not a choice
		expect(action.parse(sourceOf({ action: 'reject' })) === 'aprove').toBe(false);
	});
});

it.each([
	['a text', ' a, b ,, c', ['a', 'b', 'c']],
	['a list, whose names may contain commas', [' a,b ', 'c', ''], ['a,b', 'c']],
	['a JSON array of texts, which tools write', '["a,b", "c"]', ['a,b', 'c']],
	['an empty JSON array', ' [] ', []],
	['a JSON array of anything else, which is a name', '[5]', ['[5]']],
])('the names in %s', (_, value, names) => {
	expect(nameList(value, 'Names')).toEqual(names);
});

it.each([
	['a text', 'a\n\nb,c', ['a', 'b,c']],
	['a list', ['a', '', 'b'], ['a', 'b']],
	['a JSON array of texts, which tools write', '["a,b", "c\\nd"]', ['a,b', 'c\nd']],
])('the fields in %s', (_, value, names) => {
	expect(fieldNamesOf(value, 'Fields')).toEqual(names);
});
