import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { empty, orders, tasks } from '../../service';
import type { SheetAddress } from '../../service';
import { errorsOf, linksOf, outcomesOf, sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { addRecord, isLookUp, lookUpsOf } from './upserts';

const testbed = useRecordTestbed();
const { title, amount } = empty.fields;
const ofOrders = orders.fields;

async function upsert(
	address: SheetAddress,
	columns: string[],
	items: IDataObject[],
	options: INodeParameters = {},
) {
	return await testbed.run(
		{ operation: 'upsert', sheet: sheet(address), ...autoMapped(columns), options },
		items,
		{ onError: 'continueErrorOutput' },
	);
}

const itemsOf = (...values: Array<string | number>) =>
	values.map((value, index) => ({ [amount]: value, [title]: `Item ${index}` }));

/** Has every look-up answered with these records, whatever it asks for. */
function answerLookUps(answer: object) {
	const inject = (body: string, offset: string) =>
		testbed.service.faults.inject({
			kind: 'body',
			body,
			when: (request) => isLookUp(request) && request.rawUrl.includes(offset),
			times: Infinity,
		});
	inject(JSON.stringify(answer), 'offset=0');
	inject('{}', 'offset=');
}

describe('a record that does not hold the value', () => {
	const { reference, customerNumber, remark, internalMargin } = ofOrders;

	it.each(['updateAll', 'updateFirst', 'error'])(
		'is not updated although the look-up answers with it (%s)',
		async (onMultipleMatches) => {
			answerLookUps(
				Object.fromEntries([7, 8, 9].map((id) => [id, { _svcId: id, [reference]: `REF-${id}` }])),
			);
			const item = { [reference]: 'KEY', [customerNumber]: 'C-0001', [remark]: 'x' };
			const result = await upsert(orders, [reference], [item], { onMultipleMatches });
			expect(outcomesOf(result)).toEqual([[301, 'created', { item: 0 }]]);
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it('is not updated by a service that cuts values at a comma', async () => {
		addRecord(testbed, title, 'a');
		addRecord(testbed, title, 'a, b');
		answerLookUps({ 0: { _svcId: 0, [title]: 'a' } });
		await upsert(empty, [title], [{ [title]: 'a, b', [amount]: 5 }]);
		expect(testbed.service.data.record(empty, 0).text(amount)).toBe('');
	});

	it.each([
		['masked', { [internalMargin]: '****' }],
		['kept from this user', {}],
	])('cannot be told when the field is %s: nothing is written', async (_, content) => {
		answerLookUps({ 7: { _svcId: 7, ...content } });
		const result = await upsert(orders, [internalMargin], [{ [internalMargin]: '12%' }]);
		expect(String(result.errorItems[0]?.json.error)).toContain(
			`does not show the field ${internalMargin}`,
		);
		expect(testbed.writes).toEqual([]);
	});
});

it('masked and rich texts are found by what is stored, where the user may see it', async () => {
	const { internalMargin, description, remark } = ofOrders;
	const held = { [internalMargin]: 'only 5', [description]: '[b]5[/b]' };
	for (const [field, value] of Object.entries(held)) {
		testbed.service.data.record(orders, 5).set(field, value);
		const result = await testbed.run(
			{ operation: 'upsert', sheet: sheet(orders), ...autoMapped([field]) },
			[{ [field]: value, [remark]: 'x' }],
			{ credentials: testbed.credentials('admin') },
		);
		expect(outcomesOf(result)).toEqual([[5, 'updated', { item: 0 }]]);
	}
});

describe('other spellings of a new value', () => {
	it.each<[string, SheetAddress, string, Array<string | number>, first: number]>([
		['5, 5.00 and 05', empty, amount, ['05', 5, '5.00'], 0],
		['long numbers', empty, amount, ['12345678901234567890', '12345678901234567890.0'], 0],
		['times', orders, ofOrders.deliveryTime, ['2031/05/06 07:08', '2031/05/06 07:08:00'], 301],
	])(
		'are the same record: %s, whether the filters lag or not',
		async (_, on, field, values, id) => {
			const own = on === orders ? { [ofOrders.customerNumber]: 'C-0001' } : { [title]: 'x' };
			const items = values.map((value) => ({ ...own, [field]: value }));
			for (const lag of [0, 60_000]) {
				testbed.service.reset();
				testbed.service.switches.filterLagMilliseconds = lag;
				expect(outcomesOf(await upsert(on, [field], items))).toEqual(
					values.map((__, item) => [id, item === 0 ? 'created' : 'updated', { item }]),
				);
			}
		},
	);

	it('are other records where the service tells them apart: numbers in a text, and capitals', async () => {
		const items = ['007', '7', '7.0', 'Acme', 'ACME'].map((text) => ({
			...{ [title]: text, [amount]: 1 },
		}));
		for (const round of ['created', 'updated']) {
			expect(outcomesOf(await upsert(empty, [title], items))).toEqual(
				items.map((__, item) => [item, round, { item }]),
			);
		}
	});
});

describe('a value that the service refuses to compare', () => {
	const { dueDate, title: task } = tasks.fields;

	it('fails its own item, and no other', async () => {
		const items = Array.from({ length: 12 }, (_, index) => ({
			[dueDate]: index % 10 === 1 ? 'tomorrow' : `2031/05/${String(index + 10)}`,
			[task]: `Task ${index}`,
		}));
		testbed.service.data.record(tasks, 5).set(dueDate, '2031/05/12');
		const result = await upsert(tasks, [dueDate], items);
		const refused = expect.stringContaining('tomorrow');
		expect(errorsOf(result.errorItems)).toEqual([
			[refused, { item: 1 }],
			[refused, { item: 11 }],
		]);
		expect(outcomesOf(result).slice(0, 3)).toEqual([
			[41, 'created', { item: 0 }],
			[5, 'updated', { item: 2 }],
			[42, 'created', { item: 3 }],
		]);
		expect(testbed.service.data.sheet(tasks).records.size).toBe(40 + 9);
		// One for all, and one for each key.
		expect(lookUpsOf(testbed).length).toBeLessThanOrEqual(1 + 11);
	});

	it('is not looked for again by each item when the sheet itself is refused', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":108,"msg":"Error loading the requested form."}',
			when: isLookUp,
			times: Infinity,
		});
		const result = await upsert(empty, [amount], itemsOf(1, 2, 3));
		expect(linksOf(result.errorItems)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(lookUpsOf(testbed)).toHaveLength(1);
	});
});

describe('look-ups are one for a batch and one for each key still open', () => {
	it('when times are written without seconds', async () => {
		const { deliveryTime, customerNumber } = ofOrders;
		const times = Array.from({ length: 12 }, (_, index) => `2031/05/06 07:${10 + index}`);
		for (const [index, time] of times.entries()) {
			testbed.service.data.record(orders, index + 1).set(deliveryTime, `${time}:00`);
		}
		const items = times.map((time) => ({ [deliveryTime]: time, [customerNumber]: 'C-0001' }));
		const result = await upsert(orders, [deliveryTime], items);
		expect(outcomesOf(result)).toEqual(times.map((_, item) => [item + 1, 'updated', { item }]));
		expect(lookUpsOf(testbed)).toHaveLength(1);
	});
});
