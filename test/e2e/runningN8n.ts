import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './commandLine';
import type { InstalledN8n } from './installN8n';

export interface N8nOptions {
	installed: InstalledN8n;
	/** The authority that n8n trusts besides the usual ones: the reference service's. */
	certificateAuthorityPath: string;
	port?: number;
	/** Which of n8n's programs it is, where several share the work; default: the main one. */
	program?: Program;
	/** What it is set up with beside the usual. */
	settings?: N8nSettings;
}

export type Program = 'start' | 'webhook' | 'worker';

export type N8nSettings = Readonly<Record<string, string>>;

const maxStartMilliseconds = 180_000;

/** A real n8n with a user folder of its own, listening on this machine only. */
export class RunningN8n {
	readonly userFolder = mkdtempSync(join(tmpdir(), 'sheet-records-n8n-'));

	/** Everything it printed, over all its starts. */
	printed = '';

	/** The same as a file, for other processes. */
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

	/** Starts it, once more where it ends by itself: so do those that look after services. */
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

	/** Ends it as an operator does, and waits until it is gone. */
	async stop(): Promise<void> {
		const child = this.child;
		this.child = undefined;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const gone = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGTERM');
		const impatience = setTimeout(() => child.kill('SIGKILL'), 20_000);
		await gone;
		clearTimeout(impatience);
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	/** Ends it as a failure of the machine does: it has no time for anything. */
	async kill(): Promise<void> {
		const child = this.child;
		this.child = undefined;
		if (!child) return;
		const gone = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGKILL');
		await gone;
	}

	/** Ends it, and removes its user folder. */
	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.userFolder, { recursive: true, force: true, maxRetries: 5 });
	}

	private async serves(): Promise<boolean> {
		const answer = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
		if (!answer?.ok) return false;
		// The others have no editor.
		if (this.options.program && this.options.program !== 'start') return true;
		const settings = await fetch(`${this.url}/rest/settings`).catch(() => undefined);
		return settings?.headers.get('content-type')?.includes('json') ?? false;
	}

	/** The module that looks for registries on the network; older versions of n8n do not know it by name. */
	private modulesTurnedOff(): NodeJS.ProcessEnv {
		const module = 'mcp-registry';
		const folder = join(dirname(this.options.installed.script), '../dist/modules', module);
		return existsSync(folder) ? { N8N_DISABLED_MODULES: module } : {};
	}

	/** Nothing of it leaves the machine: no telemetry, no look for versions, templates or packages. */
	private environment(): NodeJS.ProcessEnv {
		const { PATH, HOME, LANG, TMPDIR } = process.env;
		return {
			PATH,
			HOME,
			LANG,
			TMPDIR,
			N8N_USER_FOLDER: this.userFolder,
			// Each start takes a second less of a core.
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
