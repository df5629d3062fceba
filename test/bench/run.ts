import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print } from '../demo/display';
import { inTrustingProcess } from '../trustingProcess';
import { works, type Work } from './task';

/** Measurements without other clients: the parsers, work against a service that answers late, and work with many items. */
type Part = 'apart' | 'latency' | 'growth';

const { values } = parseArgs({
	options: {
		/** Runs small amounts only, to test the benchmark itself. */
		small: { type: 'boolean', default: false },
		repetitions: { type: 'string', default: '5' },
		/** Number of items before the measurement, for processes that have run the node before, as n8n has. For `create` and `upsert`. */
		'warm-up': { type: 'string', default: '1' },
		/** Comma-separated names of workloads, or of the parts without other clients: `apart`, `latency`, `growth`. */
		only: { type: 'string', default: [...works, 'apart'].join(',') },
		/** Folder of results.json. */
		out: { type: 'string', default: join(tmpdir(), 'sheet-records-bench') },
	},
});

async function measureAll(chosen: string[]): Promise<number> {
	const { compare } = await import('./comparison');
	const { workPlans } = await import('./works');
	const { summary } = await import('./summary');
	const { measureParsing } = await import('./parsing');
	const { measureLatencies } = await import('./latency');
	const { measureGrowth } = await import('./growth');
	const { machine, printResults, writeResults } = await import('./output');

	const empty = { parsing: [], latencies: [], growth: [] };
	const isChosen = (name: Work | Part) => chosen.includes(name);
	const comparisons = [];
	for (const work of works.filter(isChosen)) {
		const amount = workPlans[work][values.small ? 'small' : 'full'];
		print(`${workPlans[work].title(amount)} …`);
		comparisons.push(
			...summary(
				await compare(work, amount, Number(values.repetitions), Number(values['warm-up'])),
			),
		);
		// Save the results after each workload, so that a later failure does not lose half an hour of measurements.
		writeResults(values.out, { ...empty, machine: machine(), comparisons });
	}
	const parsing = isChosen('apart') ? await measureParsing(values.small ? 2 : 20) : [];
	const latencies = isChosen('latency') ? await measureLatencies(values.small) : [];
	const growth = isChosen('growth') ? await measureGrowth(values.small) : [];
	const results = { machine: machine(), comparisons, parsing, latencies, growth };
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
