import { N8nTestbed } from '../n8nTestbed';
import { preparedN8n } from '../preparation';
import type { RunningN8n } from '../runningN8n';
import { Stores } from './stores';

/** An n8n in queue mode: a main program, a webhook program and two workers. */
export class QueueTestbed {
	private readonly stores = new Stores();

	private readonly otherPrograms: RunningN8n[] = [];

	readonly main = new N8nTestbed(async () => await this.prepare());

	/** Program that receives deliveries. */
	get webhooks(): RunningN8n {
		return this.otherProgram(0);
	}

	get workers(): RunningN8n[] {
		return [this.otherProgram(1), this.otherProgram(2)];
	}

	async start(): Promise<void> {
		await this.main.start();
		for (const program of this.otherPrograms) await program.start();
	}

	/** Stops all programs. Fails if a log contains a secret. */
	async stop(): Promise<void> {
		for (const program of this.otherPrograms) await program.remove();
		await this.main.stop();
		await this.stores.stop();
		for (const { printed } of this.otherPrograms) this.main.expectNoSecrets(printed);
	}

	/** Prepares all programs. The main program must start first, because it creates the database tables. */
	private async prepare(): Promise<RunningN8n> {
		const shared = {
			...(await this.stores.start()),
			N8N_ENCRYPTION_KEY: 'known to all programs',
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		};
		const webhooks = await preparedN8n(shared, 'webhook');
		const settings = { ...shared, N8N_WEBHOOK_URL: `${webhooks.url}/` };
		this.otherPrograms.push(webhooks);
		for (let worker = 0; worker < 2; worker++) {
			this.otherPrograms.push(await preparedN8n(settings, 'worker'));
		}
		return await preparedN8n({ ...settings, N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' });
	}

	private otherProgram(index: number): RunningN8n {
		const program = this.otherPrograms[index];
		if (!program) throw new Error('n8n has not been started yet');
		return program;
	}
}
