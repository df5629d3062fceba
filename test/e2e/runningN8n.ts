import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './commandLine';
import type { InstalledN8n } from './installN8n';

export interface N8nOptions {
	installed: InstalledN8n;
	/** Certificate authority of the reference service, which n8n must trust. */
	certificateAuthorityPath: string;
	port?: number;
	/** Program of n8n in queue mode; default: the main program. */
	program?: Program;
	/** Additional environment variables. */
	settings?: N8nSettings;
}

export type Program = 'start' | 'webhook' | 'worker';

export type N8nSettings = Readonly<Record<string, string>>;

const maxStartMilliseconds = 300_000;

/** A real n8n with its own user folder, listening on localhost only. */
export class RunningN8n {
	readonly userFolder = mkdtempSync(join(tmpdir(), 'sheet-records-n8n-'));

	/** Output of all its starts. */
	printed = '';

	/** Path of a file with the same output, for other processes. */
	readonly log = join(this.userFolder, 'printed.log');

	private child: ChildProcess | undefined;

	private constructor(
		private readonly options: N8nOptions,
		private readonly port: number,
		private readonly brokerPort: number,
	) {}

	static async prepare(options: N8nOptions): Promise<RunningN8n> {
		return new RunningN8n(options, options.port ?? (await freePort()), await freePort());
	}

	get url(): string {
		return `http://localhost:${this.port}`;
	}

	/** Starts n8n, and tries once more if it exits, like a service manager. */
	async start(): Promise<void> {
		if ((await this.startOnce()) || (await this.startOnce())) return;
		throw new Error(`n8n did not start:\n${this.printed.slice(-10_000)}`);
	}

	private async startOnce(): Promise<boolean> {
		const { installed, program = 'start' } = this.options;
		const parameters = program === 'worker' ? ['--concurrency=1'] : [];
		const child = spawn(installed.node, [installed.script, program, ...parameters], {
			env: this.environment(),
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.child = child;
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => {
				this.printed += text;
				appendFileSync(this.log, text);
			});
		}
		const end = Date.now() + maxStartMilliseconds;
		while (!(await this.serves())) {
			if (child.exitCode !== null || child.signalCode !== null || Date.now() > end) {
				await this.stop();
				return false;
			}
			await new Promise((resolve) => setTimeout(resolve, 200));
		}
		return true;
	}

	/** Stops n8n with SIGTERM, like an operator, and waits for its exit. */
	async stop(): Promise<void> {
		const child = this.child;
		this.child = undefined;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const exited = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGTERM');
		const killTimer = setTimeout(() => child.kill('SIGKILL'), 20_000);
		await exited;
		clearTimeout(killTimer);
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Kills n8n without a chance to clean up, like a failure of the machine. */
	async kill(): Promise<void> {
		const child = this.child;
		this.child = undefined;
		if (!child) return;
		const exited = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGKILL');
		await exited;
	}

	/** Stops n8n and removes its user folder. */
	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.userFolder, { recursive: true, force: true, maxRetries: 5 });
	}

	private async serves(): Promise<boolean> {
		const answer = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
		if (!answer?.ok) return false;
		// Only the main program serves the editor.
		if (this.options.program && this.options.program !== 'start') return true;
		const settings = await fetch(`${this.url}/rest/settings`).catch(() => undefined);
		// While n8n starts, it answers with a page, or with JSON and status 503 if its database is not ready.
		return settings?.ok ? (settings.headers.get('content-type')?.includes('json') ?? false) : false;
	}

	/** Returns the setting that turns off requests to registries. Empty for older versions of n8n, which do not have this module. */
	private modulesTurnedOff(): NodeJS.ProcessEnv {
		const module = 'mcp-registry';
		const folder = join(dirname(this.options.installed.script), '../dist/modules', module);
		return existsSync(folder) ? { N8N_DISABLED_MODULES: module } : {};
	}

	/** Returns the environment of n8n. Turns off all requests to other hosts: telemetry, version checks, templates and packages. */
	private environment(): NodeJS.ProcessEnv {
		const { PATH, HOME, LANG, TMPDIR } = process.env;
		return {
			PATH,
			HOME,
			LANG,
			TMPDIR,
			N8N_USER_FOLDER: this.userFolder,
			// The cache saves one second of CPU time per start.
			NODE_COMPILE_CACHE: join(dirname(this.options.installed.script), '../../..', 'compiled'),
			N8N_HOST: 'localhost',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(this.port),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(this.port),
			N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
			N8N_WEBHOOK_URL: `${this.url}/`,
			N8N_SECURE_COOKIE: 'false',
			NODE_EXTRA_CA_CERTS: this.options.certificateAuthorityPath,
			GENERIC_TIMEZONE: 'Europe/Berlin',
			N8N_LOG_LEVEL: 'info',
			N8N_DIAGNOSTICS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
			N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
			N8N_TEMPLATES_ENABLED: 'false',
			N8N_HIRING_BANNER_ENABLED: 'false',
			N8N_DYNAMIC_BANNERS_ENABLED: 'false',
			N8N_PERSONALIZATION_ENABLED: 'false',
			N8N_VERIFIED_PACKAGES_ENABLED: 'false',
			...this.modulesTurnedOff(),
			N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
			N8N_LICENSE_DETACH_FLOATING_ON_SHUTDOWN: 'false',
			...this.options.settings,
		};
	}
}
