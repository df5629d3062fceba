import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { putInPlace } from '../finishedFolder';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'finished-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = () => join(folder, 'place');

function finished(name: string): string {
	const path = join(folder, name);
	mkdirSync(path);
	writeFileSync(join(path, 'content'), name);
	return path;
}

it('puts a finished folder in its place', () => {
	const first = finished('first');
	putInPlace(first, place());
	expect(readFileSync(join(place(), 'content'), 'utf8')).toBe('first');
	expect(existsSync(first)).toBe(false);
});

it('leaves the folder of a faster process where it is', () => {
	putInPlace(finished('first'), place());
	const second = finished('second');
	putInPlace(second, place());
	expect(readFileSync(join(place(), 'content'), 'utf8')).toBe('first');
	expect(existsSync(second)).toBe(true);
});

it('says when there is nothing to put', () => {
	expect(() => putInPlace(join(folder, 'nothing'), place())).toThrow('ENOENT');
});
