import type { Fault } from '../../service';
import type { TriggerTestbed } from './triggerTestbed';

/** Faults of a service that fails all requests. */
export const troubles: Array<{ trouble: string; fault: Fault }> = [
	{ trouble: 'HTTP 503', fault: { kind: 'status', status: 503 } },
	{ trouble: 'silence', fault: { kind: 'hang' } },
	{
		trouble: 'code 204',
		fault: { kind: 'body', body: '{"status":"ERROR","code":204,"msg":"Too frequent"}' },
	},
];

/**
 * Returns a function that makes the account answer all requests with a fault, including the request for field names. Look-ups in
 * the background end with the test.
 */
export function useBusyService(trigger: TriggerTestbed) {
	let backgroundRequests = new AbortController();
	afterEach(() => backgroundRequests.abort());
	return (fault: Fault = { kind: 'status', status: 503 }): void => {
		backgroundRequests = new AbortController();
		const { timeout } = AbortSignal;
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) =>
				AbortSignal.any([timeout.call(AbortSignal, milliseconds), backgroundRequests.signal]),
			);
		trigger.service.faults.inject({
			...fault,
			times: Infinity,
			when: ({ path }) => path.startsWith('/acme'),
		});
	};
}
