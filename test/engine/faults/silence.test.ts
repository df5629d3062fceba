import { cpus, loadavg } from 'node:os';
import { timeLimitFactor } from '../../timeLimit';
import { testMatrix } from './matrix';

/** Number of busy processes per core. Usually, a test run has up to two. */
const load = (loadavg()[0] ?? 0) / cpus().length;
const slowdown = load > 3 ? 2 : 1;

/**
 * Factor by which the clock of the nodes is faster than the network, so that the time-out of a stalled body passes quickly. It is
 * lower on a busy machine, because an answer that is only slow must not be given up.
 */
const clockSpeed = 60 / timeLimitFactor / slowdown;

testMatrix('silence', clockSpeed);
