import type { INodeParameters } from 'n8n-workflow';
import { defaultSwitches, positions, type Switches } from '../../service/switches';
import type { RecordTestbed } from '../recordTestbed';
import type { CredentialsByType } from '../runner';
import { coveringRows, type Chosen } from './coveringRows';

/** Authentication of the node. */
export type Identity = 'header' | 'query' | 'sessionInQuery' | 'sessionInCookie';

/** Deviations from the defaults: switches of the service, and the credential of the node. */
export interface Positions {
	switches: Partial<Switches>;
	identity: Identity;
	serviceDialect: 'automatic' | 'standard' | 'ragic';
}

type Others = { [Name in keyof Switches]?: ReadonlyArray<Switches[Name]> };

/** The other switches, and why none of their positions is tried. */
export const leftOut: Partial<Record<keyof Switches, string>> = {
	wrongKeyAnswer: 'no key is wrong',
	missingDelete: 'nothing is deleted that is not there',
	defaultOrder: 'lists come in another order',
	subscriptions: 'the trigger enters itself, which is refused',
	subscriptionList: 'the tests of registration try all',
	actionButtons: 'the buttons are asked for, which is refused',
	unknownTask: 'every task is known',
	missingFile: 'every file is there',
	documents: 'a document is asked for, which is refused',
	rowNumbers: 'rows get other IDs',
	queueLength: 'it is about how fast the service is',
	overloadAnswer: 'it is about how fast the service is',
	latencyMilliseconds: 'it is about how fast the service is',
};

/**
 * Of these not all positions are tried: a key that is refused more often, a session that serves less, bodies in the
 * other form alone and tasks that are sooner forgotten do harm; what is asked only where another source refuses is
 * never both, so that one position tells as much as three.
 */
const narrower: Others = {
	goodKeyRefusedEvery: [5],
	sessionLifetimeRequests: [4],
	filterLagMilliseconds: [60_000],
	picker: ['http404'],
	massBodies: ['both'],
	taskAtSheet: ['http404'],
	taskWords: [{ waiting: 'PROCESSING', running: 'PROCESSING', done: 'DONE', failed: 'FAILED' }],
	looksUntilForgotten: [1],
};

/** Positions of switches that must not change any result. */
export const others: Others = Object.fromEntries(
	Object.entries({ ...positions, ...narrower })
		.filter(([name]) => !Object.hasOwn(leftOut, name))
		.map(([name, all]) => [name, Object.hasOwn(narrower, name) ? all : all.slice(1)]),
);

const identities: readonly Identity[] = ['header', 'query', 'sessionInQuery', 'sessionInCookie'];
const dialects: ReadonlyArray<Positions['serviceDialect']> = ['automatic', 'standard', 'ragic'];
const usual = defaultSwitches();

/** Every factor as what its positions do to what is usual; the first does nothing. */
const factors: ReadonlyArray<ReadonlyArray<Partial<Positions>>> = [
	identities.map((identity) => ({ identity })),
	dialects.map((serviceDialect) => ({ serviceDialect })),
	...Object.entries(others).map(([name, all]) => [
		{},
		...all.map((position) => ({ switches: { [name]: position } })),
	]),
];

/** Everything as it usually is. */
export const usually: Positions = { switches: {}, identity: 'header', serviceDialect: 'automatic' };

const sizes = factors.map(({ length }) => length);
const mayStand = (chosen: Chosen) => isPossible(standing(chosen));

/** Every position that may stand. */
const rows = coveringRows(sizes, mayStand);

/** What the rows choose. */
export const tried: readonly Positions[] = rows.map(standing);

/** The positions that stand in none of the rows, by the places of factor and position. */
export function untried(): string[] {
	return sizes.flatMap((size, factor) =>
		Array.from({ length: size }, (_, position) => position)
			.filter((position) => position > 0 && rows.every((row) => row[factor] !== position))
			.map((position) => `${factor}:${position}`),
	);
}

function standing(chosen: Chosen): Positions {
	let positions = usually;
	for (const [factor, position] of chosen.entries()) {
		const { switches, ...more } = factors[factor]?.[position] ?? {};
		positions = { ...positions, ...more, switches: { ...positions.switches, ...switches } };
	}
	return positions;
}

/** Returns whether the operations are possible with these positions. */
function isPossible({ switches, identity }: Positions): boolean {
	const { taskAtAccount, taskAtSheet, menu, picker, filesNeedSession, filesAreOpen } = {
		...usual,
		...switches,
	};
	const byKey = identity === 'header' || identity === 'query';
	const tellsTasks = taskAtAccount === 'on' || taskAtSheet === 'on';
	const opensSession = menu === 'on' || picker === 'on';
	const givesFiles = filesNeedSession === true || byKey;
	return tellsTasks && (!filesNeedSession || filesAreOpen || (opensSession && givesFiles));
}

/** The node's credential, and the parameter that chooses it. */
export interface Identified {
	credentials: CredentialsByType;
	parameters: INodeParameters;
}

/** Who the node is to the service. */
export function credentialsFor(
	testbed: RecordTestbed,
	{ identity, serviceDialect, switches }: Positions,
): Identified {
	if (identity === 'header' || identity === 'query') {
		const credentials = testbed.credentials('member', { apiKeyIn: identity, serviceDialect });
		return { credentials, parameters: {} };
	}
	const sessionIn = identity === 'sessionInQuery' ? 'query' : 'cookie';
	return {
		credentials: testbed.sessionCredentials('member', {
			...{ sessionIn, serviceDialect },
			cookieName: switches.cookieName ?? usual.cookieName,
		}),
		parameters: { authentication: 'session' },
	};
}
