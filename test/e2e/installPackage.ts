import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

interface PackReport {
	name: string;
	version: string;
	filename: string;
	size: number;
	entryCount: number;
}

interface PublishedManifest {
	devDependencies?: object;
	peerDependencies?: object;
	optionalDependencies?: object;
}

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

/** Installs a tarball into a user folder of n8n, with the same steps as n8n's installer. */
export function installPackage(
	{ name, version, tarball }: PackedPackage,
	userFolder: string,
): string {
	const downloads = join(userFolder, '.n8n', 'nodes');
	const folder = join(downloads, 'node_modules', name);
	mkdirSync(folder, { recursive: true });
	command('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);

	const manifestPath = join(folder, 'package.json');
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } =
		jsonParse<PublishedManifest>(readFileSync(manifestPath, 'utf8'));
	void [devDependencies, peerDependencies, optionalDependencies];
	writeFileSync(manifestPath, JSON.stringify(manifest, null, 2));
	npm(
		[
			'install',
			'--audit=false',
			'--fund=false',
			'--bin-links=false',
			'--install-strategy=shallow',
			'--ignore-scripts=true',
			'--package-lock=false',
		],
		{ cwd: folder },
	);
	writeFileSync(
		join(downloads, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: { [name]: version } }),
	);
	return folder;
}

export function discardPackage({ tarball }: PackedPackage): void {
	rmSync(join(tarball, '..'), { recursive: true, force: true });
}
