import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { faults } from '../planted/faults';

const root = resolve(__dirname, '../..');

const testFiles = ['test/unit', 'test/engine'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.test.ts'))
		.map((name) => join(folder, name).split(sep).join('/')),
);

it('the names of planted faults are unique', () => {
	const names = faults.map(({ name }) => name);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each(faults)('the planted fault "$name"', ({ file, find, replace, area }) => {
	it('replaces a text that occurs once in its source file', () => {
		expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
		expect(replace).not.toBe(find);
	});

	it('each planted fault names existing tests', () => {
		const lost = area.filter(
			(pattern) => !testFiles.some((test) => new RegExp(pattern).test(test)),
		);
		expect(area).not.toEqual([]);
		expect(lost).toEqual([]);
	});
});
