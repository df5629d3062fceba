import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offeredOperations } from './operations';

const page = readFileSync(join(__dirname, '../../nodes/SheetRecords/README.md'), 'utf8');

/**
 * Returns the operations in the table of the page, as `Resource: Operation`. A row may list several operations of one resource.
 */
function operationsInTable(): string[] {
	const [, section = ''] = page.split(/^## Operations$/m);
	const [table = ''] = section.split(/^## /m);
	const cells = [...table.matchAll(/^\| ([A-Z][\w ]+: [^|]+) \|/gm)];
	return cells.flatMap(([, cell = '']) => {
		const [resource, operations = ''] = cell.trim().split(': ');
		return operations.split(', ').map((operation) => `${resource}: ${operation}`);
	});
}

it("the node's page describes every operation once", async () => {
	const operations = await offeredOperations();
	const offered = operations.map(
		({ resource, operation }) => `${resource.name}: ${operation.name}`,
	);
	const rows = operationsInTable();
	const without = offered.filter((operation) => !rows.includes(operation));
	expect(
		without.map((operation) => `${operation}: add a row to the operations table (HOW_TO, step 8)`),
	).toEqual([]);
	expect(rows.sort()).toEqual(offered.sort());
});
