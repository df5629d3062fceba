import { cpSync } from 'node:fs';
import { jsonParse } from 'n8n-workflow';
import { Editor } from './editor';
import type { InstalledN8n } from './installN8n';
import { installPackage, type PackedPackage } from './installPackage';
import { RunningN8n, type N8nSettings, type Program } from './runningN8n';

/** What an n8n starts from, made once a run. */
interface PreparedFolder {
	installed: InstalledN8n;
	packed: PackedPackage;
	certificateAuthorityPath: string;
	/** A user folder with the package in it, and an owner after a first start, which takes long. */
	userFolder: string;
}

export interface Preparation extends PreparedFolder {
	/** An n8n that has been started from it, for all test files that need none of their own; with several programs there is none. */
	shared?: Pick<RunningN8n, 'url' | 'log'>;
}

/** No workflow of the tests runs code, for which each n8n would start one process more. */
const runsNoCode: N8nSettings = {
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'not in use',
};

const variable = 'SHEET_RECORDS_E2E_PREPARATION';

/** A fresh n8n with the package in it, not started yet. */
export async function freshN8n(
	preparation: Omit<PreparedFolder, 'userFolder'>,
): Promise<RunningN8n> {
	const n8n = await RunningN8n.prepare({ ...preparation, settings: runsNoCode });
	installPackage(preparation.packed, n8n.userFolder);
	return n8n;
}

export async function startForTheFirstTime(n8n: RunningN8n): Promise<void> {
	await n8n.start();
	await new Editor(n8n.url).setUpOwner();
	await n8n.stop();
}

/** The preparation as an environment variable, for the processes that run the tests. */
export function asEnvironment(preparation: Preparation): NodeJS.ProcessEnv {
	return { [variable]: JSON.stringify(preparation) };
}

/** The preparation that this process was given by the program that runs the tests. */
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
	const n8n = await RunningN8n.prepare({
		...prepared,
		settings: { ...runsNoCode, ...settings },
		program,
	});
	cpSync(prepared.userFolder, n8n.userFolder, { recursive: true });
	return n8n;
}
