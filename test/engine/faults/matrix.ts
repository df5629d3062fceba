import { amount } from '../../amount';
import { startReferenceService, type ReferenceService } from '../../service';
import { askingOperations } from './askingOperations';
import { runCell, type Cell, type Outcome } from './cell';
import { changingOperations } from './changingOperations';
import { expectOutcome } from './expectOutcome';
import { useSkippingClock } from '../clock';
import { useNetwork } from './network';
import type { OperationCase } from './operation';
import { operationsInSteps } from './operationsInSteps';
import { registration } from './registration';
import { table, type RequestKind, type Row } from './table';

/** Every operation of the node. */
export const operations: readonly OperationCase[] = [
	...askingOperations,
	...changingOperations,
	...operationsInSteps,
	registration,
];

/** How many cells run at the same time: while one waits, another one works. */
const mostAtOnce = 32;

/** Outcomes of which one strike tells as much as many. */
const atOnce = ['doubt', 'refused', 'answered'];

/** What must be the same of two faults for one to tell as much as the other. */
const ends = ['work', 'asks', 'fetches', 'looksUp', 'changes', 'watches'] as const;

/** The files of tests, and how the faults begin that each of them brings about. */
export const faultsOfFiles = {
	connection: ['connection', 'reset', 'answer cut', 'half an answer'],
	frequency: ['HTTP 4', 'code 204', 'queue'],
	outOfOrder: ['HTTP 5', 'code 203', 'web page', 'redirect'],
	silence: ['slow', 'hanging', 'answer that stops'],
	session: ['session'],
};

/** The lines of the table that belong to a file. */
export function rowsOf(file: keyof typeof faultsOfFiles): Row[] {
	const beginnings = faultsOfFiles[file];
	return table.filter(({ fault }) => beginnings.some((beginning) => fault.startsWith(beginning)));
}

/** Makes a test of each cell in the lines of the table that belong to a file. */
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
		const surroundings = { clock, network: network(), elsewhere: elsewhere.baseUrl };
		const waiting = [...cellsOfRows.values()].flat();
		const work = async () => {
			for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
				outcomes.set(cell, await runCell(cell, surroundings).catch(asError));
			}
		};
		await Promise.all(Array.from({ length: mostAtOnce }, work));
	}, 600_000);

	describe.each(rows.map((row) => [row.fault, row] as const))('%s', (_, row) => {
		const cells = cellsOfRows.get(row) ?? [];

		it.each(cells.map((cell) => [nameOf(cell), cell] as const))('%s', (_name, cell) => {
			const outcome = outcomes.get(cell);
			if (!outcome || outcome instanceof Error) throw outcome ?? new Error('It was not run');
			expectOutcome(cell, outcome, clock);
		});

		it('tells no other host anything', () => {
			expect(elsewhere.requests.count).toBe(0);
		});
	});
}

/**
 * One request of each kind meets all faults, and one of those that end alike both once and always. Of these every
 * other request meets one. The rest come once or always, in turn; all of them, both ways, where time is given.
 */
export function cellsOf(row: Row): Cell[] {
	const alike = table.filter((other) => endAlike(row, other));
	const turns = new Map<RequestKind, number>();
	return operations.flatMap((operation) =>
		operation.requests.flatMap((request) => {
			const turn = turns.get(request.kind) ?? 0;
			turns.set(request.kind, turn + 1);
			const outcome = row[request.kind];
			const isDue = turn === 0 || alike[turn % alike.length] === row;
			if (outcome === '—' || !amount(isDue, true)) return [];
			const isSame = atOnce.includes(outcome);
			const isOdd = (turn + table.indexOf(row)) % 2 === 1;
			const both = turn === 0 && alike[0] === row ? [false, true] : amount([isOdd], [false, true]);
			return (isSame ? [false] : both).map((isLasting) => ({
				...{ row, operation, request, isLasting },
			}));
		}),
	);
}

function endAlike(one: Row, other: Row): boolean {
	return ends.every((end) => one[end] === other[end]);
}

function nameOf({ row, operation, request, isLasting }: Cell): string {
	const name = [operation.operation, operation.variant].filter(Boolean).join(' ');
	const often = isLasting ? 'always' : 'once';
	return `${name} ${request.name}: ${row[request.kind]} (${often})`;
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
