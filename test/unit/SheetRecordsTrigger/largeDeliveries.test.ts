import type { IDataObject } from 'n8n-workflow';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import { clearProcessState } from '../../../nodes/api/http/processState';
import type { DeliveredRecord } from '../../../nodes/api/webhooks/delivery';
import { TextPattern } from '../../../nodes/api/values/textPattern';
import { receiveDelivery } from '../../../nodes/SheetRecordsTrigger/receiveDelivery';
import {
	RecentDeliveries,
	restartMemory,
} from '../../../nodes/SheetRecordsTrigger/recentDeliveries';
import { spyOnYields } from '../api/http/yields';
import { fakeContext } from './fakeContext';

const nodeKey = 'workflow/node';
const compared = { repeats: true, content: true, watched: [] };

beforeEach(() => clearProcessState());

function updates(count: number, text = 'A'): DeliveredRecord[] {
	return Array.from({ length: count }, (_, index) => ({
		recordId: String(index + 1),
		event: 'UPDATE' as const,
		content: new Map([['1000001', text]]),
	}));
}

function activated(): IDataObject {
	const staticData = {};
	restartMemory(nodeKey, staticData);
	return staticData;
}

/** Makes each look at the clock 20 ms later than the one before. */
function slowClock(): void {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (now += 20));
}

/** Returns the number of yields while a node with these options receives a delivery of this number of records, and its items. */
async function receive(count: number, staticData: IDataObject, input: IDataObject) {
	const { watchFields = [], ...options } = input;
	const data = updates(count).map(({ recordId }) => ({ _svcId: recordId, 1000001: 'A' }));
	const envelope = { apname: 'acme', path: '/sales', sheetIndex: 1, eventType: 'UPDATE' };
	const parameters: IDataObject = {
		authentication: 'apiKey',
		sheet: { __rl: true, mode: 'path', value: 'sales/1' },
		...{ registration: 'manual', verification: 'off', events: ['UPDATE'], filters: {} },
		...{ watchFields, options: { fieldKeys: 'id', ...options } },
	};
	const body = JSON.stringify({ data, ...envelope });
	const schema = { fields: [{ fieldId: 1000001, fieldName: 'Remark', type: 'text' }] };
	const schemaAnswer = { statusCode: 200, headers: {}, body: JSON.stringify(schema) };
	const answer = async () => await Promise.resolve(schemaAnswer);
	slowClock();
	const yields = spyOnYields();
	const context = fakeContext({ parameters, staticData, body, onAnswer: () => {}, answer });
	const { workflowData = [] } = await receiveDelivery(context);
	const result = { yields: yields.mock.calls.length, items: workflowData.flat().length };
	jest.restoreAllMocks();
	return result;
}

// More records than are remembered.
const count = 2_500;
// A step of comparing yields once. Between two items, the node also asks to hear of the next turn.
const comparing = count;
const making = 2 * count;
const names = { ' 1000001': 'Remark' };

it.each([
	{ options: {}, least: comparing + making },
	{ options: { skipUnchanged: true }, least: comparing + making },
	{ options: { watchFields: ['1000001'] }, least: comparing + making },
	// Only as many records are compared with earlier deliveries as are remembered.
	{ options: { skipRepeats: true }, least: comparing + making + 2_000 },
	// Names are looked for in all records before items are made.
	{ options: { fieldKeys: 'name' }, least: comparing + making + count },
	{ options: { downloadFiles: ['1000001'] }, least: comparing + 2 * making },
])(
	'a large delivery with $options yields after each record that takes long, however many fields it has',
	async ({ options, least }) => {
		const { yields, items } = await receive(count, { ...activated(), names }, options);
		expect(items).toBe(count);
		expect(yields).toBeGreaterThanOrEqual(least - 5);
	},
);

it('of a large delivery, only as many records are digested as are remembered', () => {
	const recent = new RecentDeliveries(nodeKey, activated(), compared);
	const noted = [...recent.noteDelivery({ event: 'UPDATE', records: updates(20_000) }, 0)];
	expect(noted).toHaveLength(2_000);
});

it('of an event that is not chosen, nothing is digested for Skip Repeats', () => {
	const recent = new RecentDeliveries(nodeKey, activated(), compared);
	const delivery = { event: 'UPDATE' as const, records: updates(1_000) };
	expect([...recent.noteDelivery(delivery, 0, false)]).toEqual([]);
	expect(atOnce(recent.noteDelivery(delivery, 1))).toBe(false);
	expect(atOnce(recent.noteDelivery(delivery, 2))).toBe(true);
});

it('the deliveries of a node are compared in their order, although each yields', async () => {
	const recent = new RecentDeliveries(nodeKey, activated(), compared);
	const note = async (count: number, now: number) =>
		await recent.inTurn(recent.noteDelivery({ event: 'UPDATE', records: updates(count) }, now));
	const ended: number[] = [];
	const all = [1_000, 1, 1_000].map(async (count, index) => {
		const isRepeat = await note(count, index);
		ended.push(index);
		return isRepeat;
	});
	expect(await Promise.all(all)).toEqual([false, true, true]);
	expect(ended).toEqual([0, 1, 2]);
});

it('a delivery of records with which a regular expression takes many steps yields after each record', async () => {
	const schema = { fields: [{ fieldId: 1000001, fieldName: 'Remark', type: 'text' }] };
	const answer = async () =>
		await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(schema) });
	const data = Array.from({ length: 20 }, (_, id) => ({ _svcId: id, 1000001: 'a'.repeat(9_000) }));
	const envelope = { apname: 'acme', path: '/sales', sheetIndex: 1, eventType: 'UPDATE' };
	const body = JSON.stringify({ data, ...envelope });
	const receiveFiltered = async (value: string) => {
		const conditions = [{ field: '1000001', operator: 'regex', value }];
		const parameters: IDataObject = {
			...{ authentication: 'apiKey', sheet: { __rl: true, mode: 'path', value: 'sales/1' } },
			...{ registration: 'manual', verification: 'off', events: ['UPDATE'], watchFields: [] },
			...{ filters: { conditions }, options: { fieldKeys: 'id' } },
		};
		const context = fakeContext({ parameters, staticData: {}, body, onAnswer: () => {}, answer });
		// A clock that only the steps of regular expressions move, as slowly as on a slow machine.
		let now = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		const test = TextPattern.prototype.test;
		jest.spyOn(TextPattern.prototype, 'test').mockImplementation(function (
			this: TextPattern,
			text,
			budget,
		) {
			const before = budget.steps;
			const isFound = test.call(this, text, budget);
			now += (before - Math.max(0, budget.steps)) / 5_000;
			return isFound;
		});
		const yields = spyOnYields();
		const { workflowData = [] } = await receiveDelivery(context);
		const result = { yields: yields.mock.calls.length, items: workflowData.flat().length };
		jest.restoreAllMocks();
		return result;
	};
	const quick = await receiveFiltered('^a');
	const slow = await receiveFiltered('((a{1,10}){1,10})+=');
	expect([quick.items, slow.items]).toEqual([20, 20]);
	expect(quick.yields).toBeLessThan(10);
	expect(slow.yields - quick.yields).toBeGreaterThanOrEqual(19);
});
