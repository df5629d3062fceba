import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsToDo } from './operations';
import { packageName, packageTypes } from './runner';

/** Returns the texts of the tests in a folder that run the nodes, by default of all. */
function textsIn(folder = ''): string {
	const root = join(__dirname, folder);
	if (!existsSync(root)) return '';
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
	const tests = files.filter((path) => path.endsWith('.ts'));
	return tests.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
}

it('each operation is run by a test in the folder of its resource', async () => {
	const isDone = (name: string, resource: string) => {
		const operation = name.slice(resource.length + 1);
		return textsIn(resource).includes(`'${operation}'`);
	};
	const todo = 'test it in test/engine/<resource> (HOW_TO, step 7)';
	expect(await operationsToDo(isDone, todo)).toEqual([]);
});

it.each(['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'])(
	'each option of %s is set in a test',
	async (node) => {
		const type = (await packageTypes()).getByNameAndVersion(`${packageName}.${node}`);
		const options = type.description.properties.flatMap((property) =>
			property.type === 'collection' ? (property.options ?? []) : [],
		);
		const names = [...new Set(options.map(({ name }) => name))];
		const words = new Set(textsIn().match(/\w+/g));
		expect(names.length).toBeGreaterThan(2);
		const untested = names.filter((name) => !words.has(name));
		expect(untested.map((name) => `${name}: set it in a test (HOW_TO, step 4)`)).toEqual([]);
	},
);
