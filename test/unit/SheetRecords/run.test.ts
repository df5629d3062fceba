import type { IExecuteFunctions } from 'n8n-workflow';
import { journalOf } from '../../../nodes/SheetRecords/run/run';

/** The members of n8n's context that the node uses, for one attempt of an execution. */
function attemptOf(run: object, more: object = {}, retryOnFail = true): IExecuteFunctions {
	const context = { getNode: () => ({ retryOnFail }), getExecuteData: () => run, ...more };
	return context as unknown as IExecuteFunctions;
}

const run = {};
/** The members of n8n's context for a call of a tool. All attempts of a call get the same object of arguments. */
const callWith = (json?: object) => {
	return { getNextRunIndex: () => 0, getInputData: () => (json ? [{ json }] : []) };
};
const toolArguments = { id: 3 };

it.each<[string, IExecuteFunctions, IExecuteFunctions, boolean]>([
	['of one run', attemptOf(run), attemptOf(run), true],
	['of another run', attemptOf(run), attemptOf({}), false],
	['without Retry On Fail', attemptOf(run, {}, false), attemptOf(run, {}, false), false],
	[
		"as calls of an agent's tool, which all belong to the agent's run",
		attemptOf(run, callWith({ id: 3 })),
		attemptOf(run, callWith({ id: 3 })),
		false,
	],
	[
		'of one call of a tool',
		attemptOf(run, callWith(toolArguments)),
		attemptOf({}, callWith(toolArguments)),
		true,
	],
	['of a tool without input', attemptOf(run, callWith()), attemptOf(run, callWith()), false],
])(
	'attempts share the journal of their items only within one run: %s',
	(_, firstAttempt, secondAttempt, areShared) => {
		expect(journalOf(firstAttempt) === journalOf(secondAttempt)).toBe(areShared);
	},
);
