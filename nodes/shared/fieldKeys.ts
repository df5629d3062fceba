import type { Reading } from '../service/reading';
import { choiceOption, type Parameter } from './parameter';
import { fieldKeysProperty } from './outputProperties';

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

function namingBy({
	shown,
	read,
}: Parameter<'id' | 'name' | undefined>): Parameter<Reading['naming']> {
	return { shown, read: (call) => (read(call) === 'id' ? 'EID' : 'FNAME') };
}
