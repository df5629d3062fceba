import { NoAnswer } from './client';
import { questions, type Finding, type Point, type Question } from './questions';
import { NotAsked, type Leftovers, type ScratchSheet } from './scratchSheet';

/** One open point with what was seen, or with the reason why it was not asked. */
export type Row = { about?: Point | undefined; point: string } & (Finding | { notAsked: string });

export interface ProbeResult {
	rows: Row[];
	left: Leftovers;
}

/** One question after the other; none once the service has given no answer. Then its records are deleted. */
export async function probe(
	sheet: ScratchSheet,
	asked: readonly Question[] = questions,
): Promise<ProbeResult> {
	const rows: Row[] = [];
	let silence: string | undefined;
	for (const { about, point, ask } of asked) {
		try {
			if (silence !== undefined) throw new NotAsked(silence);
			rows.push({ about, point, ...(await ask(sheet)) });
		} catch (error) {
			if (error instanceof NoAnswer) silence = `the service gave no answer: ${error.message}`;
			else if (!(error instanceof NotAsked)) throw error;
			rows.push({ about, point, notAsked: silence ?? error.message });
		}
	}
	return { rows, left: await sheet.cleanUp() };
}

/** Whether nothing is left of the probe, for sure. */
export function isClean({ left }: Pick<ProbeResult, 'left'>): boolean {
	return left.addresses.length === 0 && left.unknown.length === 0;
}
