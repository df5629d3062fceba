import type { INodeParameters } from 'n8n-workflow';
import { customers, orders, type Fault, type IdentityName, type SeenRequest } from '../../service';
import { asJson } from '../record/recordValues';
import { onOrders, sheet } from '../recordTestbed';
import { refusal, retrying } from '../retryOnFail/retrying';
import type { RunNodeOptions } from '../runner';
import { passMinutes, useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** Requests of a write for the names of the saved fields, and the output if these requests fail. */
const trigger = useFreshTriggerTestbed();
const { customerNumber, name, city } = customers.fields;
const { fields } = orders;

const createCustomer = {
	...{ resource: 'record', operation: 'create', sheet: sheet(customers) },
	...asJson(`={{ ({ "${customerNumber}": $json.number, "${name}": "New" }) }}`),
};
const createOrder = {
	...{ resource: 'record', ...onOrders('create') },
	...asJson({
		[fields.customerNumber]: 'C-0001',
		[fields.note]: 'one',
		[fields.secondNote]: 'two',
	}),
};
const some = (count: number) => Array.from({ length: count }, (_, i) => ({ number: `N-${i}` }));

async function run(
	parameters: INodeParameters,
	count = 1,
	identity: IdentityName = 'member',
	overrides: Partial<RunNodeOptions> = {},
) {
	const credentials = trigger.credentials(identity);
	const result = await trigger.testbed.run(parameters, some(count), { credentials, ...overrides });
	expect(result.error).toBeUndefined();
	return { json: result.json, hints: result.hints };
}

const schema = 'GET /metadata/schema?api';
const definition = 'GET ?api&def';
const readings = ['GET ?api&naming=EID', 'GET ?api&naming=FNAME'];
/** Request for the newest records, from which the kinds of fields are inferred for users without access to the schema. */
const newest = 'GET ?api&order=105%2CDESC&naming=EID';

/** Returns the requests that the service received, without the path of the sheet. */
const requestsSeen = () =>
	trigger.service.requests.all().map(({ method, rawUrl }) => {
		const [, rest = ''] = rawUrl.split(/sales\/\w+\/\d/);
		return `${method} ${rest.replace(/&(limit|version)=.*$/, '')}`;
	});
const writes = (count: number) => Array.from({ length: count }, () => 'POST ?api');
const isLearning = ({ method }: SeenRequest) => method === 'GET';

const byIds = [customerNumber, name, city];
const byNames = ['Customer Number', 'Name', 'City'];
const unlearnt = (fieldIds: string) => [
	{
		message: `The names of these fields could not be looked up, so the output has their IDs: ${fieldIds}. Use the IDs in expressions, or set 'Output Field Names By' to Field IDs.`,
		type: 'warning',
		location: 'outputPane',
	},
];

describe('the names of fields are requested', () => {
	const [first, ...remaining] = writes(5);
	const byMember = [schema, schema, definition, newest];

	it.each<{
		source: string;
		parameters: INodeParameters;
		identity: IdentityName;
		before: string[];
		after: string[];
	}>([
		{
			source: 'the schema',
			parameters: createCustomer,
			identity: 'admin',
			before: [schema],
			after: [],
		},
		{
			source: 'the definition, where the schema is refused, also half a second later',
			parameters: createCustomer,
			identity: 'member',
			before: byMember,
			after: [],
		},
		{
			source: 'readings, too, where names are double',
			parameters: createOrder,
			identity: 'admin',
			before: [schema],
			after: readings,
		},
	])(
		'the names are requested once, with the kinds of the fields: $source',
		async ({ before, after, ...row }) => {
			const { parameters, identity } = row;
			const { json, hints } = await run(parameters, 5, identity);
			expect(json).toHaveLength(5);
			expect(requestsSeen()).toEqual([...before, first, ...after, ...remaining]);
			expect(hints).toEqual([]);
		},
	);

	it('the names are requested once from records if no other source lists them', async () => {
		Object.assign(trigger.service.switches, { schema: 'http404', definition: 'html' });
		const { json } = await run(createOrder, 5);
		expect(json[4]).toMatchObject({ Note: 'one', Note2: 'two' });
		expect(requestsSeen()).toEqual([schema, definition, ...readings, newest, first, ...remaining]);
	});

	it('the names are requested again after ten minutes, from the source that answered', async () => {
		await run(createOrder);
		trigger.service.requests.clear();
		passMinutes(9);
		await run(createOrder);
		expect(requestsSeen()).toEqual([first]);
		passMinutes(2);
		trigger.service.requests.clear();
		await run(createOrder);
		expect(requestsSeen()).toEqual([definition, newest, first, ...readings]);
	});

	it('the names are requested from the best source again an hour after another one answered', async () => {
		await run(createOrder);
		trigger.service.requests.clear();
		passMinutes(61);
		await run(createOrder);
		expect(requestsSeen()).toEqual([...byMember, first, ...readings]);
	});

	it('the names are not requested if the output has IDs, only the kinds of fields', async () => {
		const options = { fieldKeys: 'id' };
		const { json } = await run({ ...createCustomer, options }, 3);
		expect(Object.keys(json[0] ?? {})).toEqual(expect.arrayContaining(byIds));
		const listener = await trigger.listenAsItIs({ verification: 'off', options });
		await listener.post(trigger.body([1]));
		expect(requestsSeen()).toEqual([...byMember, ...writes(3)]);
	});

	it('the names are not requested if the answer contains no values of the record, only the kinds of fields', async () => {
		trigger.service.switches.answerCarriesData = false;
		const { hints } = await run(createCustomer, 3);
		expect(requestsSeen()).toEqual([...byMember, ...writes(3)]);
		expect(hints).toEqual([]);
	});
});

const noAccess: Fault = {
	kind: 'body',
	body: '{"status":"ERROR","code":106,"msg":"No access right"}',
};
/** Faults because of which the service lists no names, beginning with the first request. */
const faults: Array<[string, Fault]> = [
	['refusals', noAccess],
	['refusals of the identity', { kind: 'status', status: 401 }],
	['HTTP 503', { kind: 'status', status: 503 }],
	['HTTP 429 for an hour', { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }],
	['web pages', { kind: 'body', body: '<!DOCTYPE html><title>Maintenance</title>' }],
	['silence', { kind: 'hang' }],
];

it.each(faults)(
	'where the service answers %s, items are written once, and deliveries accepted: with IDs instead of names and one hint',
	async (what, fault) => {
		// Shorten the time-out for silence to less than the time limit of a test.
		const { timeout } = AbortSignal;
		const milliseconds = what === 'silence' ? 50 : 10_000;
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation(() => timeout.call(AbortSignal, milliseconds));
		trigger.service.faults.inject({ ...fault, when: isLearning, times: Infinity });
		const { json, hints } = await run(createCustomer, 3);
		expect(json.map((item) => item[customerNumber])).toEqual(['N-0', 'N-1', 'N-2']);
		expect(Object.keys(json[2] ?? {})).toEqual(expect.arrayContaining(byIds));
		expect(trigger.testbed.writes).toHaveLength(3);
		// The second hint reports how long the run waited for the service.
		expect(hints).toHaveLength(what.startsWith('HTTP') ? 2 : 1);
		const unnamedWarning = `so the output has their IDs: ${customerNumber}, ${name}`;
		expect(hints[0]?.message).toContain(unnamedWarning);
		for (const { _warning } of json) expect(_warning).toContain(unnamedWarning);
		// Kinds and names are each requested as often as a failed read is tried, and not again for another item.
		expect(trigger.testbed.reads.length).toBeLessThanOrEqual(2 * 8);
		expect(requestsSeen().slice(-2)).toEqual(writes(2));
		const listener = await trigger.listenAsItIs({ verification: 'off' });
		await listener.post(trigger.body([5]));
		expect(await listener.items()).toEqual([
			expect.objectContaining({ record: expect.objectContaining({ [fields.note]: '' }) }),
		]);
	},
);

it('the last known names of fields are used while the service is busy', async () => {
	await run(createOrder);
	passMinutes(5);
	const busy: Fault = { kind: 'status', status: 503 };
	trigger.service.faults.inject({ ...busy, when: isLearning, times: Infinity });
	const { json, hints } = await run(createOrder);
	expect(json[0]).toMatchObject({ Note: 'one', Note2: 'two' });
	expect(json[0]).not.toHaveProperty('_warning');
	// The kinds of the fields are also cached for ten minutes, so no request is sent.
	expect(hints).toEqual([]);
	const listener = await trigger.listenAsItIs({ verification: 'off' });
	await listener.post(trigger.body([5]));
	expect((await listener.items())[0]).toHaveProperty('record.Note2');
});

it('a temporary failure loses no names', async () => {
	const fault: Fault = { kind: 'status', status: 503 };
	trigger.service.faults.inject({ ...fault, when: isLearning, times: 2 });
	const { json, hints } = await run(createCustomer, 2);
	expect(Object.keys(json[0] ?? {})).toEqual(expect.arrayContaining(byNames));
	expect(trigger.testbed.writes).toHaveLength(2);
	expect(hints).toEqual([]);
});

it('with Retry On Fail nothing is written twice, regardless of the names, and the hint is shown', async () => {
	const { faults: waiting } = trigger.service;
	waiting.inject({ kind: 'status', status: 500, when: isLearning, times: Infinity });
	const isSecond = ({ body }: SeenRequest) => JSON.stringify(body ?? '').includes('N-1');
	waiting.inject({ ...refusal, when: isSecond });
	const { json, hints } = await run(createCustomer, 3, 'member', retrying);
	expect(json.map((item) => item[customerNumber])).toEqual(['N-0', 'N-1', 'N-2']);
	expect(trigger.testbed.writes).toHaveLength(4);
	expect(hints[0]?.message).toContain('could not be looked up');
	expect(hints[1]?.message).toMatch(/^The node waited/);
	expect(hints).toHaveLength(2);
});

it('two fields with the same name keep their IDs if no read numbers them, and no value is lost', async () => {
	const isReading = ({ rawUrl }: SeenRequest) => rawUrl.includes('naming=');
	const down: Fault = { kind: 'status', status: 500 };
	trigger.service.faults.inject({ ...down, when: isReading, times: Infinity });
	const { json, hints } = await run(createOrder, 2, 'admin');
	expect(json[1]).toMatchObject({ [fields.note]: 'one', [fields.secondNote]: 'two', City: '' });
	expect(json[1]).not.toHaveProperty('Note');
	expect(hints).toEqual(unlearnt(`${fields.note}, ${fields.secondNote}`));
	const listener = await trigger.listenAsItIs({ verification: 'off' });
	await listener.post(trigger.body([Number(json[1]?._recordId)]));
	expect(await listener.items()).toEqual([
		expect.objectContaining({
			record: expect.objectContaining({ [fields.note]: 'one', [fields.secondNote]: 'two' }),
		}),
	]);
});
