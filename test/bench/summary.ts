import type { Contest, Measurement } from './contest';
import { contestants, type Contestant, type Work } from './task';
import { titleOf } from './workload';

/** The middle of what was measured. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** One contestant's medians for one piece of work. */
export interface Result {
	work: Work;
	title: string;
	contestant: Contestant;
	seconds: number;
	/** Medians of the ratios within a round, since a machine is not the same from round to round. */
	ratioToHelper: number | undefined;
	ratioToClient: number;
	requests: number;
	megabytes: number;
	growthMegabytes: number;
}

/** The medians of all rounds, for each contestant. */
export function summary({ work, amount, rounds }: Contest): Result[] {
	const [first = []] = rounds;
	const order = contestants.filter((one) => first.some(({ contestant }) => contestant === one));
	return order.map((contestant) => {
		const own = rounds.map((round) => of(round, contestant));
		const middle = (read: (one: Measurement) => number) => median(own.map(read));
		const hasHelper = order.includes('helper');
		return {
			work,
			title: titleOf(work, amount),
			contestant,
			seconds: middle(({ milliseconds }) => milliseconds) / 1000,
			ratioToHelper: hasHelper ? ratio(rounds, contestant, 'helper') : undefined,
			ratioToClient: ratio(rounds, contestant, 'client'),
			requests: middle(({ requests }) => requests),
			megabytes: middle(({ megabytes }) => megabytes),
			growthMegabytes: middle(({ growthMegabytes }) => growthMegabytes),
		};
	});
}

function ratio(rounds: Measurement[][], contestant: Contestant, other: Contestant): number {
	return median(
		rounds.map((round) => of(round, contestant).milliseconds / of(round, other).milliseconds),
	);
}

function of(round: Measurement[], contestant: Contestant): Measurement {
	const found = round.find((one) => one.contestant === contestant);
	if (found) return found;
	throw new Error(`Nothing was measured for ${contestant}`);
}
