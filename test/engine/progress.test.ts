import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { empty, orders } from '../service';
import type { SeenRequest } from '../service';
import { until } from '../until';
import { failureModes, useCancellable } from './cancellable';
import { byConditions, mass, quickly } from './massOperation/massParameters';
import { autoMapped } from './record/recordValues';
import { onOrder, onOrders, sheet, useRecordTestbed } from './recordTestbed';
import type { RunNodeOptions } from './runner';
import { ExecuteContext } from './runner/core';

const testbed = useRecordTestbed();
const cancellable = useCancellable(testbed);

afterEach(() => jest.restoreAllMocks());

const { title } = empty.fields;
const created = (count: number) =>
	Array.from({ length: count }, (_, number) => ({ [title]: `Title ${number}` }));

const createEmpty = { operation: 'create', sheet: sheet(empty), ...autoMapped() };
const upsertEmpty = { operation: 'upsert', sheet: sheet(empty), ...autoMapped([title]) };
const deleteOrder = onOrder('delete');
const readOrders: INodeParameters = {
	...onOrders('getAll'),
	returnAll: true,
	options: { subtables: false, pageSize: 31 },
};

/** Collects the lines that the editor shows. n8n adds the name of the node. */
function listen() {
	const messages: unknown[] = [];
	const onMessage: RunNodeOptions['onMessage'] = (_type, data) => {
		if (typeof data !== 'object' || data === null || !('messages' in data)) return;
		if (Array.isArray(data.messages)) messages.push(...data.messages);
	};
	return { messages, onMessage };
}

/** Stops the clock, except for the given duration of each request. */
function eachRequestTakes(
	milliseconds: number,
	counts: (request: SeenRequest) => boolean = () => true,
): void {
	let now = performance.now();
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	testbed.service.beforeRequest((request) => {
		if (counts(request)) now += milliseconds;
	});
}

const isWrite = ({ method }: SeenRequest) => method !== 'GET';

async function messagesOf(parameters: INodeParameters, items: RunNodeOptions['items'] = [{}]) {
	const { messages, onMessage } = listen();
	const result = await testbed.runById(parameters, items, { onMessage });
	return { messages, result };
}

describe('a run over many items', () => {
	it.each<[string, INodeParameters, Array<Record<string, string | number>>]>([
		['create', createEmpty, created(5)],
		['upsert', upsertEmpty, created(5)],
		['delete', deleteOrder, [1, 2, 3, 4, 5].map((id) => ({ id }))],
	])(
		'a run over many items shows the number of finished items once a second: %s',
		async (_, parameters, items) => {
			eachRequestTakes(600, isWrite);
			const { messages, result } = await messagesOf(parameters, items);
			expect(result.items).toHaveLength(5);
			expect(messages).toEqual(['2 of 5 items', '4 of 5 items']);
		},
	);
});

/** Returns the arguments of a run that updates an order with its own value 60 times. The clock advances with each look at it. */
function unchangedOrders(): Parameters<typeof messagesOf> {
	let now = performance.now();
	jest.spyOn(performance, 'now').mockImplementation(() => (now += 30));
	testbed.service.data.record(orders, 5).set(orders.fields.remark, 'As it is');
	return [
		{ ...onOrder('update', '5'), ...autoMapped(), options: { skipUnchanged: true } },
		Array.from({ length: 60 }, () => ({ [orders.fields.remark]: 'As it is' })),
	];
}

it('a run yields to the event loop between items that send no request', async () => {
	const [parameters, items = []] = unchangedOrders();
	let turns = 0;
	let isRunning = true;
	const countTurns = () => {
		turns += 1;
		if (isRunning) setImmediate(countTurns);
	};
	countTurns();
	const turnsOfMessages: number[] = [];
	const onMessage = () => turnsOfMessages.push(turns);
	const result = await testbed.runById(parameters, items, { onMessage });
	isRunning = false;
	expect(result.items.map(({ json }) => json._action)).toEqual(items.map(() => 'unchanged'));
	expect(turnsOfMessages.length).toBeGreaterThan(2);
	expect(new Set(turnsOfMessages).size).toBe(turnsOfMessages.length);
});

