import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, property, type Arbitrary } from 'fast-check';
import { amount, runs } from '../../amount';
import { timeLimit } from '../../timeLimit';

/**
 * Duration of each search in seconds. With 0, a search has a fixed number of runs, regardless of the speed of the machine.
 */
const seconds = Number(process.env.FUZZ_SECONDS ?? amount(0, 2));

// A search may take hours.
jest.setTimeout(timeLimit(15 + seconds));

/**
 * Searches for a text for which `examine` throws. Tries the stored texts first. A text that is found is added to them, and
 * should be committed with the fix.
 */
export function fuzz(
	name: string,
	texts: Arbitrary<string>,
	examine: (text: string) => void,
): void {
	const file = join(__dirname, 'kept', `${name}.json`);
	const kept = keptTexts(file);
	for (const text of kept) examine(text);
	const limits =
		seconds > 0
			? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 }
			: { numRuns: runs(500) };
	const found = check(property(texts, examine), limits);
	if (!found.failed) {
		expect(found.numRuns).toBeGreaterThan(0);
		return;
	}
	const [text = ''] = found.counterexample ?? [];
	writeFileSync(file, `${JSON.stringify([...kept, text], null, '\t')}\n`);
	throw new Error(
		`Seed ${found.seed}, path ${found.counterexamplePath}: ${JSON.stringify(text)}\n${String(found.errorInstance)}`,
	);
}

function keptTexts(file: string): string[] {
	const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
	return Array.isArray(kept) ? kept.map(String) : [];
}
