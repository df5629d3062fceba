import { testMatrix } from './matrix';

testMatrix('connection');
