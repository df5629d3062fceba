import { testMatrix } from './matrix';

/** So that a body that stands still for two minutes is soon given up. */
const factor = 60;

testMatrix('silence', factor);
