import { N8nTestbed } from '../n8nTestbed';
import { preparedN8n } from '../preparation';
import type { RunningN8n } from '../runningN8n';
import { Stores } from './stores';

/** An n8n whose work several programs share: the main one, one for webhooks, and two workers. */
export class QueueTestbed {
	private readonly stores = new Stores();

	private readonly others: RunningN8n[] = [];

	readonly main = new N8nTestbed(async () => await this.prepare());

	/** Where deliveries are sent to. */
	get webhooks(): RunningN8n {
		return this.other(0);
	}

	get workers(): RunningN8n[] {
		return [this.other(1), this.other(2)];
	}

	async start(): Promise<void> {
		await this.main.start();
		for (const program of this.others) await program.start();
	}

	/** Ends everything, and fails when a log holds a secret. */
	async stop(): Promise<void> {
		for (const program of this.others) await program.remove();
		await this.main.stop();
		await this.stores.stop();
		for (const { printed } of this.others) this.main.expectNoSecrets(printed);
	}

	/** The first one makes the tables that the others find. */
	private async prepare(): Promise<RunningN8n> {
		const shared = {
			...(await this.stores.start()),
			N8N_ENCRYPTION_KEY: 'known to all programs',
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		};
		const webhooks = await preparedN8n(shared, 'webhook');
		const settings = { ...shared, N8N_WEBHOOK_URL: `${webhooks.url}/` };
		this.others.push(webhooks);
		for (let worker = 0; worker < 2; worker++) {
			this.others.push(await preparedN8n(settings, 'worker'));
		}
		return await preparedN8n({ ...settings, N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' });
	}

	private other(index: number): RunningN8n {
		const program = this.others[index];
		if (!program) throw new Error('n8n has not been started yet');
		return program;
	}
}
