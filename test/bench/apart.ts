import { childProcess, said } from './childProcess';
import { measureGrowth, type GrowthResult } from './growth';
import { measurePace, type PaceResult } from './pace';
import { measureLoading, type LoadingResult } from './loading';
import { measureParsing, type ParsingResult } from './parsing';

/** What is measured beside nothing. */
export interface Apart {
	parsing: ParsingResult[];
	growth: GrowthResult[];
	pace: PaceResult[];
	loading: LoadingResult[];
}

/** How much of it. */
interface ApartAmounts {
	pageMegabytes: number;
	itemCounts: number[];
	pacedRequests: number;
}

/** Measures in a process of its own. */
export async function measureApart(amounts: ApartAmounts): Promise<Apart> {
	return await said<Apart>(childProcess('apart.ts', amounts));
}

async function work({ pageMegabytes, itemCounts, pacedRequests }: ApartAmounts): Promise<Apart> {
	const growth = await measureGrowth(itemCounts);
	const parsing = await measureParsing(pageMegabytes);
	const pace = [await measurePace(5, pacedRequests), await measurePace(0, pacedRequests)];
	return { growth, parsing, pace, loading: measureLoading() };
}

if (require.main === module) {
	process.once('message', (amounts: ApartAmounts) => {
		void work(amounts).then((apart) => process.send?.(apart, () => process.exit(0)));
	});
}
