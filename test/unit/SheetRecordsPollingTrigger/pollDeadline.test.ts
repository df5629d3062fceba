import { PollDeadline } from '../../../nodes/SheetRecordsPollingTrigger/pollDeadline';

const thrown = new Error('Cancelled');

it('an error before the deadline stays the same', () => {
	expect(new PollDeadline(60_000).failureOf(thrown)).toBe(thrown);
});

it.each([
	{ half: false, time: '45 seconds that n8n gives a poll' },
	{ half: true, time: '23 seconds that a check may take' },
])('an error after the deadline says that $time are over, and may pass', ({ half, time }) => {
	const over = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
	const whole = new PollDeadline(45_000);
	const deadline = half ? whole.half('that a check may take') : whole;
	expect(deadline.failureOf(thrown)).toMatchObject({
		name: 'InputError',
		message: `The service did not answer within the ${time}`,
		description: expect.stringContaining("'Subtables' to off"),
		isPassing: true,
	});
	expect(over).toHaveBeenLastCalledWith(half ? 22_500 : 45_000);
	over.mockRestore();
});
