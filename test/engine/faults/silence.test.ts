import { timeLimitFactor } from '../../timeLimit';
import { testMatrix } from './matrix';

/**
 * Factor by which the clock of the nodes is faster than the network, so that the time-out of a stalled body passes quickly. It is
 * lower on a busy machine, because an answer that is only slow must not be given up.
 */
const clockSpeed = 60 / timeLimitFactor;

testMatrix('silence', clockSpeed);
