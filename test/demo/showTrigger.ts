import { activateTrigger, type TriggerListener } from '../engine/runner';
import { orders, startReferenceService, type ReferenceService } from '../service';
import { claim, claimOfSecrets, reportClaims } from './claim';
import { emphasised, print, printTable } from './display';
import { credentialsFor, readWorkflow } from './observedRun';

const workflowPath = 'test/workflows/trigger.json';
const { remark } = orders.fields;

interface Delivery {
	what: string;
	status: number;
	executions: number;
	items: number;
}

/** Sends genuine and forged deliveries to an active workflow. Returns the exit code. */
export async function showTrigger(): Promise<number> {
	const service = await startReferenceService();
	const listener = await activateTrigger({
		workflow: readWorkflow(workflowPath),
		credentialStore: credentialsFor(service),
	});
	try {
		service.webhooks.register(orders, listener.url);
		return report(await deliveries(service, listener), service, listener);
	} finally {
		await listener.close();
		await service.close();
	}
}

async function deliveries(
	service: ReferenceService,
	listener: TriggerListener,
): Promise<Delivery[]> {
	const { people, webhooks } = service;
	const sent: Delivery[] = [];
	const watch = async (what: string, send: () => Promise<number>) => {
		const before = listener.executions.length;
		const status = await send();
		await listener.settled();
		const started = listener.executions.slice(before);
		const items = started.flatMap((execution) => execution.items).length;
		sent.push({ what, status, executions: started.length, items });
	};
	const change = (act: () => unknown) => async () => {
		act();
		return (await webhooks.settled()).at(-1)?.status ?? 0;
	};
	await watch(
		'A person edits order 5',
		change(() => people.edit(orders, 5, { [remark]: 'Call first' })),
	);
	await watch(
		'The list page saves it again, unmodified',
		change(() => people.edit(orders, 5, {})),
	);
	await watch(
		'A mass update of three orders',
		change(() => people.massChange(orders, [30, 4, 12], () => ({ [remark]: 'Checked' }))),
	);
	await watch(
		'Order 12 is deleted',
		change(() => people.delete(orders, 12)),
	);
	const genuine = webhooks.log[0]?.body ?? '';
	await watch('The first delivery with one word changed', async () => {
		return (await listener.post(genuine.replace('Call first', 'Pay first!'))).status;
	});
	await watch('The first delivery, said to be of another sheet', async () => {
		return (await listener.post(genuine.replace('"sheetIndex":1', '"sheetIndex":2'))).status;
	});
	return sent;
}

function report(sent: Delivery[], service: ReferenceService, listener: TriggerListener): number {
	print();
	print(emphasised(`${workflowPath}, active in n8n's engine, for ${service.baseUrl}`));
	print();
	printTable(
		['Delivery', 'Answer', 'Executions', 'Items'],
		sent.map(({ what, status, executions, items }) =>
			[what, status, executions, items].map(String),
		),
	);
	print();
	const items = listener.executions.flatMap((execution) => execution.outputs('Changed Records'));
	const emittedChanges = items.map(({ json }) => [json.event, json.recordId, json.verified]);
	const keyRequests = service.requests.all().filter(({ path }) => path.includes('PublicKey'));
	return reportClaims([
		claim('What the service signed was taken, what was altered or foreign was not', [
			'answers',
			sent.map(({ status }) => status),
			[200, 200, 200, 200, 401, 401],
		]),
		claim('Each change became one item, in the order of the delivery, and nothing else did', [
			'items',
			emittedChanges,
			[
				['UPDATE', 5, true],
				['UPDATE', 30, true],
				['UPDATE', 4, true],
				['UPDATE', 12, true],
				['DELETE', 12, true],
			],
		]),
		claim('The public key was fetched twice: once more for the altered delivery', [
			'requests',
			keyRequests.length,
			2,
		]),
		claimOfSecrets(listener.recorded, service),
	]);
}
