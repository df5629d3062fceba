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

/** Switches that are not tested, with the reason. */
export const leftOut: Partial<Record<keyof Switches, string>> = {
	wrongKeyAnswer: 'no key is wrong',
	missingDelete: 'nothing is deleted that is not there',
	defaultOrder: 'lists come in another order',
	subscriptions: 'the trigger enters itself, which is refused',
	subscriptionList: 'the tests of registration try all',
	unregisteredRemoval: 'the tests of registration try all',
	actionButtons: 'the buttons are asked for, which is refused',
	unknownTask: 'every task is known',
	missingFile: 'every file is there',
	documents: 'a document is asked for, which is refused',
	rowNumbers: 'rows get other IDs',
	mobileKeys: 'raw records show the keys',
	buttonStatus: 'the warning of a button is shown',
	hostAccount: 'the account has another name',
	queueLength: 'it is about how fast the service is',
	overloadAnswer: 'it is about how fast the service is',
	latencyMilliseconds: 'it is about how fast the service is',
};

/**
 * Switches of which only some positions are tested. More frequent rejections of a valid key, a shorter session, bodies in only
 * one format, or tasks that are forgotten earlier would change the results. For sources that are requested only after another
 * source has failed, one position covers all.
 */
const narrower: Others = {
	createAnswer: ['recordById'],
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
export const rest: Others = Object.fromEntries(
	Object.entries({ ...positions, ...narrower })
		.filter(([name]) => !Object.hasOwn(leftOut, name))
		.map(([name, all]) => [name, Object.hasOwn(narrower, name) ? all : all.slice(1)]),
);

const identities: readonly Identity[] = ['header', 'query', 'sessionInQuery', 'sessionInCookie'];
const dialects: ReadonlyArray<Positions['serviceDialect']> = ['automatic', 'standard', 'ragic'];
const usual = defaultSwitches();

/** Factors, each as a list of changes to the defaults. The first position changes nothing. */
const factors: ReadonlyArray<ReadonlyArray<Partial<Positions>>> = [
	identities.map((identity) => ({ identity })),
	dialects.map((serviceDialect) => ({ serviceDialect })),
	...Object.entries(rest).map(([name, all]) => [
		{},
		...all.map((position) => ({ switches: { [name]: position } })),
	]),
];

/** Default position of everything. */
export const usually: Positions = { switches: {}, identity: 'header', serviceDialect: 'automatic' };

const sizes = factors.map(({ length }) => length);
const isAllowed = (chosen: Chosen) => isPossible(positionsOf(chosen));

/** Rows that cover every possible position. */
const rows = coveringRows(sizes, isAllowed);

/** Positions of the rows. */
export const tried: readonly Positions[] = rows.map(positionsOf);

/** Returns the positions that no row contains, as `factor:position` indexes. */
export function untried(): string[] {
	return sizes.flatMap((size, factor) =>
		Array.from({ length: size }, (_, position) => position)
			.filter((position) => position > 0 && rows.every((row) => row[factor] !== position))
			.map((position) => `${factor}:${position}`),
	);
}

function positionsOf(chosen: Chosen): Positions {
	let positions = usually;
	for (const [factor, position] of chosen.entries()) {
		const { switches, ...overrides } = factors[factor]?.[position] ?? {};
		positions = { ...positions, ...overrides, switches: { ...positions.switches, ...switches } };
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

/** Credential of the node, and the parameter that selects it. */
export interface Identified {
	credentials: CredentialsByType;
	parameters: INodeParameters;
}

/** Returns the credential for these positions. */
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
