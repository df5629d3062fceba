import { cpus, loadavg } from 'node:os';
import { timeLimitFactor } from '../../timeLimit';
import { testMatrix } from './matrix';

/** Factor by which this machine is slower than in a test run alone, which has up to two busy processes per core. */
const slowdown = Math.max(1, (loadavg()[0] ?? 0) / cpus().length / 2);

/**
 * Factor by which the clock of the nodes is faster than the network, so that the time-out of a stalled body passes quickly. It is
 * lower on a busy machine, because an answer that is only slow must not be given up.
 */
const clockSpeed = 60 / timeLimitFactor / slowdown;

testMatrix('silence', clockSpeed);
