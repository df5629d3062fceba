import { cpSync } from 'node:fs';
import { jsonParse } from 'n8n-workflow';
import { Editor } from './editor';
import type { InstalledN8n } from './installN8n';
import { installPackage, type PackedPackage } from './installPackage';
import { RunningN8n, type N8nSettings, type Program } from './runningN8n';

/** Everything needed to start an n8n. Created once per test run. */
interface PreparedFolder {
	installed: InstalledN8n;
	packed: PackedPackage;
	certificateAuthorityPath: string;
	/** User folder with the package and the owner, after a first start, which takes long. */
	userFolder: string;
}

export interface Preparation extends PreparedFolder {
	/** Running n8n for all test files that do not need their own. Omitted in queue mode. */
	shared?: Pick<RunningN8n, 'url' | 'log'>;
}

/** Settings that prevent n8n from starting a task runner process, because no test workflow runs code. */
const runsNoCode: N8nSettings = {
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'not in use',
};

const variable = 'SHEET_RECORDS_E2E_PREPARATION';

/** Returns a new n8n with the package, without starting it. */
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

/** Returns the preparation as an environment variable for the test processes. */
export function asEnvironment(preparation: Preparation): NodeJS.ProcessEnv {
	return { [variable]: JSON.stringify(preparation) };
}

/** Returns the preparation from the environment variable. */
export function preparation(): Preparation {
	const text = process.env[variable];
	if (!text) throw new Error('Run these tests with "npm run e2e"');
	return jsonParse<Preparation>(text);
}

/** Returns a separate n8n with a copy of the prepared user folder, without starting it. */
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
