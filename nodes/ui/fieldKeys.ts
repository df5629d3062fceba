import type { ReadOptions } from '../api/read/readOptions';
import { choiceOption } from './parameter';
import type { ParameterSource, ChoiceProperty, Parameter } from './parameter';

export const fieldKeysProperty: ChoiceProperty<'id' | 'name'> = {
	displayName: 'Field Keys',
	name: 'fieldKeys',
	type: 'options',
	options: [
		{ name: 'Field IDs', value: 'id', description: 'They stay when a field is renamed' },
		{
			name: 'Field Names',
			value: 'name',
			description: 'Fields without a name, or with the same name, get numbers',
		},
	],
	default: 'name',
	description: 'What the fields of the output are called',
};

const fieldKeys = choiceOption(fieldKeysProperty);
const savedFieldKeys = choiceOption({
	...fieldKeysProperty,
	description:
		'What the fields of the output are called. The names are asked for at most once a minute; IDs save that.',
});

/**
 * How the service is to call the fields of the output, in the words of its parameter `naming`
 * (specification, endpoint 1): by their names unless set.
 */
export const namingOption = namingBy(fieldKeys);

/** The same for records that were written: the service returns those by ids. */
export const savedNamingOption = namingBy(savedFieldKeys);

function namingBy(
	keys: Parameter<'id' | 'name' | undefined, ParameterSource>,
): Parameter<ReadOptions['naming'], ParameterSource> {
	const { properties, parse } = keys;
	return { properties, parse: (item) => (parse(item) === 'id' ? 'EID' : 'FNAME') };
}
