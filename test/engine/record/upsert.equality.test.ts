import type { IDataObject } from 'n8n-workflow';

import { empty, orders, tasks } from '../../service';
import type { SeenRequest, SheetAddress } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { addRecord, isLookUp } from './upserts';

const testbed = useRecordTestbed();
const { title, amount } = empty.fields;

/** What became of each item: the record and the action. */
async function outcomes(address: SheetAddress, columns: string[], items: IDataObject[]) {
	const parameters = { operation: 'upsert', sheet: sheet(address), ...autoMapped(columns) };
	const result = await testbed.run(parameters, items);
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => [json._recordId, json._action]);
}

const itemsOf = (...values: Array<string | number>) =>
	values.map((value, index) => ({ [amount]: value, [title]: `Item ${index}` }));

function addAmounts(...amounts: string[]) {
	for (const value of amounts) addRecord(testbed, amount, value);
}

const recordCount = () => testbed.service.data.sheet(empty).records.size;

describe('numbers, which the service compares as numbers', () => {
	it.each<[string, string[], Array<string | number>]>([
		['5 and 7 find 5.00 and 7.00, beside a new one', ['5.00', '7.00'], [5, 6, 7]],
		['5, 5.00 and 05 find the same record', ['5.00'], [5, '5.00', '05']],
		['5 and 5.00 find the same new record', [], ['5.00', 5, 6]],
		['long numbers', ['12345678901234567890.0'], ['12345678901234567890', 1]],
	])('%s, in one run as well as alone', async (_, existing, values) => {
		addAmounts(...existing);
		const together = [await outcomes(empty, [amount], itemsOf(...values)), recordCount()];
		testbed.service.reset();
		addAmounts(...existing);
		const alone = [];
		for (const item of itemsOf(...values)) alone.push(...(await outcomes(empty, [amount], [item])));
		expect(together).toEqual([alone, recordCount()]);
	});
});

it('checkboxes, which the service keeps as Yes and No, are found by true', async () => {
	const { done, assignee } = tasks.fields;
	for (const record of testbed.service.data.sheet(tasks).records.values()) record.set(done, 'No');
	testbed.service.data.record(tasks, 9).set(done, 'Yes');
	const items = [{ [done]: true, [assignee]: 'Done' }];
	expect(await outcomes(tasks, [done], items)).toEqual([[9, 'updated']]);
});

it('selections of several values are found by one of them, and are no key', async () => {
	const { tags, remark } = orders.fields;
	for (const record of testbed.service.data.sheet(orders).records.values()) record.set(tags, []);
	testbed.service.data.record(orders, 21).set(tags, ['Gift', 'Bulk']);
	const items = [{ [tags]: ['Bulk'], [remark]: 'x' }];
	expect(await outcomes(orders, [tags], items)).toEqual([[21, 'updated']]);
	const upsert = { operation: 'upsert', sheet: sheet(orders), ...autoMapped([tags]) };
	const { error } = await testbed.run(upsert, [{ [tags]: ['Gift', 'Bulk'] }]);
	expect(error?.message).toContain('several values');
	expect(testbed.writes).toHaveLength(1);
});

describe('a service that takes no notice of capitals', () => {
	const texts = ['Acme', 'BETA', 'gamma'];

	/** The records that a look-up would find without a look at capitals. */
	function foundBy({ query }: SeenRequest): string[] {
		const asked = query
			.filter(([name]) => name === 'where')
			.map(([, value]) => (value.split(',')[2] ?? '').toLowerCase());
		return texts.filter((text) => asked.includes(text.toLowerCase()));
	}

	/** Answers look-ups as such a service does. */
	beforeEach(() => {
		for (const text of texts) addRecord(testbed, title, text);
		const subsets = texts.reduce<string[][]>(
			(some, text) => [...some, ...some.map((others) => [...others, text])],
			[[]],
		);
		for (const found of subsets) {
			const isAsked = (request: SeenRequest) =>
				isLookUp(request) && foundBy(request).join() === found.join();
			const isBehind = ({ rawUrl }: SeenRequest) => !rawUrl.includes('offset=0');
			const records = found.map((text) => [
				texts.indexOf(text),
				{ _svcId: texts.indexOf(text), [title]: text },
			]);
			const when = (request: SeenRequest) => isAsked(request) && isBehind(request);
			const body = JSON.stringify(Object.fromEntries(records));
			testbed.service.faults.inject({ kind: 'body', body: '{}', when, times: Infinity });
			testbed.service.faults.inject({ kind: 'body', body, when: isAsked, times: Infinity });
		}
	});

	it('is believed, and has one record for two spellings of a key', async () => {
		const items = ['ACME', 'beta', 'gamma', 'delta', 'Acme'].map((text) => ({
			...{ [title]: text, [amount]: 1 },
		}));
		expect(await outcomes(empty, [title], items)).toEqual([
			[0, 'updated'],
			[1, 'updated'],
			[2, 'updated'],
			[3, 'created'],
			[0, 'updated'],
		]);
	});
});

describe('several fields', () => {
	it('whose values other keys share are no match', async () => {
		const { reference, city, customerNumber } = orders.fields;
		const [first, second] = [31, 32].map((id) => testbed.service.data.record(orders, id));
		first?.set(reference, 'A').set(city, 'Y');
		second?.set(reference, 'B').set(city, 'X');
		const items = [
			{ [reference]: 'A', [city]: 'X', [customerNumber]: 'C-0001' },
			{ [reference]: 'B', [city]: 'Y', [customerNumber]: 'C-0002' },
		];
		expect(await outcomes(orders, [reference, city], items)).toEqual([
			[301, 'created'],
			[302, 'created'],
		]);
		expect(first?.text(customerNumber)).not.toBe('C-0001');
	});

	it('of which one is a number are compared as the service does', async () => {
		addRecord(testbed, amount, '5.00').set(title, 'a');
		addRecord(testbed, amount, '6').set(title, 'b');
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
