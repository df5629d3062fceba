import { amount } from '../../amount';
import { startReferenceService, type ReferenceService } from '../../service';
import { timeLimit } from '../../timeLimit';
import { readingOperations } from './readingOperations';
import { runCell, type Cell, type Outcome } from './cell';
import { changingOperations } from './changingOperations';
import { expectOutcome } from './expectOutcome';
import { useSkippingClock } from '../clock';
import { useNetwork } from './network';
import type { OperationCase, StruckRequest } from './operation';
import { operationsInSteps } from './operationsInSteps';
import { operationsWithOptions } from './operationsWithOptions';
import { Progress } from './progress';
import { registration } from './registration';
import { table, type RequestKind, type Row } from './table';

export const operations: readonly OperationCase[] = [
	...readingOperations,
	...changingOperations,
	...operationsInSteps,
	...operationsWithOptions,
	registration,
];

/** Maximum number of cells that run at the same time. While some cells wait, others work. */
const maxAtOnce = 32;

/** Outcomes that a lasting fault does not change. */
const atOnce = ['uncertain', 'refused', 'accepted'];

/** Test files, each with the first words of its faults. */
export const faultsOfFiles = {
	connection: ['connection', 'reset', 'answer cut', 'half an answer'],
	frequency: ['HTTP 4', 'code 204', 'queue'],
	outOfOrder: ['HTTP 5', 'code 203', 'web page', 'redirect'],
	silence: ['slow', 'hanging', 'answer that stops'],
	session: ['session'],
};

/** Returns the rows of the table that a file tests. */
export function rowsOf(file: keyof typeof faultsOfFiles): Row[] {
	const beginnings = faultsOfFiles[file];
	return table.filter(({ fault }) => beginnings.some((beginning) => fault.startsWith(beginning)));
}

/** Defines a test for each cell in the rows of a file. */
export function testMatrix(file: keyof typeof faultsOfFiles, factor?: number): void {
	const rows = rowsOf(file);
	const clock = useSkippingClock(factor);
	const network = useNetwork();
	let elsewhere: ReferenceService;
	beforeAll(async () => {
		elsewhere = await startReferenceService({ demoRecords: 10 });
	});
	afterAll(async () => await elsewhere.close());

	const cellsOfRows = new Map(rows.map((row) => [row, cellsOf(row)]));
	const outcomes = new Map<Cell, Outcome | Error>();
	beforeAll(async () => {
		const progress = new Progress();
		const surroundings = { clock, network: network(), elsewhere: elsewhere.baseUrl };
		const waiting = [...cellsOfRows.values()].flat();
		const work = async () => {
			for (let cell = waiting.shift(); cell && !progress.hasStopped; cell = waiting.shift()) {
				outcomes.set(cell, await runCell(cell, surroundings, progress).catch(asError));
			}
		};
		await Promise.all(Array.from({ length: maxAtOnce }, work));
		progress.end();
		// The time limit is high for thousands of cells. `Progress` detects a hang earlier.
	}, timeLimit(600));

	describe.each(rows.map((row) => [row.fault, row] as const))('%s', (_, row) => {
		const cells = cellsOfRows.get(row) ?? [];

		it.each(cells.map((cell) => [nameOf(cell), cell] as const))('%s', (_name, cell) => {
			const outcome = outcomes.get(cell);
			if (!outcome || outcome instanceof Error) throw outcome ?? new Error('It was not run');
			expectOutcome(cell, outcome, clock);
		});

		it('sends nothing to another host', () => {
			expect(elsewhere.requests.count).toBe(0);
		});
	});
}

/**
 * The first request of each kind is struck by all faults. Each other request is struck by one fault of each outcome, except by an
 * answer that is only slow; in long runs, by a third of all faults, and in weekly runs by all. Single and lasting faults alternate.
 */
export function cellsOf(row: Row): Cell[] {
	const turns = new Map<RequestKind, number>();
	return operations.flatMap((operation) =>
		operation.requests.flatMap((request) => {
			const turn = turns.get(request.kind) ?? 0;
			turns.set(request.kind, turn + 1);
			const met = metBy(request, row);
			const outcome = met[request.kind];
			const alike = table.filter((other) => wayOf(request, other) === wayOf(request, row));
			const isDue = turn === 0 || (outcome !== 'accepted' && alike[turn % alike.length] === row);
			const isOfThird = turn % 3 === table.indexOf(row) % 3;
			if (outcome === '—' || !amount(isDue, isDue || isOfThird, true)) return [];
			const isOdd = (turn === 0 ? table.indexOf(row) : turn) % 2 === 1;
			const isLasting = isOdd && !atOnce.includes(outcome);
			return [{ row: met, operation, request, isLasting }];
		}),
	);
}

/**
 * Returns the row for a request. The queue accepts only GET requests, so a change by GET has the outcome of the same answer
 * without a queue.
 */
function metBy({ isByGet }: StruckRequest, row: Row): Row {
	const alone = table.find(({ fault }) => row.fault.startsWith(`queue full, ${fault.slice(0, 8)}`));
	return isByGet && alone ? { ...row, changes: alone.changes } : row;
}

/** Returns the behavior of a request after a fault: its effect and its error. */
export function wayOf({ kind, isLookedFor }: StruckRequest, row: Row): string {
	return [row[kind], isLookedFor && row.work].join(' ');
}

function nameOf({ row, operation, request, isLasting }: Cell): string {
	const name = [operation.operation, operation.variant].filter(Boolean).join(' ');
	const often = isLasting ? 'always' : 'once';
	return `${name} ${request.name}: ${row[request.kind]} (${often})`;
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
