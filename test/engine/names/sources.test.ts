import type { INodeParameters } from 'n8n-workflow';
import { orders, type Fault, type SeenRequest } from '../../service';
import { asJson } from '../record/recordValues';
import { recordId, sheet } from '../recordTestbed';
import { activatePolling, loadOptionsOf } from '../runner';
import { passMinutes, useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** Sources of the list of fields, and how long an error response is cached. */
const trigger = useFreshTriggerTestbed();
const { fields } = orders;
const isSchema = ({ rawUrl }: SeenRequest) => rawUrl.includes('/metadata/schema');
const isRead = ({ method, path }: SeenRequest) => method === 'GET' && path.startsWith('/acme');
const noAccess: Fault = {
	kind: 'body',
	body: '{"status":"ERROR","code":106,"msg":"No access right"}',
};

/** Rejects all reads. Writes are still allowed. */
function refuseReads(): void {
	trigger.service.faults.inject({ ...noAccess, when: isRead, times: Infinity });
}

/** Returns the requests for fields, by source. */
function requestedSources(): string[] {
	return trigger.service.requests
		.all()
		.filter(isRead)
		.map(({ rawUrl }) => {
			if (rawUrl.includes('/metadata/schema')) return 'schema';
			if (/[?&]def\b/.test(rawUrl)) return 'definition';
			const naming = /naming=(\w+)/.exec(rawUrl)?.[1] ?? '';
			return /limit=20\b/.test(rawUrl) ? naming : 'records';
		});
}
const refusedOnce = ['schema', 'schema', 'definition', 'definition', 'EID', 'EID'];

const createOrder = {
	...{ operation: 'create', sheet: sheet(orders) },
	...asJson({ [fields.customerNumber]: 'C-0001', [fields.remark]: 'new' }),
};

async function run(parameters: INodeParameters, identity: 'admin' | 'member' = 'member') {
	const credentials = trigger.credentials(identity);
	const result = await trigger.testbed.run(parameters, [{}], { credentials });
	expect(result.error).toBeUndefined();
	return result;
}

describe('a key without read access to the sheet sends one request to each source in ten minutes', () => {
	it('in 30 deliveries', async () => {
		refuseReads();
		const listener = await trigger.listenAsItIs({ verification: 'off' });
		for (let count = 0; count < 30; count += 1) await listener.post(trigger.body([5]));
		expect(await listener.items()).toHaveLength(30);
		expect(requestedSources()).toEqual(refusedOnce);
	});

	it('in several runs, and then again', async () => {
		refuseReads();
		for (let count = 0; count < 5; count += 1) {
			const { json } = await run(createOrder);
			expect(json[0]?._warning).toContain('could not be looked up');
			passMinutes(1);
		}
		expect(requestedSources()).toEqual(refusedOnce);
		passMinutes(6);
		await run(createOrder);
		expect(requestedSources()).toEqual([...refusedOnce, ...refusedOnce]);
	});

	it('in several runs of Get Fields, which say so each time', async () => {
		refuseReads();
		const getFields = { resource: 'sheet', operation: 'getFields', sheet: sheet(orders) };
		const options = { credentials: trigger.credentials() };
		for (let count = 0; count < 3; count += 1) {
			const message = await trigger.testbed.errorOf(getFields, [{}], options);
			expect(message).toContain('does not return the fields of this sheet');
		}
		expect(requestedSources()).toEqual(refusedOnce);
	});

	it('in several polls by a key that may only read records', async () => {
		Object.assign(trigger.service.switches, { schema: 'code106', definition: 'code106' });
		const parameters = { sheet: sheet(orders), options: { typedValues: true } };
		const poller = await activatePolling({ parameters, credentials: trigger.credentials() });
		for (const minutes of [0, 1, 1, 1]) {
			passMinutes(minutes);
			trigger.service.people.edit(orders, 5, { [fields.remark]: `after ${minutes}` });
			await poller.poll();
		}
		poller.close();
		const sources = requestedSources().filter((source) => source !== 'records');
		expect(sources).toEqual(['schema', 'schema', 'definition', 'definition', 'EID', 'FNAME']);
	});

	it('per sheet and user', async () => {
		trigger.service.faults.inject({ ...noAccess, when: isRead, times: 6 });
		await run(createOrder);
		await run(createOrder, 'admin');
		expect(requestedSources().slice(6)).toEqual(['schema', 'EID', 'FNAME']);
	});
});

it('the mapper requests all sources again at once, because the permissions may have changed', async () => {
	trigger.service.faults.inject({ ...noAccess, when: isRead, times: 6 });
	await run(createOrder);
	const mapped = await loadOptionsOf({
		node: 'sheetRecords',
		parameters: { resource: 'record', operation: 'create', sheet: sheet(orders) },
		credentials: trigger.credentials(),
		method: { kind: 'resourceMapping', name: 'getRecordFields' },
	});
	expect(Object(mapped).fields).not.toHaveLength(0);
	expect(requestedSources().slice(6, 9)).toEqual(['schema', 'schema', 'definition']);
	const { json } = await run(createOrder);
	expect(json[0]).toHaveProperty('Remark', 'new');
});

it("a valid key that is once mistaken for a guest's is accepted by the schema half a second later", async () => {
	trigger.service.faults.inject({ ...noAccess, when: isSchema, times: 1 });
	const typed = { operation: 'get', sheet: sheet(orders), recordId: recordId(5) };
	const { json } = await run({ ...typed, options: { typedValues: true } }, 'admin');
	expect(json[0]?.Total).toEqual(expect.any(Number));
	expect(requestedSources()).toEqual(expect.not.arrayContaining(['definition']));
});

it.each<{ trouble: string; fault: Fault }>([
	{ trouble: 'a maintenance page', fault: { kind: 'body', body: '<html>Maintenance</html>' } },
	{ trouble: 'HTTP 500', fault: { kind: 'status', status: 500 } },
])(
	'a list with less information that was loaded after $trouble is cached for a minute',
	async ({ fault }) => {
		trigger.service.faults.inject({ ...fault, when: isSchema, times: 1 });
		await run(createOrder, 'admin');
		expect(requestedSources()).toEqual(['schema', 'definition', 'records', 'EID', 'FNAME']);
		passMinutes(2);
		trigger.service.requests.clear();
		await run(createOrder, 'admin');
		expect(requestedSources()[0]).toBe('schema');
	},
);

it('HTTP 503 of the schema is repeated: no source with less information is requested and cached', async () => {
	trigger.service.faults.inject({ kind: 'status', status: 503, when: isSchema, times: 2 });
	await run(createOrder, 'admin');
	expect(requestedSources()).toEqual(['schema', 'schema', 'schema', 'EID', 'FNAME']);
});
