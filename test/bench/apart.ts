import { childProcess, said } from './childProcess';
import { measureParsing, type ParsingResult } from './parsing';

/** What is measured beside nothing. */
export interface Apart {
	parsing: ParsingResult[];
}

/** Measures in a process of its own. */
export async function measureApart(pageMegabytes: number): Promise<Apart> {
	return await said<Apart>(childProcess('apart.ts', { pageMegabytes }));
}

if (require.main === module) {
	process.once('message', ({ pageMegabytes }: { pageMegabytes: number }) => {
		void measureParsing(pageMegabytes).then((parsing) => {
			const apart: Apart = { parsing };
			process.send?.(apart, () => process.exit(0));
		});
	});
}
