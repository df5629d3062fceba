import { actionNodeFaults } from './faults/actionNode';
import { credentialFaults } from './faults/credentials';
import { pollingFaults } from './faults/polling';
import { serviceFaults } from './faults/service';
import { triggerFaults } from './faults/trigger';
import { valueFaults } from './faults/values';
import { wireFaults } from './faults/wire';

/** A mistake that somebody could make, as a replacement of text in one source of the package. */
export interface Fault {
	name: string;
	file: string;
	/** Text that stands exactly once in the source. */
	find: string;
	replace: string;
	/** Jest's path patterns: the few files of tests that stand nearest. */
	area: string[];
}

/** Each is to be caught by the tests of its area. They compile, and a user would notice each of them. */
export const faults: readonly Fault[] = [
	...wireFaults,
	...valueFaults,
	...serviceFaults,
	...actionNodeFaults,
	...triggerFaults,
	...pollingFaults,
	...credentialFaults,
];
