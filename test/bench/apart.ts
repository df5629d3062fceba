import { childProcess, said } from './childProcess';
import { measureGrowth, type GrowthResult } from './growth';
import { measureRateLimit, type RateLimitResult } from './rateLimit';
import { measureLoading, type LoadingResult } from './loading';
import { measureParsing, type ParsingResult } from './parsing';

/** What is measured beside nothing. */
export interface Apart {
	parsing: ParsingResult[];
	growth: GrowthResult[];
	rateLimit: RateLimitResult[];
	loading: LoadingResult[];
}

/** How much of it. */
interface ApartAmounts {
	pageMegabytes: number;
	itemCounts: number[];
	limitedRequests: number;
}

/** Measures in a process of its own. */
export async function measureApart(amounts: ApartAmounts): Promise<Apart> {
	return await said<Apart>(childProcess('apart.ts', amounts));
}

async function work({ pageMegabytes, itemCounts, limitedRequests }: ApartAmounts): Promise<Apart> {
	const growth = await measureGrowth(itemCounts);
	const parsing = await measureParsing(pageMegabytes);
	const rateLimit = [
		await measureRateLimit(5, limitedRequests),
		await measureRateLimit(0, limitedRequests),
	];
	return { growth, parsing, rateLimit, loading: measureLoading() };
}

if (require.main === module) {
	process.once('message', (amounts: ApartAmounts) => {
		void work(amounts).then((apart) => process.send?.(apart, () => process.exit(0)));
	});
}
