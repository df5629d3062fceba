import { offeredOperations } from '../offeredOperations';
import { cellsOf, faultsOfFiles, operations, rowsOf } from './matrix';
import { faults } from './strike';
import { table, type RequestKind } from './table';

it('the matrix holds every operation that the node offers', async () => {
	const offered = (await offeredOperations()).map(
		({ resource, operation }) => `${resource.value}.${operation.value}`,
	);
	const known = new Set(operations.map(({ operation }) => operation));
	expect([...known].sort()).toEqual([...offered, 'trigger.activate'].sort());
	expect(known.size).toBeGreaterThan(28);
});

it('the matrix brings about every fault of the table, in one file', () => {
	const named = table.map(({ fault }) => fault);
	expect([...faults.keys()]).toEqual(named);
	expect(new Set(named).size).toBe(named.length);
	const files: Array<keyof typeof faultsOfFiles> = [
		'connection',
		'frequency',
		'outOfOrder',
		'silence',
		'session',
	];
	expect(files.sort()).toEqual(Object.keys(faultsOfFiles).sort());
	expect(files.flatMap((file) => rowsOf(file).map(({ fault }) => fault)).sort()).toEqual(
		[...named].sort(),
	);
});

it('every request that changes something has a way to see whether it was done', () => {
	const blind = operations.filter(
		({ requests, changes, changesInAll }) =>
			requests.some(({ kind }) => kind === 'changes') && (!changes || changesInAll === 0),
	);
	expect(blind).toEqual([]);
});

const kinds: RequestKind[] = ['asks', 'fetches', 'looksUp', 'changes', 'watches'];

it('every fault meets every kind of request that it can meet', () => {
	for (const row of table) {
		const met = new Set(cellsOf(row).map(({ request }) => request.kind));
		expect(kinds.filter((kind) => met.has(kind))).toEqual(
			kinds.filter((kind) => row[kind] !== '—'),
		);
	}
});

it('every request meets a fault of every outcome that its kind may have', () => {
	const cells = table.flatMap(cellsOf);
	for (const { operation, requests } of operations) {
		for (const request of requests) {
			const due = new Set(table.map((row) => row[request.kind]).filter((end) => end !== '—'));
			const met = cells.filter((cell) => cell.request === request);
			const outcomes = new Set(met.map(({ row }) => row[request.kind]));
			expect([operation, outcomes]).toEqual([operation, due]);
		}
	}
});
