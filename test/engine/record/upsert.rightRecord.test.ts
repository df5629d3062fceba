import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { empty, orders, tasks } from '../../service';
import type { SeenRequest, SheetAddress } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { title, amount } = empty.fields;

const isLookUp = ({ rawUrl }: SeenRequest) => rawUrl.includes('where=');
const isFirstPage = ({ rawUrl }: SeenRequest) => rawUrl.includes('offset=0');
const lookUps = () => testbed.reads.filter((request) => isLookUp(request) && isFirstPage(request));

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

const outcomes = ({ items }: Awaited<ReturnType<typeof upsert>>) =>
	items.map(({ json, pairedItem }) => [json._recordId, json._action, pairedItem]);
const itemsOf = (...values: Array<string | number>) =>
	values.map((value, index) => ({ [amount]: value, [title]: `Item ${index}` }));
const failedItems = ({ errorItems }: Awaited<ReturnType<typeof upsert>>) =>
	errorItems.map(({ pairedItem }) => pairedItem);

function addRecords(fieldId: string, ...values: string[]) {
	for (const value of values) {
		testbed.service.data
			.sheet(empty)
			.add({ at: 0, user: 'max.member@acme.example' })
			.set(fieldId, value);
	}
}

/** Has every look-up answered with these records, whatever it asks for. */
function answerLookUps(answer: object) {
	for (const [body, isFirst] of [[JSON.stringify(answer), true] as const, ['{}', false] as const]) {
		testbed.service.faults.inject({
			kind: 'body',
			body,
			when: (request) => isLookUp(request) && isFirstPage(request) === isFirst,
			times: Infinity,
		});
	}
}

const remarkOf = (id: number) => testbed.service.data.record(orders, id).text(orders.fields.remark);

