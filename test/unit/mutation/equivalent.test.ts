import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { equivalents } from '../../mutation/equivalent';

const checkout = join(__dirname, '../../..');

it('each change that is listed as equivalent quotes a line of its file', () => {
	const outdated = equivalents.filter(({ file, line }) => {
		if (file === undefined) return false;
		const lines = readFileSync(join(checkout, file), 'utf8').split('\n');
		const isMeant = (text: string) => (typeof line === 'string' ? text === line : line.test(text));
		return !lines.some((text) => isMeant(text.trim()));
	});
	expect(outdated.map(({ file, line }) => `${file}: ${String(line)}`)).toEqual([]);
});
