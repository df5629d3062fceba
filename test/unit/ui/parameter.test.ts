import type { INodeProperties } from 'n8n-workflow';
import { textParameter } from '../../../nodes/ui/parameter';
import { operation } from '../../../nodes/SheetRecords/operation';

const text = (name: string): INodeProperties => ({
	displayName: `The ${name}`,
	name,
	type: 'string',
	default: '',
});

it('give an operation what it lists, and a name that is none does not compile', () => {
	const parameters = { comment: textParameter(text('comment')) };
	const texts = { value: 'add', name: 'Add', action: 'Add it', description: 'Add it' };
	const made = operation({
		...texts,
		parameters,
		run: async (_, { comment }) => ({ length: comment.length }),
	});
	expect(made.value).toBe('add');
	// @ts-expect-error a misspelt parameter
	operation({ ...texts, parameters, run: async (_, { coment }) => ({ coment }) });
	// @ts-expect-error a parameter that is not listed
	operation({ ...texts, parameters, run: async (item) => ({ text: item.text('comment') }) });
});
