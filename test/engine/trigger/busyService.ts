import type { Fault } from '../../service';
import type { TriggerTestbed } from './triggerTestbed';

/** Answers of a service that is in trouble, from the first request on. */
export const troubles: Array<{ trouble: string; fault: Fault }> = [
	{ trouble: 'HTTP 503', fault: { kind: 'status', status: 503 } },
	{ trouble: 'silence', fault: { kind: 'hang' } },
	{
		trouble: 'code 204',
		fault: { kind: 'body', body: '{"status":"ERROR","code":204,"msg":"Too frequent"}' },
	},
];

/**
 * Returns what lets the account answer nothing but a fault, also to the question for the names of fields. Look-ups
 * that no delivery waits for end with the test.
 */
export function useBusyService(trigger: TriggerTestbed) {
	let ended = new AbortController();
	afterEach(() => ended.abort());
	return (fault: Fault = { kind: 'status', status: 503 }): void => {
		ended = new AbortController();
		const { timeout } = AbortSignal;
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) =>
				AbortSignal.any([timeout.call(AbortSignal, milliseconds), ended.signal]),
			);
		trigger.service.faults.inject({
			...fault,
			times: Infinity,
			when: ({ path }) => path.startsWith('/acme'),
		});
	};
}
