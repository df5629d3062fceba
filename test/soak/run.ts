import { parseArgs } from 'node:util';
import { print } from '../demo/display';
import { inTrustingProcess } from '../trustingProcess';

const { values } = parseArgs({
	options: {
		/** Maximum duration. The run ends earlier if it has done enough executions and deliveries. */
		minutes: { type: 'string', default: '10' },
		/** Runs for 75 seconds only, as a quick check. */
		short: { type: 'boolean', default: false },
	},
});

async function soakForAWhile(): Promise<number> {
	const minutes = values.short ? 1.25 : Number(values.minutes);
	if (!(minutes > 0)) throw new Error('--minutes takes a number above zero');
	const { soak } = await import('./soak');
	const problems = await soak(minutes);
	for (const problem of problems) print(`Wrong: ${problem}`);
	if (problems.length === 0) print('All is well: memory is flat, and nothing was left open.');
	return problems.length === 0 ? 0 : 1;
}

void inTrustingProcess(__filename, soakForAWhile).then((exitCode) => {
	process.exitCode = exitCode;
});
