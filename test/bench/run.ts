import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print } from '../demo/display';
import { inTrustingProcess } from '../trustingProcess';
import { works, type Work } from './task';

const { values } = parseArgs({
	options: {
		/** A little of everything, to try the bench itself out. */
		small: { type: 'boolean', default: false },
		repetitions: { type: 'string', default: '5' },
		/** Names of works with commas between, `apart` for what is measured beside nothing. */
		only: { type: 'string', default: [...works, 'apart'].join(',') },
		/** Where results.json is written. */
		out: { type: 'string', default: join(tmpdir(), 'sheet-records-bench') },
	},
});

async function measureAll(chosen: string[]): Promise<number> {
	const { compare } = await import('./comparison');
	const { workPlans } = await import('./works');
	const { summary } = await import('./summary');
	const { measureParsing } = await import('./parsing');
	const { machine, printResults, writeResults } = await import('./output');

	const isChosen = (name: Work | 'apart') => chosen.includes(name);
	const comparisons = [];
	for (const work of works.filter(isChosen)) {
		const amount = workPlans[work][values.small ? 'small' : 'full'];
		print(`${workPlans[work].title(amount)} …`);
		comparisons.push(...summary(await compare(work, amount, Number(values.repetitions))));
		// Half an hour's work is not to be lost with what comes last.
		writeResults(values.out, { machine: machine(), comparisons, parsing: [] });
	}
	const parsing = isChosen('apart') ? await measureParsing(values.small ? 2 : 20) : [];
	const results = { machine: machine(), comparisons, parsing };
	print();
	printResults(results);
	writeResults(values.out, results);
	print(`Written: results.json in ${values.out}`);
	return 0;
}

void inTrustingProcess(__filename, async () => await measureAll(values.only.split(','))).then(
	(exitCode) => {
		process.exitCode = exitCode;
	},
);
