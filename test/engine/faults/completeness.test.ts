import type { INodeProperties } from 'n8n-workflow';

import { packageName, packageTypes } from '../runner';
import { faultsOfFiles, operations, rowsOf } from './matrix';
import { faults } from './strike';
import { table } from './table';

/** Resource and operation of everything that the node offers. */
async function offered(): Promise<string[]> {
	const types = await packageTypes();
	const { properties } = types.getByNameAndVersion(`${packageName}.sheetRecords`).description;
	const choicesOf = ({ options = [] }: INodeProperties) =>
		options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) =>
			(property.displayOptions?.show?.resource ?? []).flatMap((resource) =>
				choicesOf(property).map((operation) => `${String(resource)}.${operation}`),
			),
		);
}

it('the matrix holds every operation that the node offers', async () => {
	const known = new Set(operations.map(({ operation }) => operation));
	expect([...known].sort()).toEqual([...(await offered()), 'trigger.activate'].sort());
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
