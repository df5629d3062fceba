import type { Cell, Outcome } from './cell';
import type { Clock } from '../clock';

const maxAttempts = 5;
/** Maximum number of attempts of a request that is rejected as too frequent. */
const maxRefusals = 8;
const doubt = 'It is unknown whether the change was made. It was not sent again';
/** Bounds of the time-outs, in ms. Answers to large requests may take as long as the first. */
const spikeMilliseconds = 35_000;
const endlessMilliseconds = 600_000;

interface Demand {
	/** Number of times that the request is sent; undefined for any number. */
	sent?: number;
	succeeds: boolean;
	/** Whether the items come without the file, and `_warning` says why. */
	isWarned?: boolean;
	/** Whether the error says that the outcome is unknown. */
	inDoubt?: boolean;
	says?: RegExp[];
}

/** Compares the outcome of a cell with the expectation in the table. */
export function expectOutcome(cell: Cell, outcome: Outcome, clock: Clock): void {
	const demand = demandOf(cell);
	const { items, error, sent, changes, expectedItems, patience } = outcome;
	if (demand.sent !== undefined) {
		expect(sent).toBe(demand.sent + (demand.succeeds ? (cell.request.alsoSent ?? 0) : 0));
	}
	expect(patience).toBeGreaterThan(spikeMilliseconds);
	expect(patience).toBeLessThan(endlessMilliseconds);
	if (cell.row.fault === 'slow answer') {
		// Timers may fire slightly early.
		expect(outcome.longest).toBeGreaterThan(clock.real(spikeMilliseconds) - 5);
	}
	if (demand.succeeds) {
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject(expectedItems);
		expect(items).toHaveLength(expectedItems.length);
		expect(outcome.isFileWhole).not.toBe(false);
		if (demand.isWarned) expect(items[0]?.json._warning).toMatch(cell.row.says);
		expect(changes).toBe(cell.operation.changesInAll);
		return;
	}
	expect(items).toEqual([]);
	expectError(cell, demand, error);
	expect(changes).toBe(changesAfterFailure(cell));
}

function expectError(cell: Cell, demand: Demand, error: Outcome['error']): void {
	expect(error?.name).toMatch(/^Node(Api|Operation)Error$/);
	const words = `${error?.message} ${error?.description}`;
	for (const text of [saidOfFault(cell), ...(demand.says ?? [])].flat()) {
		expect(words).toMatch(text);
	}
	if (demand.inDoubt) {
		expect(words).toContain(doubt);
		expect(words).not.toMatch(/try again later/i);
	} else expect(words).not.toContain('unknown whether');
}

function saidOfFault({ row, request }: Cell): RegExp[] {
	const outcome = row[request.kind];
	// The time limit, not the fault, ended the wait.
	if (outcome === 'polledOn') return [];
	return [
		row.says,
		...(request.alsoSays ? [request.alsoSays(outcome)] : []),
		...(request.kind === 'polls' ? [/Waited for the task [-\w]+ \(last state: /] : []),
	];
}

function demandOf({ row, request, isLasting }: Cell): Demand {
	const outcome = row[request.kind];
	// A change that was made is found by a look-up, even if its answer was lost.
	if (request.isLookedFor && row.work === 'done') return { sent: 1, succeeds: true };
	switch (outcome) {
		case 'repeated':
			return isLasting ? givenUpAfter(attemptsOf(row.fault)) : { sent: 2, succeeds: true };
		case 'renewed':
			return { sent: 2, succeeds: !isLasting };
		case 'uncertain':
			return { sent: 1, succeeds: false, inDoubt: true };
		case 'refused':
			if (request.isNamedInWarning) return { sent: 1, succeeds: true, isWarned: true };
			return { sent: 1, succeeds: false };
		case 'namesTask':
			return { sent: 1, succeeds: false };
		case 'accepted':
			return { sent: 1, succeeds: true };
		case 'otherSource':
			return { sent: 1, succeeds: true };
		case 'polledOn':
			return {
				succeeds: !isLasting,
				says: [/The task [-\w]+ has not ended within 20 seconds/, /The task goes on/],
			};
		case '—':
			throw new Error('This cell is empty');
	}
}

function attemptsOf(fault: string): number {
	return /429|204/.test(fault) ? maxRefusals : maxAttempts;
}

function givenUpAfter(attempts: number): Demand {
	return { sent: attempts, succeeds: false, says: [new RegExp(`Tried ${attempts} times`)] };
}

/** Returns the number of earlier changes, plus this change if the service carried it out. */
function changesAfterFailure({ row, request }: Cell): number {
	const { changesBefore = 0, kind } = request;
	return changesBefore + (kind === 'changes' && row.work === 'done' ? 1 : 0);
}
