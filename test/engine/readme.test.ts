import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offeredOperations } from './operations';

interface Section {
	heading: string;
	lines: string[];
}

/** What a page says of operations, beside what the node offers. */
function sectionsOf(page: string): Section[] {
	return readFileSync(join(__dirname, '../..', page), 'utf8')
		.split(/^#{2,3} /m)
		.map((section) => ({ heading: section.split('\n')[0] ?? '', lines: section.split('\n') }));
}

/** The operations of a section's tables, as `Resource: Operation`. */
function namedIn({ heading, lines }: Section): string[] {
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

const isExamples = ({ heading }: Section) => heading === 'By example';
const details = sectionsOf('nodes/SheetRecords/README.md');

it('names every operation on the first page, once', async () => {
	expect(sectionsOf('README.md').flatMap(namedIn).sort()).toEqual(await offered());
});

it('names every operation in the changelog, once', async () => {
	const changelog = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
	const named = [...changelog.matchAll(/`([A-Z][A-Za-z ]+: [A-Z][A-Za-z ]+)`/g)];
	expect(named.map(([, operation]) => operation).sort()).toEqual(await offered());
});

it("has an example of every operation on the node's page", async () => {
	expect(details.filter(isExamples).flatMap(namedIn).sort()).toEqual(await offered());
});

it("describes every operation on the node's page, once", async () => {
	const described = details.filter((section) => !isExamples(section)).flatMap(namedIn);
	expect(described.sort()).toEqual(await offered());
});
