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
	blockMilliseconds: number;
}

export function summary({ work, amount, rounds }: Comparison): Result[] {
	const taking = new Set(rounds.flat().map((measurement) => measurement.measuredClient));
	return measuredClients
		.filter((client) => taking.has(client))
		.map((measuredClient) => {
			const middle = (read: (one: Measurement, of: OfRound) => number) =>
				median(rounds.map(ofRound).map((of) => read(of(measuredClient), of)));
			const ratioTo = (other: MeasuredClient) =>
				middle(({ milliseconds }, of) => milliseconds / of(other).milliseconds);
			return {
				work,
				title: workPlans[work].title(amount),
				measuredClient,
				seconds: middle(({ milliseconds }) => milliseconds) / 1000,
				ratioToHelper: taking.has('helper') ? ratioTo('helper') : undefined,
				ratioToClient: ratioTo('client'),
				requests: middle(({ requests }) => requests),
				megabytes: middle(({ megabytes }) => megabytes),
				growthMegabytes: middle(({ growthMegabytes }) => growthMegabytes),
				blockMilliseconds: middle(({ blockMilliseconds }) => blockMilliseconds),
			};
		});
}

type OfRound = (measuredClient: MeasuredClient) => Measurement;

function ofRound(round: Measurement[]): OfRound {
	return (measuredClient) => {
		const found = round.find((measurement) => measurement.measuredClient === measuredClient);
		if (found) return found;
		throw new Error(`Nothing was measured for ${measuredClient}`);
	};
}
