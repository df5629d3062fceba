import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { empty } from '../../service';
import type { SeenRequest } from '../../service';
import { useCancellable } from '../cancellable';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const startCancellable = useCancellable(testbed);
const { title, amount } = empty.fields;

const isCreation = ({ method, path }: SeenRequest) => method === 'POST' && path.endsWith('/9');
const isLookUp = ({ rawUrl }: SeenRequest) => rawUrl.includes('where=');
const sheetNow = () => testbed.service.data.sheet(empty);
const records = () => [...sheetNow().records.values()];
const addRecord = (fieldId: string, value: string) =>
	sheetNow().add({ at: 0, user: 'max.member@acme.example' }).set(fieldId, value);

const upsertBy = (...columns: string[]) => ({
	operation: 'upsert',
	sheet: sheet(empty),
	...autoMapped(columns),
});
const item = (text: string, number: number | string = 1): IDataObject => ({
	[title]: text,
	[amount]: number,
});

async function upsert(items: IDataObject[], columns: string[] = [title]) {
	return await testbed.run(upsertBy(...columns), items, { onError: 'continueErrorOutput' });
}

type Result = Awaited<ReturnType<typeof upsert>>;
const actions = (results: Result[]) =>
	results.flatMap(({ items }) => items.map(({ json }) => json._action));
const count = (list: unknown[], value: unknown) => list.filter((one) => one === value).length;

/** Waits, in turns of the event loop, until something is so. */
async function until(isSo: () => boolean) {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe.each([0, 60_000])('executions side by side (filters lag by %i ms)', (lag) => {
	beforeEach(() => (testbed.service.switches.filterLagMilliseconds = lag));

	it('make one record of a key that is new to all of them', async () => {
		const results = await Promise.all(
			[1, 2, 3].map(async (number) => await upsert([item('NEW', number)])),
		);
		expect(actions(results).sort()).toEqual(['created', 'updated', 'updated']);
		expect(results.flatMap(({ items }) => items.map(({ json }) => json._recordId))).toEqual([
			0, 0, 0,
		]);
		expect(results.map(({ items }) => items[0]?.pairedItem)).toEqual(Array(3).fill({ item: 0 }));
		expect(records()).toHaveLength(1);
	});

	it('make one record of each key of batches that overlap', async () => {
		const keys = Array.from({ length: 8 }, (_, index) => `KEY-${index}`);
		const results = await Promise.all(
			Array.from({ length: 6 }, async (_, shift) => {
				const own = [...keys.slice(shift), ...keys.slice(0, shift)];
				return await upsert(own.map((key) => item(key, shift)));
			}),
		);
		expect(results.flatMap(({ errorItems }) => errorItems)).toEqual([]);
		expect(count(actions(results), 'created')).toBe(8);
		expect(
			records()
				.map((record) => record.text(title))
				.sort(),
		).toEqual([...keys].sort());
		expect(testbed.reads.filter(isLookUp).length).toBeLessThanOrEqual(6 * (1 + 8));
	});

	it('make one record of two spellings of a key', async () => {
		const values = ['5', '5.00', '05'];
		const results = await Promise.all(
			values.map(async (value) => await upsert([item('x', value)], [amount])),
		);
		expect(actions(results).sort()).toEqual(['created', 'updated', 'updated']);
		expect(records()).toHaveLength(1);
	});

	it('find what the one before has created or changed a moment ago', async () => {
		addRecord(title, 'OLD');
		const results = [];
		for (const number of [1, 2]) results.push(await upsert([item('OLD', number), item('NEW')]));
		expect(actions(results)).toEqual(['updated', 'created', 'updated', 'updated']);
		expect(records()).toHaveLength(2);
	});

	it.each<[string, () => void]>([
		['deleted', () => sheetNow().records.delete(0)],
		['given another value', () => sheetNow().record(0).set(title, 'OTHER')],
	])('create anew what was %s since', async (_, change) => {
		await upsert([item('NEW', 1)]);
		change();
		expect(actions([await upsert([item('NEW', 2)])])).toEqual(['created']);
		expect(records().filter((record) => record.text(title) === 'NEW')).toHaveLength(1);
		expect(testbed.writes.map(({ path }) => path.split('/').at(-1))).toEqual(['9', '9']);
	});

	it('go on when the one that creates is refused', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":109,"msg":"Full"}',
			when: isCreation,
		});
		const results = await Promise.all([upsert([item('NEW', 1)]), upsert([item('NEW', 2)])]);
		expect(results.flatMap(({ errorItems }) => errorItems)).toHaveLength(1);
		expect(actions(results)).toEqual(['created']);
		expect(records()).toHaveLength(1);
	});

	it('go on when the one that creates is cancelled', async () => {
		testbed.service.faults.inject({ kind: 'hang', when: isCreation });
		const cancel = startCancellable(upsertBy(title), [item('NEW', 1)]);
		await until(() => testbed.writes.length === 1);
		const other = upsert([item('NEW', 2)]);
		await cancel();
		expect(actions([await other])).toEqual(['created']);
		expect(records()).toHaveLength(1);
	});
});

