import type { IDataObject } from 'n8n-workflow';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import { clearProcessState } from '../../../nodes/api/http/processState';
import type { DeliveredRecord } from '../../../nodes/api/webhooks/delivery';
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

/** Returns the number of yields while a node with these options receives a delivery of this number of records, and its items. */
async function receive(count: number, staticData: IDataObject, input: IDataObject) {
	const { watchFields = [], ...options } = input;
	const data = updates(count).map(({ recordId }) => ({ _svcId: recordId, 1000001: 'A' }));
	const envelope = { apname: 'acme', path: '/sales', sheetIndex: 1, eventType: 'UPDATE' };
	const parameters: IDataObject = {
		authentication: 'apiKey',
		sheet: { __rl: true, mode: 'path', value: 'sales/1' },
		...{ registration: 'manual', verification: 'off', events: ['UPDATE'], filters: {} },
		...{ watchFields, options: { ...options, fieldKeys: 'id' } },
	};
	const body = JSON.stringify({ data, ...envelope });
	const answer = async () => await Promise.resolve({ statusCode: 503, headers: {}, body: '' });
	const yields = spyOnYields();
	const context = fakeContext({ parameters, staticData, body, onAnswer: () => {}, answer });
	const { workflowData = [] } = await receiveDelivery(context);
	const result = { yields: yields.mock.calls.length, items: workflowData.flat().length };
	yields.mockRestore();
	return result;
}

it.each([{ skipUnchanged: true }, { skipRepeats: true }])(
	'a large delivery with %j yields after each 250 records',
	async (options) => {
		const plain = await receive(5_000, {}, {});
		const { yields, items } = await receive(5_000, activated(), options);
		expect(items).toBe(5_000);
		const ofComparing = 2_000 / 250;
		expect(plain.yields).toBeGreaterThanOrEqual(5_000 / 250);
		expect(yields).toBeGreaterThanOrEqual(
			plain.yields + (options.skipRepeats === true ? ofComparing : 0),
		);
	},
);

it('of a large delivery, only as many records are digested as are remembered', () => {
	const recent = new RecentDeliveries(nodeKey, activated(), compared);
	const noted = [...recent.noteDelivery({ event: 'UPDATE', records: updates(150_000) }, 0)];
	expect(noted).toHaveLength(2_000 / 250);
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
		const yields = spyOnYields();
		const { workflowData = [] } = await receiveDelivery(context);
		const result = { yields: yields.mock.calls.length, items: workflowData.flat().length };
		yields.mockRestore();
		return result;
	};
	const quick = await receiveFiltered('^a');
	const slow = await receiveFiltered('((a{1,10}){1,10})+=');
	expect([quick.items, slow.items]).toEqual([20, 20]);
	expect(slow.yields - quick.yields).toBeGreaterThanOrEqual(19);
});
