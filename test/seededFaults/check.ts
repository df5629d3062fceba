import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { faults, type Fault } from './faults';

const root = resolve(__dirname, '../..');

const testFiles = ['test/unit', 'test/engine'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.test.ts'))
		.map((name) => join(folder, name).split(sep).join('/')),
);

/** Returns the reasons why faults cannot be seeded: their text is not in the source exactly once, or their tests are gone. */
export function unplantable(): string[] {
	const names = faults.map(({ name }) => name);
	const doubled = names.filter((name, index) => names.indexOf(name) !== index);
	return [
		...doubled.map((name) => `Two faults have the name: ${name}`),
		...faults.flatMap(problems),
	];
}

function problems({ name, file, find, replace, area }: Fault): string[] {
	const count = readFileSync(join(root, file), 'utf8').split(find).length - 1;
	const missing = area.filter(
		(pattern) => !testFiles.some((test) => new RegExp(pattern).test(test)),
	);
	return [
		...(count === 1 ? [] : [`${file} has the text ${count} times: ${name}`]),
		...(replace === find ? [`The replacement changes nothing: ${name}`] : []),
		...(area.length === 0 ? [`No tests are named: ${name}`] : []),
		...missing.map((pattern) => `There is no test ${pattern}: ${name}`),
	];
}
