import type { PollCall } from '../../../nodes/SheetRecordsPollingTrigger/pollCall';
import type { PollState } from '../../../nodes/SheetRecordsPollingTrigger/pollState';
import { warn } from '../../../nodes/SheetRecordsPollingTrigger/pollWarnings';
import { logWarning } from '../../../nodes/shared/trigger';

/** Returns a call of a node with this name, and the messages in its log. */
function fakeCall(name: string) {
	const warn = jest.fn<undefined, [message: string]>();
	const node = { getNode: () => ({ id: '1', name }), getWorkflow: () => ({ id: '2' }) };
	const call = { context: { logger: { warn }, ...node } } as unknown as PollCall;
	return { call, logged: () => warn.mock.calls.map(([message]) => message.split(': ')[1]) };
}

it('the next item has the latest warning of each kind, as a sentence', () => {
	const { call } = fakeCall('next item');
	const state = { warnings: {} } as PollState;
	warn(call, state, 'heldBack', 'It left out 5 records');
	warn(call, state, 'undated', 'Record 7 has no date');
	warn(call, state, 'heldBack', 'It left out 2 records');
	expect(state.warnings).toEqual({
		heldBack: 'It left out 2 records.',
		undated: 'Record 7 has no date.',
	});
});

it('a warning does not silence one of another kind in the log, and each without a kind is logged', () => {
	const { call, logged } = fakeCall('log');
	const state = { warnings: {} } as PollState;
	for (const kind of ['heldBack', 'undated', 'heldBack']) warn(call, state, kind, kind);
	for (const text of ['Trigger: first', 'Trigger: second']) logWarning(call.context, text);
	expect(logged()).toEqual(['heldBack', 'undated', 'first', 'second']);
});
