import { configureGlobal } from 'fast-check';
import { runs } from '../amount';

// Use the same random values in each run, so that the results are reproducible. Shrinking of failures is not needed.
configureGlobal({ seed: 1, endOnFailure: true, numRuns: runs(100) });
