import { measure } from './comparison';
import { grownWorks, type Work } from './task';
import { Workload } from './workload';
import { workPlans } from './works';

/** The cost of one item in a work with many items, for the node. */
export interface GrowthResult {
	title: string;
	requests: number;
	/** Processor time. */
	millisecondsPerItem: number;
	/** Time per item, divided by that of the same work with fewer items (`comparedAmount`). Undefined for the smaller ones. */
	ratio?: number;
	kilobytesPerItem: number;
	blockMilliseconds: number;
}

const amounts = [1_000, 5_000, 20_000, 50_000];
const comparedAmount = 5_000;
/** Works with other numbers of items: records are read in large numbers, and records with rows are large. */
const otherAmounts: Partial<Record<Work, number[]>> = {
	wideItems: [5_000, 20_000, 100_000],
	manyFields: [2_500, 5_000],
	rowItems: [2_500],
	count: [1_500],
};
const kilobytesInMegabyte = 1024;

/** Measures the node with more and more items. */
export async function measureGrowth(isSmall: boolean): Promise<GrowthResult[]> {
	const results: GrowthResult[] = [];
	for (const work of grownWorks) {
		const times = new Map<number, number>();
		const small = [work === 'rowItems' ? 2_500 : 100];
		for (const amount of isSmall ? small : (otherAmounts[work] ?? amounts)) {
			const result = await measureWork(work, amount);
			const before = times.get(comparedAmount);
			times.set(amount, result.millisecondsPerItem);
			results.push({ ...result, ratio: before && result.millisecondsPerItem / before });
		}
	}
	return results;
}

async function measureWork(work: Work, amount: number): Promise<GrowthResult> {
	const workload = await Workload.start(work, amount, 1);
	try {
		const measured = await measure(workload, 'node', []);
		return {
			title: workPlans[work].title(amount),
			requests: measured.requests,
			millisecondsPerItem: measured.processorMilliseconds / amount,
			kilobytesPerItem: (measured.growthMegabytes * kilobytesInMegabyte) / amount,
			blockMilliseconds: measured.blockMilliseconds,
		};
	} finally {
		await workload.service.close();
	}
}
