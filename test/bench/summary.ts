import type { Comparison, Measurement } from './comparison';
import { measuredClients, type MeasuredClient, type Work } from './task';
import { workPlans } from './works';

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** One measuredClient's medians for one piece of work. */
export interface Result {
	work: Work;
	title: string;
	measuredClient: MeasuredClient;
	seconds: number;
	/** Medians of the ratios within a round, since a machine is not the same from round to round. */
	ratioToHelper: number | undefined;
	ratioToClient: number;
	requests: number;
	megabytes: number;
	growthMegabytes: number;
}

export function summary({ work, amount, rounds }: Comparison): Result[] {
	const [first = []] = rounds;
	const order = measuredClients.filter((one) =>
		first.some(({ measuredClient }) => measuredClient === one),
	);
	return order.map((measuredClient) => {
		const own = rounds.map((round) => of(round, measuredClient));
		const middle = (read: (one: Measurement) => number) => median(own.map(read));
		const hasHelper = order.includes('helper');
		return {
			work,
			title: workPlans[work].title(amount),
			measuredClient,
			seconds: middle(({ milliseconds }) => milliseconds) / 1000,
			ratioToHelper: hasHelper ? ratio(rounds, measuredClient, 'helper') : undefined,
			ratioToClient: ratio(rounds, measuredClient, 'client'),
			requests: middle(({ requests }) => requests),
			megabytes: middle(({ megabytes }) => megabytes),
			growthMegabytes: middle(({ growthMegabytes }) => growthMegabytes),
		};
	});
}

function ratio(
	rounds: Measurement[][],
	measuredClient: MeasuredClient,
	other: MeasuredClient,
): number {
	return median(
		rounds.map((round) => of(round, measuredClient).milliseconds / of(round, other).milliseconds),
	);
}

function of(round: Measurement[], measuredClient: MeasuredClient): Measurement {
	const found = round.find((one) => one.measuredClient === measuredClient);
	if (found) return found;
	throw new Error(`Nothing was measured for ${measuredClient}`);
}
