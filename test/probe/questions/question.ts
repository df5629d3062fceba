import type { Switches } from '../../service/switches';
import { codeOf, inWords, isPage, type ServiceAnswer } from '../answer';
import type { ScratchSheet } from '../scratchSheet';

/** A switch of the reference service, which stands for one open point. */
export type Point = keyof Switches;

/** The position of a switch; of the words for tasks, those that were seen. */
type Position<Name extends Point> = Name extends 'taskWords'
	? Partial<Switches['taskWords']>
	: Switches[Name];

/** What was seen, and the position of the switch that does the same, if there is one. */
export interface Finding<Value = unknown> {
	seen: string;
	standsFor?: Value;
}

/** One open point of the specification, and how to ask a service about it. */
export interface Question {
	/** The switch that stands for its readings, if it has one. */
	about?: Point;
	point: string;
	/** May throw `NotAsked` with the reason. */
	ask: (sheet: ScratchSheet) => Promise<Finding>;
}

/** A question whose findings are positions of its switch. */
export function question<Name extends Point>(
	about: Name,
	point: string,
	ask: (sheet: ScratchSheet) => Promise<Finding<Position<Name>>>,
): Question {
	return { about, point, ask };
}

/** The finding for an answer that is none of those that were expected. */
export function unexpected(answer: ServiceAnswer): { seen: string } {
	return { seen: inWords(answer) };
}

/** How a way of discovery answers, or refuses. */
export function discovery(
	answer: ServiceAnswer,
	isDescription: boolean,
): Finding<'on' | 'code106' | 'http404' | 'html'> {
	const seen = inWords(answer);
	if (isDescription) return { seen: 'answered', standsFor: 'on' };
	if (isPage(answer)) return { seen, standsFor: 'html' };
	if (codeOf(answer) === 106 || answer.status === 403) return { seen, standsFor: 'code106' };
	if (answer.status === 404 && codeOf(answer) === undefined) return { seen, standsFor: 'http404' };
	return { seen };
}
