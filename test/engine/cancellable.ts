import type { INodeParameters } from 'n8n-workflow';
import type { RecordTestbed } from './recordTestbed';
import type { InputItem, RunNodeOptions, RunResult } from './runner';

/** Starts a run, and gives what cancels it and waits for its end. */
export type StartCancellable = (
	parameters: INodeParameters,
	items?: InputItem[],
	more?: Partial<RunNodeOptions>,
) => () => Promise<RunResult>;

/**
 * Runs that can be cancelled. Whatever they wait for takes longer than a test may, so a run that does not
 * end at once fails its test by the time limit; nothing goes on behind a test that has failed.
 */
export function useCancellable(testbed: RecordTestbed): StartCancellable {
	const stops: AbortController[] = [];
	afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));
	return (parameters, items = [{}], more = {}) => {
		const stop = new AbortController();
		stops.push(stop);
		const run = testbed.runById(parameters, items, { signal: stop.signal, ...more });
		return async () => {
			stop.abort();
			return await run;
		};
	};
}

/** Settings of a node for failures. */
export const failureModes: Array<[string, Partial<RunNodeOptions>]> = [
	['stop', {}],
	['continue with the error output', { onError: 'continueErrorOutput' }],
	['continue with the regular output', { onError: 'continueRegularOutput' }],
	['retry', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }],
];
