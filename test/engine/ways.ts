import { amount } from '../amount';

/** The ways in which a request can say whose it is: the credential, and its place in the request. */
export const ways: Array<[authentication: string, place: string]> = [
	['apiKey', 'header'],
	['apiKey', 'query'],
	['session', 'query'],
	['session', 'cookie'],
];

/**
 * The cases that are tried with one of the ways. All requests get their identity in the same place, so each
 * case has one way, and each way its share of the cases; given time, all have all.
 */
export function casesOf<Case>(way: readonly string[], cases: readonly Case[]): Case[] {
	const turn = ways.findIndex((another) => another.join() === way.join());
	return cases.filter((_, index) => amount(index % ways.length === turn, true));
}
