import { RunCache, SharedCache } from '../../../../nodes/api/http/runCache';
import { ProcessCache } from '../../../../nodes/api/http/processState';
import { ServiceError } from '../../../../nodes/api/http/serviceError';

const rules = { maxAge: 60_000, maxEntries: 9, readingRenews: false };
let cache: SharedCache<string>;

beforeEach(() => {
	const ofProcess = new ProcessCache<Promise<string>>(rules);
	cache = new SharedCache(ofProcess, () => undefined);
});

/** Returns a promise and the functions that settle it. */
function pending() {
	let resolve: (value: string) => void = () => {};
	let reject: (reason: Error) => void = () => {};
	const promise = new Promise<string>((onValue, onError) => {
		resolve = onValue;
		reject = onError;
	});
	return { promise, resolve, reject };
}

it('a run loads a value itself if the run that was loading it is cancelled', async () => {
	const cancelled = pending();
	const first = cache.get({ cache: new RunCache() }, 'sheet', async () => await cancelled.promise);
	const second = cache.get({ cache: new RunCache() }, 'sheet', async () => 'fresh');
	cancelled.reject(new Error('The execution was cancelled'));
	await expect(first).rejects.toThrow('cancelled');
	expect(await second).toBe('fresh');
});

it('an error response of the service is the result for all runs that wait for it', async () => {
	const refused = pending();
	const load = jest.fn(async () => await refused.promise);
	const runs = [1, 2].map(() => cache.get({ cache: new RunCache() }, 'sheet', load));
	refused.reject(new ServiceError({ kind: 'noAccess', message: 'No access right' }));
	for (const run of runs) await expect(run).rejects.toThrow('No access right');
	expect(load).toHaveBeenCalledTimes(1);
});
