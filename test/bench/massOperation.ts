import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

import { print, printTable, refused } from '../demo/display';
import { runNode } from '../engine/runner';
import { orders, startReferenceService, type ReferenceService } from '../service';

const recordCount = 10_000;
const pollSeconds = 0.01;
const mostCharacters = 7500;

interface Measurement {
	client: string;
	posts: number;
	polls: number;
	milliseconds: number;
}

/**
 * Locks many records from input items, with the node and with a plain client that sends the same.
 *
 * @returns the exit code: 1 when the node sent more operations than one for each 7,500 characters of ids
 */
export async function measureMassOperation(): Promise<number> {
	const service = await startReferenceService({ demoRecords: recordCount });
	const recordIds = [...service.data.sheet(orders).records.keys()];
	try {
		// The first run also pays for what is loaded only once.
		await withNode(service, recordIds.slice(0, 10));
		const node = await withNode(service, recordIds);
		const addresses = service.requests
			.all()
			.filter(({ method }) => method === 'POST')
			.map(({ rawUrl }) => rawUrl);
		const raw = await withPlainClient(service, addresses);
		return report(recordIds, [node, raw]);
	} finally {
		await service.close();
	}
}

async function withNode(service: ReferenceService, recordIds: number[]): Promise<Measurement> {
	const { baseUrl, account, identities } = service;
	const { apiKey } = identities.member;
	startOver(service);
	const begun = performance.now();
	const result = await runNode({
		node: 'sheetRecords',
		parameters: {
			resource: 'massOperation',
			operation: 'lock',
			sheet: { __rl: true, mode: 'path', value: `${orders.path}/${orders.index}` },
			selection: 'inputItems',
			options: { pollInterval: pollSeconds },
		},
		items: recordIds.map((_recordId) => ({ _recordId })),
		credentials: { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond: 0 } },
	});
	const milliseconds = performance.now() - begun;
	if (result.error) throw new Error(result.error.message);
	demandLocked(service, recordIds);
	return { client: 'the node, in n8n', milliseconds, ...counted(service) };
}

/** Sends what the node sent, with a new connection for each request as n8n has it. */
async function withPlainClient(
	service: ReferenceService,
	addresses: string[],
): Promise<Measurement> {
	startOver(service);
	const agent = new Agent();
	const begun = performance.now();
	for (const address of addresses) {
		const { taskId } = await ask(service, agent, 'POST', address);
		for (;;) {
			const { status } = await ask(service, agent, 'GET', `/acme?api&taskId=${String(taskId)}`);
			if (status === 'COMPLETED') break;
			await wait(pollSeconds * 1000);
		}
	}
	const milliseconds = performance.now() - begun;
	await agent.close();
	return { client: 'a plain client', milliseconds, ...counted(service) };
}

async function ask(
	{ baseUrl, identities }: ReferenceService,
	dispatcher: Agent,
	method: 'GET' | 'POST',
	address: string,
): Promise<{ taskId?: unknown; status?: unknown }> {
	const body = method === 'POST' ? JSON.stringify({ action: 'lock' }) : undefined;
	const answer = await request(`${baseUrl}${address}`, {
		method,
		body,
		dispatcher,
		reset: true,
		headers: {
			authorization: `Basic ${identities.member.apiKey}`,
			...(body ? { 'content-type': 'application/json' } : {}),
		},
	});
	const value: unknown = await answer.body.json();
	return typeof value === 'object' && value !== null ? value : {};
}

function startOver(service: ReferenceService): void {
	service.requests.clear();
	service.tasks.forget();
	for (const record of service.data.sheet(orders).records.values()) record.locked = false;
}

function demandLocked(service: ReferenceService, recordIds: number[]): void {
	const open = recordIds.filter((recordId) => !service.data.record(orders, recordId).locked);
	if (open.length > 0) throw new Error(`${open.length} records were not locked`);
}

function counted({ requests }: ReferenceService): { posts: number; polls: number } {
	const methods = requests.all().map(({ method }) => method);
	const posts = methods.filter((method) => method === 'POST').length;
	return { posts, polls: methods.length - posts };
}

function report(recordIds: number[], measurements: [Measurement, Measurement]): number {
	const [node, raw] = measurements;
	const characters = recordIds.map((id) => `&recordId=${id}`).join('').length;
	const mostPosts = Math.ceil(characters / mostCharacters);
	print(`Mass lock of ${recordIds.length} input items (${characters} characters of ids)`);
	print();
	printTable(
		['Client', 'POSTs', 'Polls', 'Time', 'Ratio'],
		measurements.map(({ client, posts, polls, milliseconds }) => [
			client,
			String(posts),
			String(polls),
			`${Math.round(milliseconds)} ms`,
			(milliseconds / raw.milliseconds).toFixed(2),
		]),
	);
	print();
	if (node.posts <= mostPosts) return 0;
	print(refused(`The node sent ${node.posts} operations; ${mostPosts} would do.`));
	return 1;
}
