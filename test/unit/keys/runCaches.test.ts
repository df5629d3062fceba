import ts from 'typescript';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { ownerOf, partsOfNodes } from '../../nodeSources';
import {
	answerQuestions,
	otherQuestions,
	runCaches,
	usualQuestion,
	type Part,
	type Question,
	type RunCacheCase,
} from './runCaches';
import { CountingService, usual } from './situation';

const cases = Object.entries(runCaches).filter(
	(entry): entry is [string, RunCacheCase] => typeof entry[1] === 'object',
);
const parts = Object.keys(otherQuestions).filter((name): name is Part => name in otherQuestions);

beforeEach(() => clearProcessState());

it('each cache of a run is in the table of keys', () => {
	const made = partsOfNodes(ts.isNewExpression)
		.filter(({ node }) => /^CachePart$/.test(node.expression.getText()))
		.map(({ node }) => ownerOf(node));
	expect(Object.keys(runCaches).sort()).toEqual(made.sort());
});

/** Returns the number of requests and loads of a second question of the same run. */
async function costOfSecond({ ask, counted }: RunCacheCase, second: Question): Promise<number> {
	const service = new CountingService();
	answerQuestions(service);
	const client = await service.connect(usual);
	const onLoad = jest.fn();
	await ask(client, usualQuestion, onLoad);
	// Only the run remembers its values.
	clearProcessState();
	onLoad.mockClear();
	const sent = await service.countDuring(async () => await ask(client, second, onLoad), counted);
	return sent + onLoad.mock.calls.length;
}

describe.each(cases)('the cache %s of a run', (_, cache) => {
	it('the same question is asked once', async () => {
		expect(await costOfSecond(cache, usualQuestion)).toBe(0);
	});

	it.each(parts)('another %s alone is asked for exactly if the key has it', async (part) => {
		const cost = await costOfSecond(cache, otherQuestions[part]);
		expect(cost > 0).toBe(cache.key.includes(part));
	});
});
