import { timeLimitFactor } from '../../timeLimit';
import { testMatrix } from './matrix';

/**
 * How many times faster than the network the clock of the nodes goes, so that a body that stands still for two minutes is
 * soon given up. On a busy machine it goes slower, since an answer that is only slow must not be given up.
 */
const clockSpeed = 60 / timeLimitFactor;

testMatrix('silence', clockSpeed);
