import type { Comparison, Measurement } from './comparison';
import { measuredClients, type MeasuredClient, type Work } from './task';
import { workPlans } from './works';

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Medians of one client for one workload. */
export interface Result {
	work: Work;
	title: string;
	measuredClient: MeasuredClient;
	seconds: number;
	/** Median of the ratios within each round, because the speed of the machine varies between rounds. */
	ratioToHelper: number | undefined;
	ratioToClient: number;
	requests: number;
	megabytes: number;
	growthMegabytes: number;
	blockMilliseconds: number;
}

export function summary({ work, amount, rounds }: Comparison): Result[] {
	const participants = new Set(rounds.flat().map((measurement) => measurement.measuredClient));
	return measuredClients
		.filter((client) => participants.has(client))
		.map((measuredClient) => {
			const medianOf = (read: (measurement: Measurement, of: OfRound) => number) =>
				median(rounds.map(ofRound).map((of) => read(of(measuredClient), of)));
			const ratioTo = (other: MeasuredClient) =>
				medianOf(({ milliseconds }, of) => milliseconds / of(other).milliseconds);
			return {
				work,
				title: workPlans[work].title(amount),
				measuredClient,
				seconds: medianOf(({ milliseconds }) => milliseconds) / 1000,
				ratioToHelper: participants.has('helper') ? ratioTo('helper') : undefined,
				ratioToClient: ratioTo('client'),
				requests: medianOf(({ requests }) => requests),
				megabytes: medianOf(({ megabytes }) => megabytes),
				growthMegabytes: medianOf(({ growthMegabytes }) => growthMegabytes),
				blockMilliseconds: medianOf(({ blockMilliseconds }) => blockMilliseconds),
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
