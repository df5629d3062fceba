import { runNode } from '../engine/runner';
import { readOrder } from '../engine/operations';
import { startReferenceService } from '../service';

/** How fast requests reach the service from executions that run side by side. */
export interface RateLimitResult {
	/** What the credential says. */
	requestsPerSecond: number;
	/** Requests in a second over the whole run. */
	reached: number;
	/** The most that the service saw within any second. */
	mostInOneSecond: number;
	/** The most that the service had to answer at once. */
	mostAtOnce: number;
}

const executions = 4;

/** Reads so many records in each of some executions at once, with a rate limit or none (0). */
export async function measureRateLimit(
	requestsPerSecond: number,
	requests: number,
): Promise<RateLimitResult> {
	const service = await startReferenceService({ demoRecords: 10 });
	try {
		const { baseUrl, account, identities } = service;
		const { apiKey } = identities.member;
		const credentials = { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond } };
		const parameters = { resource: 'record', ...readOrder() };
		const items = Array.from({ length: requests / executions }, () => ({}));
		const run = async () => await runNode({ node: 'sheetRecords', parameters, items, credentials });
		const results = await Promise.all(Array.from({ length: executions }, run));
		for (const { error } of results) if (error) throw new Error(error.message);
		const seen = service.requests.all();
		const times = seen.map(({ at }) => at);
		return {
			requestsPerSecond,
			reached: rateOf(times, Math.max(1, requestsPerSecond)),
			mostInOneSecond: Math.max(...times.map((from) => countWithin(times, from))),
			mostAtOnce: 1 + Math.max(...seen.map(({ inFlightAtStart }) => inFlightAtStart)),
		};
	} finally {
		await service.close();
	}
}

/** From the beginning of the first to that of the last burst: what comes behind it is not waited for. */
function rateOf(times: readonly number[], burst: number): number {
	const bursts = times.filter((_, index) => index % burst === 0);
	const [first = NaN] = bursts;
	const last = bursts[bursts.length - 1] ?? NaN;
	return ((bursts.length - 1) * burst * 1000) / (last - first);
}

function countWithin(times: readonly number[], from: number): number {
	return times.filter((at) => at >= from && at < from + 1000).length;
}
