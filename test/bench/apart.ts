import { fork } from 'node:child_process';
import { join } from 'node:path';

import { measureGrowth, type GrowthResult } from './growth';
import { measurePace, type PaceResult } from './pace';
import { measureParsing, type ParsingResult } from './parsing';

/** What is measured beside nothing. */
export interface Apart {
	parsing: ParsingResult[];
	growth: GrowthResult[];
	pace: PaceResult[];
}

/** How much of it. */
export interface ApartAmounts {
	pageMegabytes: number;
	itemCounts: number[];
	pacedRequests: number;
}

/** Measures in a process of its own, which nothing has warmed up or filled. */
export async function measureApart(amounts: ApartAmounts): Promise<Apart> {
	return await new Promise((resolve, reject) => {
		const child = fork(join(__dirname, 'apart.ts'), { execArgv: process.execArgv });
		child.once('message', (apart: Apart) => resolve(apart));
		child.once('exit', (exitCode) => reject(new Error(`The process ended with ${exitCode}`)));
		child.send(amounts);
	});
}

async function work({ pageMegabytes, itemCounts, pacedRequests }: ApartAmounts): Promise<Apart> {
	const growth = await measureGrowth(itemCounts);
	const parsing = await measureParsing(pageMegabytes);
	const pace = [await measurePace(5, pacedRequests), await measurePace(0, pacedRequests)];
	return { growth, parsing, pace };
}

if (require.main === module) {
	process.once('message', (amounts: ApartAmounts) => {
		void work(amounts).then((apart) => process.send?.(apart, () => process.exit(0)));
	});
}
