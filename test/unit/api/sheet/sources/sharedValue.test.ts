import { ServiceError } from '../../../../../nodes/api/http/serviceError';
import { AgingValue, SharedValue } from '../../../../../nodes/api/sheet/sources/sharedValue';

let ofProcess: AgingValue<Promise<string>>;
/** Returns the value as a new run sees it. */
const newRun = () => new SharedValue<string>(ofProcess, () => undefined);

beforeEach(() => {
	ofProcess = new AgingValue(60_000);
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
	const first = newRun().get(async () => await cancelled.promise);
	const second = newRun().get(async () => 'fresh');
	cancelled.reject(new Error('The execution was cancelled'));
	await expect(first).rejects.toThrow('cancelled');
	expect(await second).toBe('fresh');
});

it('an error response of the service is the result for all runs that wait for it', async () => {
	const refused = pending();
	const load = jest.fn(async () => await refused.promise);
	const runs = [1, 2].map(() => newRun().get(load));
	refused.reject(new ServiceError({ kind: 'noAccess', message: 'No access right' }));
	for (const run of runs) await expect(run).rejects.toThrow('No access right');
	expect(load).toHaveBeenCalledTimes(1);
});

it('a run that waited for the failed load of another run loads the value at its next use', async () => {
	const refused = pending();
	const first = newRun();
	const second = newRun();
	const loads = [first, second].map(
		async (run) => await run.get(async () => await refused.promise),
	);
	refused.reject(new ServiceError({ kind: 'server', message: 'Busy' }));
	for (const load of loads) await expect(load).rejects.toThrow('Busy');
	expect(await first.get(async () => 'of the first run')).toBe('of the first run');
	expect(await second.get(async () => 'of the second run')).toBe('of the first run');
});

it.each<[end: string, end: (earlier: ReturnType<typeof pending>) => void]>([
	['fails', ({ reject }) => reject(new Error('The execution was cancelled'))],
	['brings a value that only its run may keep', ({ resolve }) => resolve('provisional')],
])('a value that was loaded anew stays when an earlier load %s', async (_, end) => {
	const maxAgeOf = (value: string) => (value === 'provisional' ? 0 : undefined);
	const ofRun = () => new SharedValue<string>(ofProcess, maxAgeOf);
	const earlier = pending();
	const first = ofRun().get(async () => await earlier.promise);
	const second = ofRun();
	second.forget(0);
	expect(await second.get(async () => 'new')).toBe('new');
	end(earlier);
	await Promise.allSettled([first]);
	expect(await ofRun().get(async () => 'once more')).toBe('new');
});

it('reading a value does not renew it, and a value can have a shorter maximum age', () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const value = new AgingValue<number>(100);
	value.set(1);
	now = 99;
	expect([value.get(), value.age]).toEqual([1, 99]);
	now = 100;
	expect([value.get(), value.age]).toEqual([undefined, Infinity]);
	value.set(2, 10);
	now = 110;
	expect(value.get()).toBeUndefined();
	jest.restoreAllMocks();
});
