import type { IExecuteFunctions } from 'n8n-workflow';
import { outcomesOf } from '../../../nodes/SheetRecords/run/run';

/** The context of one try, of which these members are used. */
function tryOf(run: object, more: object = {}, retryOnFail = true): IExecuteFunctions {
	const context = { getNode: () => ({ retryOnFail }), getExecuteData: () => run, ...more };
	return context as unknown as IExecuteFunctions;
}

const run = {};
const tool = { getNextRunIndex: () => 0 };

it.each<[string, IExecuteFunctions, IExecuteFunctions, boolean]>([
	['of one run', tryOf(run), tryOf(run), true],
	['of another run', tryOf(run), tryOf({}), false],
	['where nothing is tried again', tryOf(run, {}, false), tryOf(run, {}, false), false],
	[
		"that are an agent's calls of a tool: all see the agent's run",
		tryOf(run, tool),
		tryOf(run, tool),
		false,
	],
])('tries %s share the outcomes of their items', (_, firstTry, secondTry, isKnown) => {
	expect(outcomesOf(firstTry) === outcomesOf(secondTry)).toBe(isKnown);
});
