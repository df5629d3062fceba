import type { IDataObject } from 'n8n-workflow';

import { empty, orders, tasks } from '../../service';
import type { SeenRequest, SheetAddress } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { title, amount } = empty.fields;

const isLookUp = ({ rawUrl }: SeenRequest) => rawUrl.includes('where=');
const lookUps = () => testbed.reads.filter(isLookUp);

/** What became of each item: the record and the action. */
async function outcomes(address: SheetAddress, columns: string[], items: IDataObject[]) {
	const parameters = { operation: 'upsert', sheet: sheet(address), ...autoMapped(columns) };
	const result = await testbed.run(parameters, items);
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => [json._recordId, json._action]);
}

/** The same items in one run, and in a run of their own each: the records afterwards. */
async function togetherAndAlone(items: IDataObject[], prepare: () => void) {
	prepare();
	const together = await outcomes(empty, [amount], items);
	const recordsTogether = testbed.service.data.sheet(empty).records.size;
	testbed.service.reset();
	prepare();
	const alone = [];
	for (const item of items) alone.push(...(await outcomes(empty, [amount], [item])));
	return {
		together: { outcomes: together, records: recordsTogether },
		alone: { outcomes: alone, records: testbed.service.data.sheet(empty).records.size },
	};
}

function addAmounts(...amounts: string[]) {
	for (const value of amounts) {
		testbed.service.data
			.sheet(empty)
			.add({ at: 0, user: 'max.member@acme.example' })
			.set(amount, value);
	}
}

describe('numbers, which the service compares as numbers', () => {
	it.each<[string, string[], Array<string | number>]>([
		['5 finds 5.00', ['5.00'], [5]],
		['5.0 and 7 find 5 and 7.00', ['5', '7.00'], ['5.0', 7]],
		['with a new number among them', ['5.00'], [5, 6, 7]],
		['5 and 5.00 find the same record', ['5.00'], ['5.00', 5]],
		['5 and 5.00 find the same record, the other way round', ['5.00'], [5, '5.00']],
		['5 and 5.00 find the same new record', [], ['5.00', 5, 6]],
		['05 finds 5', ['5', '6'], ['05', 6]],
		['long numbers', ['12345678901234567890.0'], ['12345678901234567890', 1]],
	])('%s, in one run as well as alone', async (_, existing, values) => {
		const items = values.map((value, index) => ({ [amount]: value, [title]: `Item ${index}` }));
		const { together, alone } = await togetherAndAlone(items, () => addAmounts(...existing));
		expect(together).toEqual(alone);
	});
});

describe('checkboxes, which the service keeps as Yes and No', () => {
	it('are found by true', async () => {
		for (const record of testbed.service.data.sheet(tasks).records.values()) {
			record.set(tasks.fields.done, 'No');
		}
		testbed.service.data.record(tasks, 9).set(tasks.fields.done, 'Yes');
		const items = [{ [tasks.fields.done]: true, [tasks.fields.assignee]: 'Done' }];
		expect(await outcomes(tasks, [tasks.fields.done], items)).toEqual([[9, 'updated']]);
	});
});

describe('selections', () => {
	it('of several values are found by one of them', async () => {
		const { fields } = orders;
		for (const record of testbed.service.data.sheet(orders).records.values()) {
			record.set(fields.tags, []);
		}
		testbed.service.data.record(orders, 21).set(fields.tags, ['Gift', 'Bulk']);
		const items = [{ [fields.tags]: ['Bulk'], [fields.remark]: 'x' }];
		expect(await outcomes(orders, [fields.tags], items)).toEqual([[21, 'updated']]);
	});

	it('of several values are no key', async () => {
		const { fields } = orders;
		const result = await testbed.run(
			{ operation: 'upsert', sheet: sheet(orders), ...autoMapped([fields.tags]) },
			[{ [fields.tags]: ['Gift', 'Bulk'] }],
		);
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('several values');
		expect(testbed.writes).toEqual([]);
	});
});

