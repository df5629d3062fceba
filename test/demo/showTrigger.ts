import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import {
	activateTrigger,
	CredentialStore,
	type TriggerListener,
	type WorkflowJson,
} from '../engine/runner';
import { orders, startReferenceService, type ReferenceService } from '../service';
import { claim, keyForms, printClaims } from './claims';
import { emphasised, print, printTable, refused } from './display';

const workflowPath = 'test/workflows/trigger.json';
const { remark, reference } = orders.fields;

/** A request to the trigger, and what came of it. */
interface Delivery {
	what: string;
	status: number;
	executions: number;
	items: number;
}

/** Lets the service and a stranger send to a workflow that waits. Answers the exit code. */
export async function showTrigger(): Promise<number> {
	const service = await startReferenceService();
	const { baseUrl, account, identities } = service;
	const store = new CredentialStore();
	store.add(
		'sheetRecordsApi',
		{ baseUrl, account, apiKey: identities.admin.apiKey },
		'Sheet Records demo',
	);
	const listener = await activateTrigger({
		workflow: jsonParse<WorkflowJson>(readFileSync(join(__dirname, '../..', workflowPath), 'utf8')),
		credentialStore: store,
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
	const told = items.map(({ json }) => [json.event, json.recordId, json.verified]);
	const keyRequests = service.requests.all().filter(({ path }) => path.includes('PublicKey'));
	const failures = printClaims([
		claim('What the service signed was taken, what was altered or foreign was not', [
			'answers',
			sent.map(({ status }) => status),
			[200, 200, 200, 200, 401, 401],
		]),
		claim('Each change became one item, in the order of the delivery, and nothing else did', [
			'items',
			told,
			[
				['UPDATE', 5, true],
				['UPDATE', 30, true],
				['UPDATE', 4, true],
				['UPDATE', 12, true],
				['DELETE', 12, true],
			],
		]),
		claim('The items hold the records as they are at the service, by the names of the fields', [
			'first',
			items[0]?.json.record,
			{
				...objectOf(items[0]?.json.record),
				Remark: 'Call first',
				Reference: service.data.record(orders, 5).text(reference),
			},
		]),
		claim('The public key was fetched once', ['requests', keyRequests.length, 1]),
		claim('Nothing that n8n stored, showed or logged holds the API key', [
			'found',
			keyForms(service).some((form) => listener.recorded.includes(form)),
			false,
		]),
	]);
	print();
	if (failures > 0) print(refused(`${failures} of these statements do not hold.`));
	return failures > 0 ? 1 : 0;
}

function objectOf(value: unknown): object {
	return typeof value === 'object' && value !== null ? value : {};
}
