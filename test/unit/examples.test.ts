import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../workflows');

it('the index of the examples lists each of them once, by its name', () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const examples = files.filter((path) => path.endsWith('.json'));
	const index = readFileSync(join(folder, 'README.md'), 'utf8');
	const listed = [...index.matchAll(/^\| \[(.+?)\]\((.+?\.json)\)/gm)].map(([, name, path]) => [
		path,
		name,
	]);
	const expected = examples.map((path) => {
		const { name }: { name: string } = JSON.parse(readFileSync(join(folder, path), 'utf8'));
		return [path, name];
	});
	expect(listed.sort()).toEqual(expected.sort());
});
