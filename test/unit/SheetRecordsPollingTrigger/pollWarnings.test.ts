import type { PollCall } from '../../../nodes/SheetRecordsPollingTrigger/pollCall';
import type { PollState } from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { warn } from '../../../nodes/SheetRecordsPollingTrigger/pollWarnings';

it('the next item has the latest warning of each kind, as a sentence', () => {
	const logger = { warn: jest.fn() };
	const node = { getNode: () => ({ id: '1', name: 'Poll' }), getWorkflow: () => ({ id: '2' }) };
	const call = { context: { logger, ...node } } as unknown as PollCall;
	const state = { warnings: {} } as PollState;
	warn(call, state, 'heldBack', 'It left out 5 records');
	warn(call, state, 'undated', 'Record 7 has no date');
	warn(call, state, 'heldBack', 'It left out 2 records');
	expect(state.warnings).toEqual({
		heldBack: 'It left out 2 records.',
		undated: 'Record 7 has no date.',
	});
});
