import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import { command, npm } from './commandLine';

export interface PackedPackage {
	name: string;
	version: string;
	tarball: string;
	size: number;
	entryCount: number;
}

type PackReport = Omit<PackedPackage, 'tarball'> & { filename: string };

const checkout = join(__dirname, '../..');

export function packPackage(): PackedPackage {
	const folder = mkdtempSync(join(tmpdir(), 'sheet-records-pack-'));
	const [report] = jsonParse<PackReport[]>(
		npm(['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder], {
			cwd: checkout,
		}),
	);
	if (!report) throw new Error('"npm pack" packed nothing');
	return { ...report, tarball: join(folder, report.filename) };
}

/** Puts a tarball into an n8n's user folder, as n8n's own installer does with a package that has no dependencies. */
export function installPackage(
	{ name, version, tarball }: PackedPackage,
	userFolder: string,
): void {
	const downloads = join(userFolder, '.n8n', 'nodes');
	const folder = join(downloads, 'node_modules', name);
	mkdirSync(folder, { recursive: true });
	command('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const manifest = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	writeFileSync(join(downloads, 'package.json'), JSON.stringify(manifest));
}

export function discardPackage({ tarball }: PackedPackage): void {
	rmSync(join(tarball, '..'), { recursive: true, force: true });
}
