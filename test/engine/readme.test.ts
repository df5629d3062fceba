import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { offeredOperations } from './offeredOperations';

/** What the README says of operations, beside what the node offers. */
const sections = readFileSync(join(__dirname, '../../README.md'), 'utf8')
	.split(/^#{2,3} /m)
	.map((section) => ({ heading: section.split('\n')[0] ?? '', lines: section.split('\n') }));

/** The operations of a section's tables, as `Resource: Operation`. */
function namedIn({ heading, lines }: (typeof sections)[number]): string[] {
	const cells = lines.map((line) => line.split('|')[1]?.trim() ?? '');
	return tableOf(cells).flatMap((cell) => {
		const [resource, operations] = cell.includes(': ')
			? cell.split(': ')
			: [heading.split(' and ')[0], cell];
		return (operations ?? '').split(', ').map((operation) => `${resource}: ${operation}`);
	});
}

/** The first cells of the table whose heading is `Operation`. */
function tableOf(cells: string[]): string[] {
	const start = cells.indexOf('Operation');
	if (start === -1) return [];
	const rows = cells.slice(start + 2);
	const end = rows.indexOf('');
	return end === -1 ? rows : rows.slice(0, end);
}

async function offered(): Promise<string[]> {
	const operations = await offeredOperations();
	return operations.map(({ resource, operation }) => `${resource.name}: ${operation.name}`).sort();
}

const isExamples = ({ heading }: (typeof sections)[number]) => heading === 'By example';

it('has an example of every operation', async () => {
	expect(sections.filter(isExamples).flatMap(namedIn).sort()).toEqual(await offered());
});

it('describes every operation, once', async () => {
	const described = sections.filter((section) => !isExamples(section)).flatMap(namedIn);
	expect(described.sort()).toEqual(await offered());
});
