import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { resultsArguments } from '../resultsArguments';
import { ensureCertificates } from '../service/certificates';
import { npm } from './commandLine';
import { installN8n } from './installN8n';
import { discardPackage, packPackage } from './installPackage';
import {
	asEnvironment,
	freshN8n,
	preparedN8n,
	startForTheFirstTime,
	type Preparation,
} from './preparation';

const checkout = join(__dirname, '../..');

/** Runs the tests of n8n's queue mode instead. */
const queueOption = '--queue';
const isQueue = process.argv.includes(queueOption);
/** Tests the package as built, without building it again. */
const builtOption = '--built';
const isBuilt = process.argv.includes(builtOption);
const jestArguments = process.argv
	.slice(2)
	.filter((argument) => argument !== queueOption && argument !== builtOption);

/**
 * Runs the end-to-end tests with a real n8n, the packed package and the reference service. Passes other arguments to jest.
 * Returns the exit code. Fails if n8n cannot be installed.
 */
async function run(): Promise<number> {
	const installed = installN8n(say);
	say(`n8n ${installed.version}`);
	if (!isBuilt) npm(['run', 'build'], { cwd: checkout });
	const packed = packPackage();
	try {
		say(
			`${packed.name} ${packed.version}: ${packed.entryCount} files, ${packed.size} bytes packed`,
		);
		const { certificateAuthorityPath } = await ensureCertificates();
		const prepared = { installed, packed, certificateAuthorityPath };
		const fresh = await freshN8n(prepared);
		const folder = { ...prepared, userFolder: fresh.userFolder };
		try {
			// Tests of the queue mode use another database and start all programs themselves.
			if (isQueue) return await runTests(folder);
			await startForTheFirstTime(fresh);
			const shared = await preparedN8n({}, 'start', folder);
			try {
				await shared.start();
				const { url, log } = shared;
				return await runTests({ ...folder, shared: { url, log } });
			} finally {
				await shared.remove();
			}
		} finally {
			await fresh.remove();
		}
	} finally {
		discardPackage(packed);
	}
}

async function runTests(preparation: Preparation): Promise<number> {
	const child = spawn(
		process.execPath,
		[
			require.resolve('jest/bin/jest'),
			'--config',
			join(__dirname, 'jest.config.js'),
			'--rootDir',
			isQueue ? join(__dirname, 'queue') : __dirname,
			'--runInBand',
			...jestArguments,
			...resultsArguments(),
		],
		{ stdio: 'inherit', env: { ...process.env, ...asEnvironment(preparation) } },
	);
	const [status]: Array<number | null> = await once(child, 'exit');
	return status ?? 1;
}

function say(text: string): void {
	process.stdout.write(`· ${text}\n`);
}

void run().then(
	(exitCode) => {
		process.exitCode = exitCode;
	},
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	},
);
