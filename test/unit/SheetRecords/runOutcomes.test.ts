import type { IExecuteFunctions } from 'n8n-workflow';

import { runOutcomes } from '../../../nodes/SheetRecords/runOutcomes';

/** The context of one try, of which these members are used. */
function tryOf(run: object, more: object = {}, retryOnFail = true): IExecuteFunctions {
	const context = { getNode: () => ({ retryOnFail }), getExecuteData: () => run, ...more };
	return context as unknown as IExecuteFunctions;
}

describe('what has become of the items', () => {
	it('is known to all tries of one run, and to no other run', () => {
		const run = {};
		expect(runOutcomes(tryOf(run))).toBe(runOutcomes(tryOf(run)));
		expect(runOutcomes(tryOf(run))).not.toBe(runOutcomes(tryOf({})));
	});

	it('is forgotten where nothing is tried again', () => {
		const run = {};
		expect(runOutcomes(tryOf(run, {}, false))).not.toBe(runOutcomes(tryOf(run, {}, false)));
	});

	it("is each call's own where an agent calls the node as a tool: all of them see the agent's run", () => {
		const run = {};
		const tool = { getNextRunIndex: () => 0 };
		expect(runOutcomes(tryOf(run, tool))).not.toBe(runOutcomes(tryOf(run, tool)));
	});
});
