import { fieldKeysChoices } from '../../shared/recordOutput';
import type { ItemParameters } from '../itemParameters';

/**
 * How the service is to call the fields of the output, in the words of its parameter `naming`
 * (specification, endpoint 1).
 */
export function readNaming(item: ItemParameters): 'EID' | 'FNAME' {
	return item.choice('fieldKeys', 'Field Keys', fieldKeysChoices) === 'id' ? 'EID' : 'FNAME';
}
