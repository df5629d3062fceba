import { NoAnswer } from './client';
import { questions, type Finding, type Point, type Question } from './questions';
import { NotAsked, type Leftovers, type ScratchSheet } from './scratchSheet';

/** An open point with the finding, or with the reason why the probe could not ask. */
export type Row = { about?: Point | undefined; point: string } & (Finding | { notAsked: string });

export interface ProbeResult {
	rows: Row[];
	left: Leftovers;
}

/** Asks all questions in sequence, unless the service stops responding. Deletes the records of the probe afterwards. */
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

/** Whether all records of the probe have certainly been deleted. */
export function isClean({ left }: Pick<ProbeResult, 'left'>): boolean {
	return left.addresses.length === 0 && left.unknown.length === 0;
}
