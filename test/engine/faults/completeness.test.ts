import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offeredOperations, operationsToDo } from '../operations';
import { cellsOf, faultsOfFiles, operations, wayOf } from './matrix';
import { faults } from './strike';
import { table, type RequestKind, type Row } from './table';

it('the matrix contains every operation of the node', async () => {
	const offered = (await offeredOperations()).map(
		({ resource, operation }) => `${resource.value}.${operation.value}`,
	);
	const testedOperations = new Set(operations.map(({ operation }) => operation));
	const todo = 'add a case to test/engine/faults (HOW_TO, step 6)';
	expect(await operationsToDo((name) => testedOperations.has(name), todo)).toEqual([]);
	expect([...testedOperations].sort()).toEqual([...offered, 'trigger.activate'].sort());
	expect(testedOperations.size).toBeGreaterThan(28);
});

it('the matrix applies every fault of the table, in one file', () => {
	const named = table.map(({ fault }) => fault);
	expect([...faults.keys()]).toEqual(named);
	expect(new Set(named).size).toBe(named.length);
	const beginnings = Object.values(faultsOfFiles).flat();
	for (const fault of named) {
		expect([fault, beginnings.filter((beginning) => fault.startsWith(beginning))]).toEqual([
			fault,
			[expect.any(String)],
		]);
	}
	for (const file of Object.keys(faultsOfFiles)) {
		expect(readFileSync(join(__dirname, `${file}.test.ts`), 'utf8')).toContain(
			`testMatrix('${file}'`,
		);
	}
});

it('every request that changes something has a way to check whether the change was made', () => {
	const blind = operations.filter(
		({ requests, changes, changesInAll }) =>
			requests.some(({ kind }) => kind === 'changes') && (!changes || changesInAll === 0),
	);
	expect(blind).toEqual([]);
});

const cells = table.flatMap(cellsOf);
const kinds: RequestKind[] = ['reads', 'downloads', 'looksUpFields', 'changes', 'polls'];

it('every fault strikes every kind of request that it can strike', () => {
	for (const row of table) {
		const met = new Set(
			cells.filter((cell) => cell.row === row).map(({ request }) => request.kind),
		);
		expect(kinds.filter((kind) => met.has(kind))).toEqual(
			kinds.filter((kind) => row[kind] !== '—'),
		);
	}
});

it('every request is struck by a fault of each outcome, except for an answer that is only slow', () => {
	for (const { operation, requests } of operations) {
		for (const request of requests) {
			const waysUnder = (rows: readonly Row[]) =>
				new Set(rows.filter(isTelling(request.kind)).map((row) => wayOf(request, row)));
			const met = cells.filter((cell) => cell.request === request).map(({ row }) => row);
			expect([operation, request.name, waysUnder(met)]).toEqual([
				...[operation, request.name],
				waysUnder(table),
			]);
		}
	}
});

it('every outcome that can differ when a fault lasts is tested with a single fault and a lasting one', () => {
	for (const kind of kinds) {
		const ofKind = cells.filter(({ request }) => request.kind === kind);
		for (const outcome of ['repeated', 'renewed', 'polledOn']) {
			const met = ofKind.filter(({ row }) => row[kind] === outcome);
			const ways = new Set(met.map(({ isLasting }) => isLasting));
			expect([kind, outcome, ways.size]).toEqual([kind, outcome, met.length === 0 ? 0 : 2]);
		}
	}
});

function isTelling(kind: RequestKind): (row: Row) => boolean {
	return (row) => !['—', 'accepted'].includes(row[kind]);
}