it('one of which does not know whether it created: the next one looks', async () => {
	testbed.service.faults.inject({ kind: 'resetAfterWork', when: isCreation });
	const results = await Promise.all([upsert([item('NEW', 1)]), upsert([item('NEW', 2)])]);
	expect(results.flatMap(({ errorItems }) => errorItems)).toHaveLength(1);
	expect(actions(results)).toEqual(['updated']);
	expect(records()).toHaveLength(1);
});

describe('a field that is unique in the sheet', () => {
	beforeEach(() => {
		const field = sheetNow().field(title);
		if (field) field.unique = true;
	});

	/** Another process creates a record just before the first creation arrives. */
	function overtakenBy(text: string) {
		let isOvertaken = false;
		testbed.service.switches.latencyMilliseconds = (request) => {
			if (isCreation(request) && !isOvertaken) {
				isOvertaken = true;
				addRecord(title, text);
			}
			return 0;
		};
	}

	it('has the record of another process updated that was created meanwhile', async () => {
		overtakenBy('NEW');
		const result = await upsert([item('NEW', 5)]);
		expect(result.items.map(({ json, pairedItem }) => [json._action, pairedItem])).toEqual([
			['updated', { item: 0 }],
		]);
		expect(records().map((record) => [record.text(title), record.text(amount)])).toEqual([
			['NEW', '5'],
		]);
		expect(testbed.writes).toHaveLength(2);
	});

	it('that is not the one to match on refuses the record, and no other is updated', async () => {
		addRecord(title, 'TAKEN').set(amount, '1');
		const result = await upsert([item('TAKEN', 2)], [amount]);
		expect(String(result.errorItems[0]?.json.error)).toContain('"TAKEN" already exists');
		expect(records().map((record) => record.text(amount))).toEqual(['1']);
		expect(testbed.writes).toHaveLength(1);
	});
});

describe('any executions side by side', () => {
	const spellings = [
		['1', '1.0', '01'],
		['2', '2.00'],
		['10', '10.0', '10.00'],
	];
	const numberOf = (value: unknown) => Number(value);
	const key = fc.constantFrom(...spellings.flat());
	const executions = fc.array(fc.array(key, { minLength: 1, maxLength: 5 }), {
		minLength: 1,
		maxLength: 3,
	});
	const existing = fc.subarray(spellings.map(([, value]) => value ?? ''));

	it('make at most one record of a key, and change none that does not hold it', async () => {
		await fc.assert(
			fc.asyncProperty(executions, existing, fc.boolean(), async (lists, before, lags) => {
				testbed.service.reset();
				testbed.service.switches.filterLagMilliseconds = lags ? 60_000 : 0;
				for (const value of before) addRecord(amount, value);
				const held = new Map(before.map((value, id) => [id, numberOf(value)]));
				const results = await Promise.all(
					lists.map(
						async (list) =>
							await upsert(
								list.map((value) => item('x', value)),
								[amount],
							),
					),
				);
				for (const [run, { items, errorItems }] of results.entries()) {
					expect(errorItems).toEqual([]);
					for (const [index, { json }] of items.entries()) {
						const id = Number(json._recordId);
						const wanted = numberOf(lists[run]?.[index]);
						expect(held.get(id) ?? wanted).toBe(wanted);
						held.set(id, wanted);
					}
				}
				const numbers = records().map((record) => numberOf(record.text(amount)));
				const expected = new Set([...before, ...lists.flat()].map(numberOf));
				expect(numbers.sort()).toEqual([...expected].sort());
			}),
			{ numRuns: 15 },
		);
	});
});
