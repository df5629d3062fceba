import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from 'n8n-workflow';
import { schedule, slowDown, speedUp } from '../../../../nodes/api/http/rateLimiter';
import { waitBeforeRetry } from '../../../../nodes/api/http/policies';
import { ServiceError } from '../../../../nodes/api/http/serviceError';
import { newRateLimit, rest, useFakeTime } from './rateLimitedRequests';

/**
 * Simulates several independent processes of n8n that use the same account of a service with a limit of 5 requests per
 * second.
 */

useFakeTime();

const perSecond = 5;
const minutes = 5;
const milliseconds = minutes * 60_000;
const tooFrequent = new ServiceError({ kind: 'tooFrequent', message: 'Too frequent' });

/** Returns a generator of the same random numbers in each run. */
function randomNumbers(): () => number {
	let last = 7;
	return () => (last = (last * 16_807) % 2_147_483_647) / 2_147_483_647;
}

class BusyService {
	private accepted: number[] = [];
	done = 0;
	refused = 0;

	constructor(private readonly random: () => number) {}

	/** Returns whether the request was accepted. Requests beyond the limit of the last second are rejected. */
	async takes(): Promise<boolean> {
		await rest(40 + this.random() * 60);
		const now = performance.now();
		this.accepted = this.accepted.filter((at) => at > now - 1000);
		const isTaken = this.accepted.length < perSecond;
		if (isTaken) this.accepted.push(now);
		await rest(40 + this.random() * 60);
		if (isTaken) this.done++;
		else this.refused++;
		return isTaken;
	}
}

/** Simulates this number of processes, each with unlimited work and its own rate limit. */
async function simulate(processes: number, requestsPerSecond: number) {
	const random = randomNumbers();
	const service = new BusyService(random);
	const end = performance.now() + milliseconds;
	let givenUp = 0;
	const work = async () => {
		await rest(random() * 3000);
		const rateLimit = newRateLimit(requestsPerSecond);
		for (let attempts = 1; performance.now() < end; attempts++) {
			const isTaken = await schedule(rateLimit, async () => await service.takes(), { sleep });
			const wait = isTaken ? undefined : waitBeforeRetry(tooFrequent, { isWrite: true }, attempts);
			if (isTaken) speedUp(rateLimit);
			if (wait === undefined) {
				if (!isTaken) givenUp++;
				attempts = 0;
				continue;
			}
			slowDown(rateLimit, wait);
			await rest(wait);
		}
	};
	const all = Promise.all(Array.from({ length: processes }, work));
	await jest.advanceTimersByTimeAsync(2 * milliseconds);
	await all;
	const { done, refused } = service;
	return { perSecond: (done / milliseconds) * 1000, refused: refused / (refused + done), givenUp };
}

it('several processes share the limit of the account, as the table on the credentials page says', async () => {
	const readme = readFileSync(join(__dirname, '../../../../credentials/README.md'), 'utf8');
	for (const processes of [1, 2, 8, 32]) {
		const cells = [String(processes)];
		for (const rateLimit of [perSecond, perSecond / processes]) {
			const result = await simulate(processes, rateLimit);
			cells.push(result.perSecond.toFixed(1), `${Math.round(result.refused * 100)} %`);
			// A rejected request is sent again later. Requests are given up only if far too many processes compete.
			expect(result.givenUp).toBeLessThanOrEqual(processes > 8 ? 5 : 0);
		}
		expect(readme.replace(/ +/g, ' ')).toContain(`| ${cells.join(' | ')} |`);
	}
});
