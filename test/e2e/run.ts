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

/** With it, the tests of an n8n whose work several programs share. */
const queue = '--queue';
const isQueue = process.argv.includes(queue);
/** With it, the package is taken as it has been built. */
const built = '--built';
const isBuilt = process.argv.includes(built);
const jestArguments = process.argv
	.slice(2)
	.filter((argument) => argument !== queue && argument !== built);

/**
 * Runs the end-to-end tests: a real n8n, the package as it would be published, and the reference
 * service. Other arguments go to jest. Answers the exit code; a missing n8n is a failure.
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
			// Several programs have a database of their own, and each of them is started by its tests.
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