describe('a record that does not hold the value', () => {
	const { reference, customerNumber, remark } = orders.fields;
	const item = { [reference]: 'KEY', [customerNumber]: 'C-0001', [remark]: 'x' };

	it.each(['updateAll', 'updateFirst', 'error'])(
		'is not updated although the look-up answers with it (%s)',
		async (onMultipleMatches) => {
			answerLookUps(
				Object.fromEntries([7, 8, 9].map((id) => [id, { _svcId: id, [reference]: `REF-${id}` }])),
			);
			const result = await upsert(orders, [reference], [item], { onMultipleMatches });
			expect(outcomes(result)).toEqual([[301, 'created', { item: 0 }]]);
			expect([7, 8, 9].map(remarkOf)).not.toContain('x');
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it('is not updated by a service that cuts values at a comma', async () => {
		addRecords(title, 'a', 'a, b');
		answerLookUps({ 0: { _svcId: 0, [title]: 'a' } });
		await upsert(empty, [title], [{ [title]: 'a, b', [amount]: 5 }]);
		expect(testbed.service.data.record(empty, 0).text(amount)).toBe('');
	});

	const { internalMargin } = orders.fields;

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

describe('masked and rich texts', () => {
	it('are found by what is stored, where the user may see it', async () => {
		const { internalMargin, description, remark } = orders.fields;
		testbed.service.data
			.record(orders, 5)
			.set(internalMargin, 'only 5')
			.set(description, '[b]5[/b]');
		for (const [field, value] of [
			[internalMargin, 'only 5'],
			[description, '[b]5[/b]'],
		] as const) {
			const result = await testbed.run(
				{ operation: 'upsert', sheet: sheet(orders), ...autoMapped([field]) },
				[{ [field]: value, [remark]: 'x' }],
				{ credentials: testbed.credentials('admin') },
			);
			expect(outcomes(result)).toEqual([[5, 'updated', { item: 0 }]]);
		}
	});
});

describe('other spellings of a new value', () => {
	it.each([
		['5, 5.00 and 05', [5, '5.00', '05']],
		['05 and 5', ['05', 5]],
		['long numbers', ['12345678901234567890', '12345678901234567890.0']],
	])('are the same record: %s, whether the filters lag or not', async (_, values) => {
		for (const lag of [0, 60_000]) {
			testbed.service.reset();
			testbed.service.switches.filterLagMilliseconds = lag;
			const result = await upsert(empty, [amount], itemsOf(...values));
			expect(outcomes(result)).toEqual(
				values.map((__, item) => [0, item === 0 ? 'created' : 'updated', { item }]),
			);
			expect(testbed.service.data.sheet(empty).records.size).toBe(1);
		}
	});

	it('are the same time, with and without seconds, whether the filters lag or not', async () => {
		const { deliveryTime, customerNumber } = orders.fields;
		const items = ['2031/05/06 07:08', '2031/05/06 07:08:00'].map((time) => ({
			[deliveryTime]: time,
			[customerNumber]: 'C-0001',
		}));
		for (const lag of [0, 60_000]) {
			testbed.service.reset();
			testbed.service.switches.filterLagMilliseconds = lag;
			expect(outcomes(await upsert(orders, [deliveryTime], items))).toEqual([
				[301, 'created', { item: 0 }],
				[301, 'updated', { item: 1 }],
			]);
		}
	});

	it.each([
		['numbers in a text', ['007', '7', '7.0']],
		['capitals', ['Acme', 'ACME']],
	])('are other records where the service tells them apart: %s', async (_, values) => {
		const items = values.map((value) => ({ [title]: value, [amount]: 1 }));
		for (const round of ['created', 'updated']) {
			expect(outcomes(await upsert(empty, [title], items))).toEqual(
				values.map((__, item) => [item, round, { item }]),
			);
		}
	});
});

describe('a value that the service refuses to compare', () => {
	const { dueDate, title: task } = tasks.fields;

	it('fails its own item, and no other', async () => {
		const items = Array.from({ length: 30 }, (_, index) => ({
			[dueDate]: index % 10 === 3 ? 'tomorrow' : `2031/05/${String(index + 1).padStart(2, '0')}`,
			[task]: `Task ${index}`,
		}));
		testbed.service.data.record(tasks, 5).set(dueDate, '2031/05/05');
		const result = await upsert(tasks, [dueDate], items);
		expect(failedItems(result)).toEqual([{ item: 3 }, { item: 13 }, { item: 23 }]);
		for (const { json } of result.errorItems) expect(json.error).toContain('tomorrow');
		expect(outcomes(result).slice(0, 4)).toEqual([
			[41, 'created', { item: 0 }],
			[42, 'created', { item: 1 }],
			[43, 'created', { item: 2 }],
			[5, 'updated', { item: 4 }],
		]);
		expect(testbed.service.data.sheet(tasks).records.size).toBe(40 + 26);
		expect(lookUps().length).toBeLessThanOrEqual(1 + 28);
	});

	it('is not looked for again by each item when the sheet itself is refused', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":108,"msg":"Error loading the requested form."}',
			when: isLookUp,
			times: Infinity,
		});
		const result = await upsert(empty, [amount], itemsOf(1, 2, 3));
		expect(failedItems(result)).toHaveLength(3);
		expect(lookUps()).toHaveLength(1);
	});
});

describe('look-ups are one for a batch and one for each key still open', () => {
	it('when times are written without seconds', async () => {
		const { deliveryTime, customerNumber } = orders.fields;
		const times = Array.from({ length: 40 }, (_, index) => `2031/05/06 07:${10 + index}`);
		for (const [index, time] of times.entries()) {
			testbed.service.data.record(orders, index + 1).set(deliveryTime, `${time}:00`);
		}
		const items = times.map((time) => ({ [deliveryTime]: time, [customerNumber]: 'C-0001' }));
		const result = await upsert(orders, [deliveryTime], items);
		expect(outcomes(result)).toEqual(times.map((_, item) => [item + 1, 'updated', { item }]));
		expect(lookUps()).toHaveLength(1);
	});

	it('when each value comes in two spellings', async () => {
		const values = Array.from({ length: 25 }, (_, index) => [`${index + 1}`, `${index + 1}.0`]);
		addRecords(amount, ...values.slice(0, 10).map(([value]) => `${value}.00`));
		const result = await upsert(empty, [amount], itemsOf(...values.flat()));
		expect(result.errorItems).toEqual([]);
		expect(testbed.service.data.sheet(empty).records.size).toBe(25);
		expect(lookUps().length).toBeLessThanOrEqual(1 + 50);
	});
});
