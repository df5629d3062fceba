import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { autoMapped } from '../engine/record/recordValues';
import { activatePolling, runNode } from '../engine/runner';
import { orders, startReferenceService, type ReferenceService } from '../service';

/** The same work against a service that takes this long for each answer. */
export interface LatencyResult {
	title: string;
	latencyMilliseconds: number;
	requests: number;
	seconds: number;
	/** The requests one after another, each as long as its answer or as the rate limit lets it wait. */
	floorSeconds: number;
	ratio: number;
}

interface Job {
	title: string;
	/** Number of changed records or items. */
	amount: number;
	begin?: (service: ReferenceService, amount: number) => void;
	run: (service: ReferenceService, amount: number) => Promise<() => Promise<unknown>>;
}

const latencies = [50, 200, 1_000];
/** The default of the credential. */
const requestsPerSecond = 5;
const { fields } = orders;
const sheet = { __rl: true, mode: 'path', value: `${orders.path}/${orders.index}` };

const referenceOf = (index: number) => `REF-${String(index).padStart(6, '0')}`;
const itemsOf = (count: number, make: (index: number) => IDataObject) =>
	Array.from({ length: count }, (_, index) => make(index));

function credentialsOf({ baseUrl, account, identities }: ReferenceService) {
	const { apiKey } = identities.member;
	return { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond } };
}

const node =
	(parameters: INodeParameters, make?: (index: number) => IDataObject): Job['run'] =>
	async (service, amount) => {
		const items = make ? itemsOf(amount, make) : [{}];
		return async () => {
			const { error } = await runNode({
				node: 'sheetRecords',
				parameters: { resource: 'record', sheet, ...parameters },
				credentials: credentialsOf(service),
				items,
			});
			if (error) throw new Error(error.message);
		};
	};

const remarkOf = (index: number) => (index % 100 === 0 ? 'New remark' : 'Remark as it is stored');

function storeReferences({ data }: ReferenceService, count: number): void {
	for (let index = 0; index < count; index++) {
		data
			.record(orders, index + 1)
			.set(fields.reference, referenceOf(index))
			.set(fields.remark, remarkOf(1));
	}
}

const upsert = { operation: 'upsert', ...autoMapped([fields.reference]) };

const jobs: Job[] = [
	{
		title: 'read 20,000 records',
		amount: 20_000,
		run: node({ operation: 'getAll', returnAll: true, options: { subtables: false } }),
	},
	{
		title: 'create 100',
		amount: 100,
		run: node({ operation: 'create', ...autoMapped() }, (index) => ({
			[fields.customerNumber]: 'C-0001',
			[fields.remark]: `Created for item ${index}`,
		})),
	},
	{
		title: 'upsert 100, half exist',
		amount: 100,
		begin: (service, amount) => storeReferences(service, amount / 2),
		run: node({ ...upsert, options: {} }, (index) => ({
			[fields.reference]: referenceOf(index),
			[fields.customerNumber]: 'C-0001',
		})),
	},
	{
		title: 'sync 1,000, 10 differ',
		amount: 1_000,
		begin: storeReferences,
		run: node({ ...upsert, options: { skipUnchanged: true } }, (index) => ({
			[fields.reference]: referenceOf(index),
			[fields.remark]: remarkOf(index),
		})),
	},
	{
		title: 'get 1,000 by match',
		amount: 1_000,
		begin: storeReferences,
		run: node(
			{ operation: 'get', getBy: 'match', matchFields: [fields.reference], options: {} },
			(index) => ({ [fields.reference]: referenceOf(index) }),
		),
	},
	{
		title: 'poll with 100 changes',
		amount: 100,
		async run(service, amount) {
			const poller = await activatePolling({
				parameters: { sheet },
				credentials: credentialsOf(service),
			});
			await poller.poll();
			for (let id = 1; id <= amount; id++) {
				service.people.edit(orders, id, { [fields.remark]: 'Changed' });
			}
			return async () => {
				const found = await poller.poll();
				if (found.length < amount) throw new Error(`Only ${found.length} changes were found`);
			};
		},
	},
];

/** Measures each job at each latency, or only the first ones with few records. */
export async function measureLatencies(isSmall: boolean): Promise<LatencyResult[]> {
	const results: LatencyResult[] = [];
	for (const job of jobs) {
		// Loads the code that it runs.
		await measure(job, Math.min(job.amount, 10), 0);
		const amount = isSmall ? Math.min(job.amount, 10) : job.amount;
		for (const latency of isSmall ? latencies.slice(0, 1) : latencies) {
			results.push(await measure(job, amount, latency));
		}
	}
	return results;
}

async function measure(job: Job, amount: number, latency: number): Promise<LatencyResult> {
	const service = await startReferenceService({ demoRecords: Math.max(2_500, amount) });
	try {
		job.begin?.(service, amount);
		const run = await job.run(service, amount);
		service.switches.latencyMilliseconds = latency;
		service.requests.clear();
		const begun = performance.now();
		await run();
		const seconds = (performance.now() - begun) / 1000;
		const requests = service.requests.count;
		const floorSeconds = (requests * Math.max(1000 / requestsPerSecond, latency)) / 1000;
		const { title } = job;
		const ratio = seconds / floorSeconds;
		return { title, latencyMilliseconds: latency, requests, seconds, floorSeconds, ratio };
	} finally {
		await service.close();
	}
}
