import type { IExecuteFunctions } from 'n8n-workflow';

import { outcomesOf } from '../../../nodes/SheetRecords/run';

/** The context of one try, of which these members are used. */
function tryOf(run: object, more: object = {}, retryOnFail = true): IExecuteFunctions {
	const context = { getNode: () => ({ retryOnFail }), getExecuteData: () => run, ...more };
	return context as unknown as IExecuteFunctions;
}

describe('what has become of the items', () => {
	it('is known to all tries of one run, and to no other run', () => {
		const run = {};
		expect(outcomesOf(tryOf(run))).toBe(outcomesOf(tryOf(run)));
		expect(outcomesOf(tryOf(run))).not.toBe(outcomesOf(tryOf({})));
	});

	it('is forgotten where nothing is tried again', () => {
		const run = {};
		expect(outcomesOf(tryOf(run, {}, false))).not.toBe(outcomesOf(tryOf(run, {}, false)));
	});

	it("is each call's own where an agent calls the node as a tool: all of them see the agent's run", () => {
		const run = {};
		const tool = { getNextRunIndex: () => 0 };
		expect(outcomesOf(tryOf(run, tool))).not.toBe(outcomesOf(tryOf(run, tool)));
	});
});
