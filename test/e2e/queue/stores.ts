import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, freePort } from '../commandLine';
import type { N8nSettings } from '../runningN8n';
import { until } from '../until';

const postgresFolder = '/usr/lib/postgresql';
const redisProgram = '/usr/bin/redis-server';
const user = 'postgres';

/** PostgreSQL and Redis for n8n's programs, with temporary data, listening on localhost only. */
export class Stores {
	private readonly folder = mkdtempSync(join(tmpdir(), 'sheet-records-stores-'));

	private readonly servers: ChildProcess[] = [];

	/** Installs the servers if they are missing, and starts them. Returns the settings with which n8n uses them. */
	async start(): Promise<N8nSettings> {
		installMissing();
		const [postgresPort, redisPort] = [await freePort(), await freePort()];
		await this.startPostgres(postgresPort);
		await this.serve(redisPort, redisProgram, [
			...['--port', String(redisPort), '--bind', '127.0.0.1', '--dir', this.folder],
			...['--save', '', '--appendonly', 'no'],
		]);
		return {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: user,
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
		};
	}

	async stop(): Promise<void> {
		for (const server of this.servers.reverse()) {
			const exited = new Promise((resolve) => server.once('exit', resolve));
			if (server.exitCode === null && server.kill('SIGINT')) await exited;
		}
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** Starts PostgreSQL. It does not run as root, so root starts it as another user. */
	private async startPostgres(port: number): Promise<void> {
		const [version = ''] = readdirSync(postgresFolder).sort().reverse();
		const programs = join(postgresFolder, version, 'bin');
		const data = join(this.folder, 'data');
		const owner: Owner = process.getuid?.() === 0 ? ownerOfPostgres() : {};
		if (owner.uid && owner.gid) chownSync(this.folder, owner.uid, owner.gid);
		const initialization = spawnSync(
			join(programs, 'initdb'),
			['--pgdata', data, '--auth', 'trust', '--username', user, '--no-sync'],
			{ ...owner, encoding: 'utf8', cwd: this.folder },
		);
		if (initialization.status !== 0)
			throw new Error(`No database could be initialization: ${initialization.stderr}`);
		await this.serve(
			port,
			join(programs, 'postgres'),
			['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', this.folder, '-F'],
			owner,
		);
	}

	private async serve(
		port: number,
		program: string,
		parameters: string[],
		owner: Owner = {},
	): Promise<void> {
		const server = spawn(program, parameters, { ...owner, cwd: this.folder, stdio: 'ignore' });
		this.servers.push(server);
		await until(async () => {
			if (server.exitCode !== null) throw new Error(`${program} ended at once`);
			return await listens(port);
		});
	}
}

interface Owner {
	uid?: number;
	gid?: number;
}

function ownerOfPostgres(): Required<Owner> {
	const id = (flag: string) => Number(command('id', [flag, user]));
	return { uid: id('-u'), gid: id('-g') };
}

/** Installs the missing servers from Debian packages. */
function installMissing(): void {
	const missing = [
		...(existsSync(postgresFolder) ? [] : ['postgresql']),
		...(existsSync(redisProgram) ? [] : ['redis-server']),
	];
	if (missing.length === 0) return;
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	command('apt-get', ['update', '-qq'], { env });
	command('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env });
}

async function listens(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
