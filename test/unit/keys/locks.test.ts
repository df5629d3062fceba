import ts from 'typescript';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { schedule, slowDown } from '../../../nodes/api/http/rateLimiter';
import { MatchLookUp } from '../../../nodes/api/write/match';
import { nodeKeyOf } from '../../../nodes/shared/trigger';
import {
	RecentDeliveries,
	restartMemory,
} from '../../../nodes/SheetRecordsTrigger/recentDeliveries';
import { partsOfNodes } from '../../nodeSources';
import { triggerContext } from './fakeTrigger';
import { changed, components, CountingService, usual } from './situation';
import type { Component, Situation } from './situation';

const service = new CountingService();
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

interface Key {
	fieldIds?: string[];
	values?: string[];
}

const compared = { repeats: true, content: true, watched: [] };
const claimed = {};
restartMemory('another node', claimed);

interface LockCase {
	/** Components of the lock's name. */
	key: readonly Component[];
	/** Does work within the lock. `work` runs while the lock is held. */
	hold: (situation: Situation, work: () => Promise<void>, key?: Key) => Promise<unknown>;
}

/** The locks, by the function that acquires them. */
const locks: Record<string, LockCase> = {
	inTurn: {
		key: ['workflow', 'node'],
		async hold(situation, work) {
			const isEnded = { value: false };
			// The steps yield to the event loop only when the clock moves.
			let now = performance.now();
			jest.spyOn(performance, 'now').mockImplementation(() => (now += 20));
			const steps = function* () {
				void work().then(() => (isEnded.value = true));
				while (!isEnded.value) yield;
			};
			const recent = new RecentDeliveries(nodeKeyOf(triggerContext(situation)), claimed, compared);
			await recent.inTurn(steps());
		},
	},
	oneAtATime: {
		key: ['address', 'account'],
		async hold(situation, work) {
			const client = await service.connect(situation);
			await client.read({ path: '/acme', query: 'api' }, work);
		},
	},
	schedule: {
		key: ['address', 'account'],
		async hold(situation, work) {
			const { rateLimit } = (await service.connect(situation)).connection;
			// The lock is held while a request waits for its turn.
			slowDown(rateLimit, 1);
			const sleep = async () => {
				await work();
				await turn();
			};
			await schedule(rateLimit, async () => {}, { sleep });
		},
	},
	whileLocked: {
		key: ['address', 'account', 'sheet', 'folder'],
		async hold(situation, work, { fieldIds = ['1'], values = ['a'] } = {}) {
			const client = await service.connect(situation);
			await new MatchLookUp(client, situation.sheet, fieldIds).whileLocked(values, work);
		},
	},
};

let release: () => void = () => {};
const held = async () => await new Promise<void>((resolve) => (release = resolve));

beforeEach(() => {
	clearProcessState();
	jest.spyOn(performance, 'now').mockReturnValue(1_000);
});
afterEach(() => {
	release();
	jest.restoreAllMocks();
});

/** Returns whether work in the second situation starts while the lock of the first one is held. */
async function startsBeside({ hold }: LockCase, second: Situation, key?: Key): Promise<boolean> {
	void hold(usual, held);
	for (let turns = 0; turns < 5; turns++) await turn();
	const work = jest.fn(async () => await Promise.resolve());
	void hold(second, work, key).catch(() => {});
	for (let turns = 0; turns < 5; turns++) await turn();
	const { length } = work.mock.calls;
	jest.restoreAllMocks();
	return length > 0;
}

it('each lock is in the table of keys', () => {
	const acquiring = partsOfNodes(ts.isCallExpression)
		.filter(({ node }) => node.expression.getText() === 'acquire')
		.map(({ node }) => functionAround(node));
	expect(acquiring.sort()).toEqual(Object.keys(locks).sort());
});

function functionAround(node: ts.Node): string | undefined {
	if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
	return functionAround(node.parent);
}

describe.each(Object.entries(locks))('the lock of %s', (_, lock) => {
	it('the same situation waits', async () => {
		expect(await startsBeside(lock, usual)).toBe(false);
	});

	it.each(components)(
		'another %s alone starts at once exactly if its key has it',
		async (component) => {
			expect(await startsBeside(lock, changed[component])).toBe(lock.key.includes(component));
		},
	);
});

it.each([
	{ what: 'another value', key: { values: ['b'] }, starts: true },
	{ what: 'another field', key: { fieldIds: ['2'] }, starts: true },
	{ what: 'the same value in other letters', key: { values: ['A '] }, starts: false },
])('a lock of a key to match: $what starts at once: $starts', async ({ key, starts }) => {
	const { whileLocked } = locks;
	if (!whileLocked) throw new Error('There is no such lock');
	expect(await startsBeside(whileLocked, usual, key)).toBe(starts);
});
