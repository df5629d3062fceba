import type { Reading } from '../../service/reading';
import { choiceOption } from '../../shared/parameter';
import type { Parameter } from '../../shared/parameter';
import { fieldKeysProperty } from '../../shared/outputProperties';

const fieldKeys = choiceOption(fieldKeysProperty);

/**
 * How the service is to call the fields of the output, in the words of its parameter `naming`
 * (specification, endpoint 1): by their names unless set.
 */
export const namingOption: Parameter<Reading['naming']> = {
	shown: fieldKeys.shown,
	read: (call) => (fieldKeys.read(call) === 'id' ? 'EID' : 'FNAME'),
};