describe('a service that takes no notice of capitals', () => {
	const texts: Record<string, string> = { 0: 'Acme', 1: 'BETA', 2: 'gamma' };

	/** Answers look-ups as such a service does. */
	beforeEach(() => {
		for (const text of Object.values(texts)) {
			testbed.service.data
				.sheet(empty)
				.add({ at: 0, user: 'max.member@acme.example' })
				.set(title, text);
		}
		const answer = (wanted: string[]) =>
			Object.fromEntries(
				Object.entries(texts)
					.filter(([, text]) => wanted.includes(text.toLowerCase()))
					.map(([id, text]) => [id, { _svcId: Number(id), [title]: text }]),
			);
		const subsets = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
			Object.values(texts)
				.map((text) => text.toLowerCase())
				.filter((_, index) => (bits >> index) % 2 === 1),
		);
		for (const wanted of subsets) {
			const firstPage = (request: SeenRequest) =>
				isLookUp(request) && keysOf(request).sort().join() === [...wanted].sort().join();
			testbed.service.faults.inject({
				kind: 'body',
				body: '{}',
				when: (request) =>
					firstPage(request) && request.query.some(([k, v]) => k === 'offset' && v !== '0'),
				times: Infinity,
			});
			const body = JSON.stringify(answer(wanted));
			testbed.service.faults.inject({ kind: 'body', body, when: firstPage, times: Infinity });
		}
	});

	/** The texts that a look-up asks for and the sheet has, in small letters. */
	function keysOf({ query }: SeenRequest): string[] {
		const asked = query
			.filter(([name]) => name === 'where')
			.map(([, value]) => (value.split(',')[2] ?? '').toLowerCase());
		return Object.values(texts)
			.map((text) => text.toLowerCase())
			.filter((text) => asked.includes(text));
	}

	it('is believed, together and alone', async () => {
		const items = ['ACME', 'beta', 'gamma', 'delta'].map((text) => ({
			[title]: text,
			[amount]: 1,
		}));
		expect(await outcomes(empty, [title], items)).toEqual([
			[0, 'updated'],
			[1, 'updated'],
			[2, 'updated'],
			[3, 'created'],
		]);
	});

	it('has one record for two spellings of a key', async () => {
		const items = ['Acme', 'ACME'].map((text) => ({ [title]: text, [amount]: 1 }));
		expect(await outcomes(empty, [title], items)).toEqual([
			[0, 'updated'],
			[0, 'updated'],
		]);
		expect(testbed.service.data.sheet(empty).records.size).toBe(3);
	});
});

describe('several fields', () => {
	it('whose values other keys share are no match', async () => {
		const { fields } = orders;
		const [first, second] = [31, 32].map((id) => testbed.service.data.record(orders, id));
		first?.set(fields.reference, 'A').set(fields.city, 'Y');
		second?.set(fields.reference, 'B').set(fields.city, 'X');
		const items = [
			{ [fields.reference]: 'A', [fields.city]: 'X', [fields.customerNumber]: 'C-0001' },
			{ [fields.reference]: 'B', [fields.city]: 'Y', [fields.customerNumber]: 'C-0002' },
		];
		expect(await outcomes(orders, [fields.reference, fields.city], items)).toEqual([
			[301, 'created'],
			[302, 'created'],
		]);
		expect(first?.text(fields.customerNumber)).not.toBe('C-0001');
	});

	it('of which one is a number are compared as the service does', async () => {
		addAmounts('5.00', '6');
		const { data } = testbed.service;
		data.record(empty, 0).set(title, 'a');
		data.record(empty, 1).set(title, 'b');
		const items = [
			{ [title]: 'a', [amount]: 5 },
			{ [title]: 'b', [amount]: 6 },
			{ [title]: 'a', [amount]: 6 },
		];
		expect(await outcomes(empty, [title, amount], items)).toEqual([
			[0, 'updated'],
			[1, 'updated'],
			[2, 'created'],
		]);
	});
});

describe('the cost', () => {
	it('of numbers that are written otherwise is no request for each of them', async () => {
		const values = Array.from({ length: 60 }, (_, index) => index + 1);
		addAmounts(...values.map((value) => value.toFixed(2)));
		const items = values.map((value) => ({ [amount]: value, [title]: 'x' }));
		const found = await outcomes(empty, [amount], items);
		expect(found).toEqual(values.map((value) => [value - 1, 'updated']));
		expect(lookUps().length).toBeLessThanOrEqual(10);
	});
});
