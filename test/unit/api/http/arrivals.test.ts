import { sleep } from 'n8n-workflow';
import { schedule } from '../../../../nodes/api/http/rateLimiter';
import { newRateLimit, rest, useFakeTime } from './rateLimitedRequests';

useFakeTime();

const perSecond = 5;
const count = 3_000;

/** Returns a generator of the same random numbers in each run. */
function randomNumbers(seed: number): () => number {
	let last = seed;
	return () => (last = (last * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Latencies of a network: the time to the service and the time back, in ms. */
const networks: Array<{ title: string; travel: (random: () => number) => number }> = [
	{ title: 'a constant latency', travel: () => 100 },
	{ title: 'a jitter of 60 ms', travel: (random) => 40 + random() * 60 },
	{ title: 'a jitter of 300 ms', travel: (random) => 10 + random() * 300 },
	{ title: 'rare outliers', travel: (random) => 50 + (random() < 0.02 ? 2_000 : 20) * random() },
	{
		title: 'a latency that drifts',
		travel: (random) => 100 + ((performance.now() / 50) % 200) + random() * 10,
	},
];

/** Sends requests one after another. Returns the times of their arrivals at the service, and the time of the last answer. */
async function simulate(travel: (random: () => number) => number, seed: number) {
	const random = randomNumbers(seed);
	const rateLimit = newRateLimit(perSecond);
	const arrivals: number[] = [];
	const begun = performance.now();
	const work = (async () => {
		for (let index = 0; index < count; index++) {
			await schedule(
				rateLimit,
				async () => {
					await rest(travel(random));
					arrivals.push(performance.now());
					await rest(travel(random));
				},
				{ sleep },
			);
		}
		return performance.now() - begun;
	})();
	await jest.advanceTimersByTimeAsync(count * 1_000);
	return { arrivals, milliseconds: await work };
}

/** Returns for each arrival how many arrive within the second that begins with it. */
function arrivalsPerSecond(arrivals: readonly number[]): number[] {
	return arrivals.map((at, index) => {
		const end = arrivals.findIndex((other, place) => place > index && other >= at + 1_000);
		return (end === -1 ? arrivals.length : end) - index;
	});
}

it.each(networks)(
	'with $title, at most five requests arrive in 99.9 % of all seconds, and never more than six',
	async ({ travel }) => {
		const perWindow = arrivalsPerSecond((await simulate(travel, 7)).arrivals);
		expect(perWindow).toHaveLength(count);
		expect(Math.max(...perWindow)).toBeLessThanOrEqual(perSecond + 1);
		const over = perWindow.filter((found) => found > perSecond).length;
		expect(over).toBeLessThanOrEqual(count / 1_000);
	},
);

it('with a latency of 200 ms, five requests take a second, and not the latency in addition', async () => {
	const { milliseconds } = await simulate(() => 98, 7);
	expect(milliseconds / count).toBeLessThan(205);
});

it('a slow answer counts for the next 20 requests of the account, and not for the 21st', async () => {
	const limit = newRateLimit(perSecond);
	const starts: number[] = [];
	const send = async (milliseconds: number) => {
		const request = async () => {
			starts.push(performance.now());
			await rest(milliseconds);
		};
		await schedule(limit, request, { sleep });
	};
	const sent = (async () => {
		await send(2_000);
		for (let number = 0; number < 21; number++) await send(100);
	})();
	await jest.advanceTimersByTimeAsync(60_000);
	await sent;
	// While the slow answer counts, a request counts from its answer, 100 ms after its start.
	const spanUpTo = (index: number) => Math.round((starts[index] ?? 0) - (starts[index - 5] ?? 0));
	expect([spanUpTo(20), spanUpTo(21)]).toEqual([1_100, 1_000]);
});
