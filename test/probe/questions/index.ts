import { deliveryQuestions } from './deliveries';
import { discoveryQuestions } from './discovery';
import { fileQuestions } from './files';
import { identityQuestions } from './identity';
import type { Question } from './question';
import { readingQuestions } from './reading';
import { questionsWithoutSwitch } from './withoutSwitch';
import { taskQuestions } from './tasks';
import { writingQuestions } from './writing';

export { unasked } from './notAsked';
export type { Finding, Point, Question } from './question';

export const questions: readonly Question[] = [
	...identityQuestions,
	...readingQuestions,
	...discoveryQuestions,
	...writingQuestions,
	...fileQuestions,
	...taskQuestions,
	...deliveryQuestions,
	...questionsWithoutSwitch,
];
