import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processState } from '../../../nodes/api/http/processState';

const root = join(__dirname, '../../..');

/**
 * Matches module-level variables and containers that can grow while the process runs. The values of a WeakMap or a CachePart
 * end with their run.
 */
const moduleState =
	/^(?:export )?(?:let |var |const \w+[^=\n]* = (?:new (?!WeakMap|CachePart)\w+(?:<.*>)?\(\)|\[\]|\{\}))/m;
const owner = 'nodes/api/http/processState.ts';

function sources(): string[] {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file)),
	);
}

it('only one file has state that lives as long as the process', () => {
	const withState = sources().filter((file) =>
		moduleState.test(readFileSync(join(root, file), 'utf8')),
	);
	expect(withState).toEqual([owner]);
});

it('the page on the soak run states the limit of all state that a process keeps', () => {
	const readme = readFileSync(join(root, 'test/soak/README.md'), 'utf8');
	const rows = readme.matchAll(/^\| `(\w+)` +\|/gm);
	expect([...rows].map(([, name]) => name).sort()).toEqual(Object.keys(processState).sort());
});
