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

/** The finding for the first case that holds: the position, and what is told in place of the answer. */
export function judged<Value>(
	answer: ServiceAnswer,
	...cases: Array<[holds: boolean, standsFor: Value, seen?: string]>
): Finding<Value> {
	const [, standsFor, seen = inWords(answer)] = cases.find(([holds]) => holds) ?? [];
	return standsFor === undefined ? unexpected(answer) : { seen, standsFor };
}

/** How a way of discovery answers, or refuses. */
export function discovery(
	answer: ServiceAnswer,
	isDescription: boolean,
): Finding<'on' | 'code106' | 'http404' | 'html'> {
	return judged(
		answer,
		[isDescription, 'on', 'answered'],
		[isPage(answer), 'html'],
		[codeOf(answer) === 106 || answer.status === 403, 'code106'],
		[answer.status === 404 && codeOf(answer) === undefined, 'http404'],
	);
}
