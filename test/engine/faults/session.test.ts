import { testMatrix } from './matrix';

testMatrix('session');
