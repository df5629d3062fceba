import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { orders, type SeenRequest } from '../service';
import { ordersLocator, placed, recordLocator, sheetRecords, type Step } from './chain';
import type { Execution, SavedCredential, SavedWorkflow } from './editor';
import { everyThreeSeconds, isDeletionCheck, isPoll } from './schedule';
import { useN8nTestbed } from './n8nTestbed';
import { preparation } from './preparation';
import type { N8nSettings } from './runningN8n';
import { until } from './until';

const { fields } = orders;
const trigger = 'Changed Orders';

/** Settings with which n8n saves the state of a polling node in the same transaction as the execution that it starts. */
const durableCursors: N8nSettings = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

const cursorService = '../dist/workflows/triggers/poll-cursor.service.js';
const knowsDurableCursors = existsSync(
	join(dirname(preparation().installed.script), cursorService),
);

function pollingWorkflow(credential: SavedCredential): WorkflowJson {
	const steps: Step[] = [
		{
			name: trigger,
			type: 'n8n-nodes-sheet-records.sheetRecordsPollingTrigger',
			parameters: {
				pollTimes: everyThreeSeconds,
				events: ['CREATE', 'UPDATE', 'DELETE'],
				sheet: ordersLocator,
				options: { onlyFields: [fields.remark], deletionCheckEvery: 2 },
			},
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		},
		{ name: 'One of Them', type: 'n8n-nodes-base.limit', parameters: {} },
		sheetRecords(
			'Read It Again',
			credential,
			{ operation: 'get', recordId: recordLocator('={{ $json.recordId }}') },
			{ onError: 'continueRegularOutput' },
		),
	];
	const connectionTo = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	return {
		name: 'Changes without a public address',
		nodes: steps.map(placed),
		connections: {
			[trigger]: connectionTo('One of Them'),
			'One of Them': connectionTo('Read It Again'),
		},
		settings: { executionOrder: 'v1' },
	};
}

const hosts: Array<[string, N8nSettings, boolean]> = [['without durable cursors', {}, false]];
if (knowsDurableCursors) hosts.push(['with durable cursors', durableCursors, true]);

describe.each(hosts)('polling %s', (_, settings, isDurable) => {
	const testbed = useN8nTestbed(settings);
	const ended = new Map<string, Execution>();
	let workflow: SavedWorkflow;

	const seen = (kind: (request: SeenRequest) => boolean) =>
		testbed.service.requests.all().filter((request) => kind(request) && request.status > 0).length;

	/** Returns the changes with which all executions were started, as short texts. */
	async function emittedChanges(): Promise<string[]> {
		for (const { id, status } of await testbed.editor.executions(workflow)) {
			if (ended.has(id) || ['new', 'running'].includes(status)) continue;
			ended.set(id, await testbed.editor.execution(id));
		}
		const items = [...ended.values()].flatMap((execution) => execution.startedWith(trigger));
		return items.map(({ event, recordId, record }) =>
			[event, recordId, Object(record).Remark].join(' ').trim(),
		);
	}

	/** Waits for the changes. After two minutes, throws the missing changes and the last output of n8n. */
	async function untilEmitted(changes: readonly string[]): Promise<void> {
		let missing = changes;
		const isEmitted = until(async () => {
			const all = new Set(await emittedChanges());
			missing = changes.filter((change) => !all.has(change));
			return missing.length === 0;
		});
		await beforeDeadline(isEmitted, () => `${missing.length} changes, such as "${missing[0]}"`);
	}

	async function beforeDeadline(event: Promise<void>, missing: () => string): Promise<void> {
		const deadline = wait(300_000, false, { ref: false });
		if ((await Promise.race([event, deadline])) !== false) return;
		const stored = await testbed.editor.executions(workflow);
		const executions = stored.map(({ id, status }) => `${id} ${status}`).join(', ');
		const printed = testbed.n8n.printed.slice(-2_000);
		const polls = `${seen(isPoll)} polls. Executions: ${executions}`;
		throw new Error(`Missing: ${missing()}. ${polls}. n8n printed:\n${printed}`);
	}

	/**
	 * Kills n8n while it waits for the response to a request of the given kind, and starts it again. Meanwhile, requests of the kind
	 * `alsoHeld` wait, too.
	 */
	async function killDuring(
		kind: (request: SeenRequest) => boolean,
		cause: () => void,
		alsoHeld: (request: SeenRequest) => boolean = () => false,
	): Promise<void> {
		let restart: () => void = () => undefined;
		const restarted = new Promise<void>((resolve) => (restart = resolve));
		let release: () => void = () => undefined;
		const requested = new Promise<void>((resolve) => {
			release = testbed.service.beforeRequest(async (request) => {
				if (kind(request)) resolve();
				else if (!alsoHeld(request)) return;
				await restarted;
			});
		});
		cause();
		await beforeDeadline(requested, () => 'the request');
		await testbed.n8n.kill();
		release();
		restart();
		await testbed.n8n.start();
	}

	it('every change is emitted, even though n8n is killed twice', async () => {
		const { people } = testbed.service;
		const credential = await testbed.apiKey('admin');
		workflow = await testbed.editor.importWorkflow(pollingWorkflow(credential), [credential]);
		await testbed.editor.activate(workflow);
		await until(() => seen(isDeletionCheck) > 0);

		const changes: string[] = [];
		const edit = (id: number, remark: string) => {
			people.edit(orders, id, { [fields.remark]: remark });
			changes.push(`UPDATE ${id} ${remark}`);
		};
		// This change happens before the first scheduled poll, so the state saved by the poll at activation must be used.
		edit(5, 'at once');
		await untilEmitted(changes);

		await killDuring(isPoll, () => {
			const created = people.create(orders, { [fields.remark]: 'new' });
			changes.push(`CREATE ${created.id} new`);
			edit(6, 'beside');
		});
		await untilEmitted(changes);

		// The changes need more than one poll. n8n is killed during the execution that the first poll started.
		const many = Array.from({ length: 1_200 }, (__, index) => index + 100);
		// If a poll is running meanwhile, the first item may be any of them.
		const isReadAgain = ({ path }: SeenRequest) => Number(/\/(\d+)$/.exec(path)?.[1]) >= 100;
		// n8n without durable cursors loses the items of a poll that ends at the moment of the kill, so the next poll must not end.
		const isNextPoll = (request: SeenRequest) =>
			isPoll(request) &&
			request.query.some(([name, value]) => name === 'offset' && Number(value) > 0);
		const change = () => {
			people.massChange(orders, many, ({ id }) => ({ [fields.remark]: `mass ${id}` }));
			changes.push(...many.map((id) => `UPDATE ${id} mass ${id}`));
		};
		await killDuring(isReadAgain, change, isNextPoll);
		people.delete(orders, 8);
		changes.push('DELETE 8');
		await untilEmitted(changes);

		const polls = seen(isPoll);
		await until(() => seen(isPoll) >= polls + 3);
		const all = await emittedChanges();
		// n8n may emit a change twice if it has no durable cursors.
		const list = isDurable ? all : [...new Set(all)];
		expect(list.sort()).toEqual(changes.sort());
	}, 900_000);
});
