import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = process.env.SHEET_RECORDS_PACKAGE ?? join(__dirname, '../..');

/** Loads all nodes and credentials as n8n does at its start, in a process of its own, because jest has its own loader. */
const load = `
	require('n8n-workflow');
	const languageTables = [];
	const note = (name) => void languageTables.push(name);
	for (const name of Object.getOwnPropertyNames(Intl).filter((name) => /^[A-Z]/.test(name))) {
		const construct = (Type, options) => (note(name), new Type(...options));
		Intl[name] = new Proxy(Intl[name], { construct, apply: construct });
	}
	String.prototype.localeCompare = () => note('localeCompare') ?? 0;
	for (const Type of [Date, Number]) Type.prototype.toLocaleString = () => note('toLocaleString') ?? '';
	const { n8n } = require('./package.json');
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		for (const Type of Object.values(require('./' + file))) new Type();
	}
	const modules = Object.keys(require.cache).filter((file) => file.startsWith(process.cwd() + '/dist/'));
	process.stdout.write(JSON.stringify({ modules, languageTables }));
`;

describe('the start of n8n, which loads all nodes', () => {
	const output = execFileSync(process.execPath, ['-e', load], { cwd: root, encoding: 'utf8' });
	const { modules = [], languageTables } = JSON.parse(output) as Record<string, string[]>;
	const loaded = new Set(modules.map((file) => file.slice(`${root}/dist/nodes/`.length)));

	it('loads at most 195 modules', () => {
		expect(loaded.size).toBeLessThanOrEqual(195);
	});

	it.each([
		'SheetRecords/run/runOperations.js',
		'SheetRecordsPollingTrigger/poll.js',
		'SheetRecordsTrigger/receiveDelivery.js',
		'SheetRecordsTrigger/registration.js',
	])('does not load what only a run needs: %s', (file) => {
		expect(loaded.size).toBeGreaterThan(100);
		expect(loaded).not.toContain(file);
	});

	it('loads no tables of languages, which take as long as thirty modules', () => {
		expect(languageTables).toEqual([]);
	});
});
