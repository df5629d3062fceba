import { testMatrix } from './matrix';

testMatrix('outOfOrder');
