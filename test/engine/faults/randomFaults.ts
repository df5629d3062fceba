import fc from 'fast-check';
import type { RecordTestbed } from '../recordTestbed';
import type { Surroundings } from './cell';
import { strike } from './strike';

const variable = 'SHEET_RECORDS_FAULT_SEED';

/** Seed of the random numbers. It differs in each run unless the variable is set, to repeat a run. */
export const seed = Number(process.env[variable] ?? Math.floor(Math.random() * 2 ** 31));

process.stdout.write(`Random faults; to have the same again: ${variable}=${seed}\n`);

/** Faults of a request, with their frequency in percent. */
const chances: Array<[fault: string, percent: number]> = [
	['connection refused', 2],
	['reset before the request was read', 2],
	['reset after the request was read', 2],
	['reset after the work', 3],
	['answer cut in the middle', 2],
	['half an answer as if it were whole', 1],
	['HTTP 408', 1],
	['HTTP 429 with Retry-After', 2],
	['HTTP 429 without Retry-After', 2],
	['HTTP 500', 1],
	['HTTP 503', 2],
	['HTTP 504 after the work', 2],
	['code 203 after the work', 1],
	['code 204', 3],
	['hanging answer', 1],
	['answer that stops in the middle', 1],
	['redirect to another host (302)', 1],
	['redirect to another host (307)', 2],
	['web page instead of data', 1],
];

const none = 'none';

/** Strikes requests at random. The same seed strikes the same requests. */
export function strikeAtRandom(testbed: RecordTestbed, surroundings: Surroundings): void {
	const [plan, refusals] = [seed, seed + 1].map(faultsInOrder);
	const faultsOfRequests = new WeakMap<object, string>();
	/** Returns the fault of a request. It is chosen when the request is first seen. */
	const faultOf = (request: object) => {
		const chosen = faultsOfRequests.get(request) ?? plan?.next().value ?? none;
		faultsOfRequests.set(request, chosen);
		return chosen;
	};
	for (const [fault] of chances) {
		const isRefusal = fault === 'connection refused';
		// The service never sees a refused connection, so these faults have a separate sequence.
		const matches = (request: object) =>
			isRefusal ? refusals?.next().value === fault : faultOf(request) === fault;
		strike(fault, { testbed, matches, times: Infinity, ...surroundings });
	}
}

function* faultsInOrder(from: number): Generator<string, string> {
	const arbitraries = chances.map(([fault, weight]) => ({ weight, arbitrary: fc.constant(fault) }));
	const struck = chances.reduce((sum, [, weight]) => sum + weight, 0);
	const any = fc.oneof({ weight: 100 - struck, arbitrary: fc.constant(none) }, ...arbitraries);
	for (let part = 0; ; part += 1) {
		yield* fc.sample(any, { seed: from + 1000 * part, numRuns: 1000 });
	}
}
