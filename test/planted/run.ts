import { print } from '../demo/display';
import { CheckoutCopy } from './checkoutCopy';
import { faults, type Fault } from './faults';

type Verdict = 'caught' | 'notCaught' | 'error';

/** Plants the faults whose name or file has one of the words, one after the other. Answers the exit code. */
async function plantAll(words: readonly string[]): Promise<number> {
	const chosen = faults.filter(
		({ name, file }) =>
			words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
	);
	const copy = new CheckoutCopy();
	process.once('exit', () => copy.remove());
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
	await copy.make();
	const verdicts: Verdict[] = [];
	for (const fault of chosen) verdicts.push(await plant(copy, fault));
	const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
	const errors = count('error');
	print(
		`${count('caught')} caught, ${count('notCaught')} not caught${errors > 0 ? `, ${errors} could not be tried` : ''}`,
	);
	return chosen.length > 0 && count('caught') === chosen.length ? 0 : 1;
}

async function plant(copy: CheckoutCopy, fault: Fault): Promise<Verdict> {
	const begun = performance.now();
	const tell = (verdict: Verdict, words: string) => {
		const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5);
		print(`${seconds} s  ${fault.file}: ${fault.name} ${words}`);
		return verdict;
	};
	try {
		const suites = await copy.suitesThatCatch(fault);
		return suites.length > 0
			? tell('caught', `Caught by ${suites.join(', ')}`)
			: tell('notCaught', 'NOT CAUGHT');
	} catch (error) {
		return tell('error', `COULD NOT BE TRIED: ${error instanceof Error ? error.message : error}`);
	}
}

void plantAll(process.argv.slice(2)).then(
	(exitCode) => {
		process.exitCode = exitCode;
	},
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	},
);
