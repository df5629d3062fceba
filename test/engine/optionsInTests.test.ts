import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageName, packageTypes } from './runner';

/** Returns the texts of all tests that run the nodes. */
function texts(): string {
	const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
	const tests = files.filter((path) => path.endsWith('.ts'));
	return tests.map((path) => readFileSync(join(__dirname, path), 'utf8')).join('\n');
}

it.each(['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'])(
	'each option of %s is set in a test',
	async (node) => {
		const type = (await packageTypes()).getByNameAndVersion(`${packageName}.${node}`);
		const options = type.description.properties.flatMap((property) =>
			property.type === 'collection' ? (property.options ?? []) : [],
		);
		const names = [...new Set(options.map(({ name }) => name))];
		const words = new Set(texts().match(/\w+/g));
		expect(names.length).toBeGreaterThan(2);
		expect(names.filter((name) => !words.has(name))).toEqual([]);
	},
);
