import type { Fault } from './fault';
import { actionNodeFaults } from './faults/actionNode';
import { credentialFaults } from './faults/credentials';
import { pollingFaults } from './faults/polling';
import { serviceFaults } from './faults/service';
import { triggerFaults } from './faults/trigger';
import { valueFaults } from './faults/values';
import { wireFaults } from './faults/wire';

/**
 * The measure for every cut of the tests: each of these faults is to be caught by the tests of its area.
 * They compile, and a user would notice each of them.
 */
export const faults: readonly Fault[] = [
	...wireFaults,
	...valueFaults,
	...serviceFaults,
	...actionNodeFaults,
	...triggerFaults,
	...pollingFaults,
	...credentialFaults,
];