it.each([
	['', readOrders.options],
	[' with a callback', { callback: 'show', subtables: false, pageSize: 31 }],
])('Return All shows once a second how many records were read%s', async (_, options) => {
	eachRequestTakes(400);
	const { messages, result } = await messagesOf({ ...readOrders, options: options ?? {} });
	expect(result.error).toBeUndefined();
	// Pages overlap by one record.
	expect(messages).toEqual(['91 records so far', '181 records so far', '271 records so far']);
});

describe('an editor that cannot be reached', () => {
	const lock = mass('lock', {
		...byConditions([orders.fields.orderNumber, 'like', '1']),
		options: quickly,
	});

	afterEach(() => Reflect.deleteProperty(ExecuteContext.prototype, 'sendMessageToUI'));

	it.each([
		['since there is no way to', undefined],
		[
			'since that fails',
			() => {
				throw new Error('Nobody is there');
			},
		],
	])('a failed message to the editor fails no run: %s', async (_, sendMessageToUI) => {
		Object.assign(ExecuteContext.prototype, { sendMessageToUI });
		eachRequestTakes(1200);
		for (const parameters of [createEmpty, readOrders, lock]) {
			const result = await testbed.runById(parameters, created(2));
			expect([result.status, result.error]).toEqual(['success', undefined]);
		}
	});
});

describe('cancelling', () => {
	const isCreation = ({ method, path }: SeenRequest) => method === 'POST' && path.endsWith('/9');
	const creations = () => testbed.service.requests.all().filter(isCreation);

	/** Cancels a run. Expects that it ends at once, shows the progress once, and sends nothing afterwards. */
	async function expectOneLineAfterCancel(
		expectedLine: string,
		isUnderWay: () => boolean,
		...[parameters, items, overrides]: Parameters<typeof cancellable>
	) {
		const { messages, onMessage } = listen();
		const cancel = cancellable(parameters, items, { ...overrides, onMessage });
		await until(isUnderWay);
		const sent = testbed.service.requests.count;
		const result = await cancel();
		expect(result.status).toBe('canceled');
		await wait(50);
		expect(testbed.service.requests.count).toBe(sent);
		expect(messages.filter((message) => String(message).startsWith('Cancelled'))).toEqual([
			expectedLine,
		]);
		expect(messages.at(-1)).toBe(expectedLine);
	}

	it.each([
		...failureModes.map(([how, overrides]) => ['creates', how, createEmpty, overrides] as const),
		['upserts', 'stop', upsertEmpty, {}] as const,
	])(
		'cancelling 5 %s shows how many items are done, on failure: %s',
		async (_what, _how, parameters, overrides) => {
			const isNext = () => creations().length === 4;
			testbed.inject({ kind: 'hang', when: isNext });
			await expectOneLineAfterCancel(
				'Cancelled after 3 of 5 items',
				isNext,
				parameters,
				created(5),
				overrides,
			);
			expect(testbed.service.data.sheet(empty).records.size).toBe(3);
		},
	);

	it.each(failureModes)(
		'cancelling items that send no request ends the run at the next item, on failure: %s',
		async (_, overrides) => {
			const [parameters, items] = unchangedOrders();
			const cancel = new AbortController();
			const { messages, onMessage } = listen();
			const result = await testbed.runById(parameters, items, {
				...overrides,
				signal: cancel.signal,
				onMessage: (...args) => {
					onMessage(...args);
					cancel.abort();
				},
			});
			expect(result.status).toBe('canceled');
			const [first] = messages;
			expect(first).toMatch(/^\d+ of 60 items$/);
			expect(messages).toEqual([first, `Cancelled after ${first}`]);
			expect(testbed.service.requests.all().filter(isWrite)).toEqual([]);
		},
	);

	it('cancelling Return All shows how many records were read', async () => {
		const isNext = () => testbed.reads.length === 4;
		testbed.inject({ kind: 'hang', when: isNext });
		await expectOneLineAfterCancel('Cancelled after 91 records', isNext, readOrders);
	});
});
