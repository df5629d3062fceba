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

it('a slow page now and then does not delay the quick requests after it', async () => {
	let ways = 0;
	// Each request asks for its way to the service and its way back. The answer to each 15th one takes two seconds.
	const travel = () => (++ways % 30 === 0 ? 1_950 : 50);
	const { arrivals, milliseconds } = await simulate(travel, 7);
	expect(Math.max(...arrivalsPerSecond(arrivals))).toBeLessThanOrEqual(perSecond);
	// The page takes two seconds, and fourteen requests take at least 2.8.
	expect(milliseconds / (count / 15)).toBeLessThan(4_900);
});

it.each([
	{ number: 20, milliseconds: 1_080 },
	{ number: 21, milliseconds: 1_000 },
])(
	'after a quick answer, request $number of the account starts $milliseconds ms after the fifth before it',
	async ({ number, milliseconds }) => {
		const limit = newRateLimit(perSecond);
		const starts: number[] = [];
		const send = async (latency: number) => {
			const request = async () => {
				starts.push(performance.now());
				await rest(latency);
			};
			await schedule(limit, request, { sleep });
		};
		const last = 25;
		const sent = (async () => {
			for (let index = 0; index <= last; index++) await send(index === last - number ? 20 : 100);
		})();
		await jest.advanceTimersByTimeAsync(60_000);
		await sent;
		// While the quick answer counts, a request counts from its answer less the 20 ms.
		expect(Math.round((starts[last] ?? 0) - (starts[last - 5] ?? 0))).toBe(milliseconds);
	},
);
