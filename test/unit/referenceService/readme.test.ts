import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSwitches, positions } from '../../service/switches';

const text = readFileSync(join(__dirname, '../../service/README.md'), 'utf8');

/** The third cell of each table row, which lists switches and their positions. */
const cells = text
	.split('\n')
	.filter(
		(line) => line.startsWith('| ') && !line.startsWith('| Open') && !line.startsWith('| ---'),
	)
	.map((line) => line.split(' | ').at(-2) ?? '');

it('the table of open points names every switch, and no other', () => {
	const names = cells.flatMap((cell) => cell.split('; ').map((part) => part.split(': ')[0] ?? ''));
	const named = names.flatMap((name) =>
		[...name.matchAll(/`(\w+)`/g)].map(([, word = '']) => word),
	);
	expect(named.sort()).toEqual(Object.keys(defaultSwitches()).sort());
});

it('the table starts with the default of each switch whose positions are words', () => {
	for (const [name, [usual]] of Object.entries(positions)) {
		const [cell = ''] = cells.filter((candidate) => candidate.includes(`\`${name}\``));
		const positions = cell.split(`\`${name}\``)[1]?.split('; ')[0] ?? '';
		const [first] = /(?<=: `)[^`]+(?=`)/.exec(positions) ?? [];
		if (first !== undefined) expect([name, first]).toEqual([name, String(usual)]);
	}
});
