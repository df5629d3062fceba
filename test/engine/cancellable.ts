import type { INodeParameters } from 'n8n-workflow';
import type { RecordTestbed } from './recordTestbed';
import type { InputItem, RunNodeOptions, RunResult } from './runner';

/** Starts a run. Returns a function that cancels the run and waits for its end. */
export type StartCancellable = (
	parameters: INodeParameters,
	items?: InputItem[],
	overrides?: Partial<RunNodeOptions>,
) => () => Promise<RunResult>;

/** Starts runs that can be canceled. A run that does not end after its cancellation fails its test by the time limit. */
export function useCancellable(testbed: RecordTestbed): StartCancellable {
	const controllers: AbortController[] = [];
	afterEach(() => controllers.splice(0).forEach((controller) => controller.abort()));
	return (parameters, items = [{}], overrides = {}) => {
		const controller = new AbortController();
		controllers.push(controller);
		const run = testbed.runById(parameters, items, { signal: controller.signal, ...overrides });
		return async () => {
			controller.abort();
			return await run;
		};
	};
}

/** Settings of the node for failures. */
export const failureModes: Array<[string, Partial<RunNodeOptions>]> = [
	['stop', {}],
	['continue with the error output', { onError: 'continueErrorOutput' }],
	['continue with the regular output', { onError: 'continueRegularOutput' }],
	['retry', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }],
];
