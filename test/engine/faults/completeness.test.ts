import { offeredOperations } from '../offeredOperations';
import { faultsOfFiles, operations, rowsOf } from './matrix';
import { faults } from './strike';
import { table } from './table';

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
