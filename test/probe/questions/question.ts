import type { Switches } from '../../service/switches';
import { codeOf, inWords, isPage, type ServiceAnswer } from '../answer';
import type { ScratchSheet } from '../scratchSheet';

/** Name of a switch of the reference service. Each switch represents an open point. */
export type Point = keyof Switches;

/** Position of a switch. For `taskWords`, only the words that the probe has seen. */
type Position<Name extends Point> = Name extends 'taskWords'
	? Partial<Switches['taskWords']>
	: Switches[Name];

/** Description of the observed behavior, and the position of the switch with the same behavior, if there is one. */
export interface Finding<Value = unknown> {
	seen: string;
	standsFor?: Value;
}

/** An open point of the specification, and the requests that clarify it. */
export interface Question {
	/** Switch for this point, if there is one. */
	about?: Point;
	point: string;
	/** Throws NotAsked with the reason if the point cannot be clarified. */
	ask: (sheet: ScratchSheet) => Promise<Finding>;
}

/** Creates a question whose findings are positions of its switch. */
export function question<Name extends Point>(
	about: Name,
	point: string,
	ask: (sheet: ScratchSheet) => Promise<Finding<Position<Name>>>,
): Question {
	return { about, point, ask };
}

/** Returns the finding for an unexpected response. */
export function unexpected(answer: ServiceAnswer): { seen: string } {
	return { seen: inWords(answer) };
}

/** Returns the finding of the first matching case. `seen` replaces the description of the response. */
export function judged<Value>(
	answer: ServiceAnswer,
	...cases: Array<[holds: boolean, standsFor: Value, seen?: string]>
): Finding<Value> {
	const [, standsFor, seen = inWords(answer)] = cases.find(([holds]) => holds) ?? [];
	return standsFor === undefined ? unexpected(answer) : { seen, standsFor };
}

/** Returns the finding for a discovery request: whether it is available, or how it is rejected. */
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
