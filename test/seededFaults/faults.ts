import { actionNodeFaults } from './faults/actionNode';
import { credentialFaults } from './faults/credentials';
import { pollingFaults } from './faults/polling';
import { serviceFaults } from './faults/service';
import { triggerFaults } from './faults/trigger';
import { valueFaults } from './faults/values';
import { wireFaults } from './faults/wire';

/** A realistic mistake in the code, given as a text replacement in one source file of the package. */
export interface Fault {
	name: string;
	file: string;
	/** Text that occurs exactly once in the source file. */
	find: string;
	replace: string;
	/** Path patterns (jest) of the few test files closest to the code. */
	area: string[];
}

/** Faults that the tests of their area must catch. Each fault compiles and affects users. */
export const faults: readonly Fault[] = [
	...wireFaults,
	...valueFaults,
	...serviceFaults,
	...actionNodeFaults,
	...triggerFaults,
	...pollingFaults,
	...credentialFaults,
];
