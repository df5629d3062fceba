import { configureGlobal } from 'fast-check';
import { runs } from '../amount';

/** Whether a change is noticed is not left to chance; the shortest example of it does not matter. */
configureGlobal({ seed: 1, endOnFailure: true, numRuns: runs(100) });
