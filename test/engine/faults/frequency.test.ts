import { testMatrix } from './matrix';

testMatrix('frequency');
