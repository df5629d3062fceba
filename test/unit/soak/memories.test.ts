import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const nodes = join(__dirname, '../../../nodes');
const readme = readFileSync(join(__dirname, '../../soak/README.md'), 'utf8');

/** Empty when the file is loaded, so it is filled while the process lives. */
const memory = /^(?:export )?const (\w+)[^=\n]* = new (?:Map|Set|RememberedLists)\b.*\(\);$/gm;

function memoriesOf(file: string): string[] {
	const source = readFileSync(join(nodes, file), 'utf8');
	return [...source.matchAll(memory)].map(([, name]) => `${file} ${name}`);
}

/** The file and each name of a line of the table. */
function memoriesInLine(line: string): string[] {
	const [, file, names] = /^\| `([^`]+\.ts)` *\| ([^|:]*):/.exec(line) ?? [];
	if (!file || !names) return [];
	return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${file} ${name}`);
}

it('tells the bound of all that a process remembers', () => {
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' });
	const found = files.filter((file) => file.endsWith('.ts')).flatMap(memoriesOf);
	expect(found).toContain('api/http/rateLimiter.ts accounts');
	expect(readme.split('\n').flatMap(memoriesInLine).sort()).toEqual(found.sort());
});
