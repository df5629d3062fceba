import { cpSync } from 'node:fs';
import { jsonParse } from 'n8n-workflow';

import { Editor } from './editor';
import type { InstalledN8n } from './installN8n';
import { installPackage, type PackedPackage } from './installPackage';
import { RunningN8n, type N8nSettings, type Program } from './runningN8n';

/** What an n8n starts from: made once a run, since its first start takes long. */
interface PreparedFolder {
	installed: InstalledN8n;
	packed: PackedPackage;
	certificateAuthorityPath: string;
	/** A user folder with the package and an owner in it. */
	userFolder: string;
}

/** What test files are given. */
export interface Preparation extends PreparedFolder {
	/** An n8n that has been started from it, for all test files that need none of their own. */
	shared: Pick<RunningN8n, 'url' | 'log'>;
}

const variable = 'SHEET_RECORDS_E2E_PREPARATION';

/** Starts a fresh n8n for the first time, with the package in it, and sets its owner up. */
export async function prepareUserFolder(
	preparation: Omit<PreparedFolder, 'userFolder'>,
): Promise<RunningN8n> {
	const n8n = await RunningN8n.prepare(preparation);
	try {
		installPackage(preparation.packed, n8n.userFolder);
		await n8n.start();
		await new Editor(n8n.url).setUpOwner();
		await n8n.stop();
		return n8n;
	} catch (error) {
		await n8n.remove();
		throw error;
	}
}

/** The preparation as an environment variable, for the processes that run the tests. */
export function asEnvironment(preparation: Preparation): NodeJS.ProcessEnv {
	return { [variable]: JSON.stringify(preparation) };
}

/**
 * The preparation that this process was given.
 *
 * @throws Error when the tests were not started by the program that prepares them
 */
export function preparation(): Preparation {
	const text = process.env[variable];
	if (!text) throw new Error('Run these tests with "npm run e2e"');
	return jsonParse<Preparation>(text);
}

/** An n8n of its own that goes on from the prepared user folder. Not started yet. */
export async function preparedN8n(
	settings: N8nSettings = {},
	program?: Program,
	prepared: PreparedFolder = preparation(),
): Promise<RunningN8n> {
	const n8n = await RunningN8n.prepare({ ...prepared, settings, program });
	cpSync(prepared.userFolder, n8n.userFolder, { recursive: true });
	return n8n;
}
