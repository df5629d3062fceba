import type { IDataObject } from 'n8n-workflow';
import { empty, type SeenRequest } from '../../service';
import { useCancellable } from '../cancellable';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { addRecord, isLookUp } from './upserts';

const testbed = useRecordTestbed();
const startCancellable = useCancellable(testbed);
const { title, amount } = empty.fields;

const isCreation = ({ method, path }: SeenRequest) => method === 'POST' && path.endsWith('/9');
const sheetNow = () => testbed.service.data.sheet(empty);
const records = () => [...sheetNow().records.values()];

const inEmpty = { operation: 'upsert', sheet: sheet(empty) };
const upsertBy = (...columns: string[]) => ({ ...inEmpty, ...autoMapped(columns) });
const item = (text: string, number: number | string = 1) => ({ [title]: text, [amount]: number });

async function upsert(items: IDataObject[], columns: string[] = [title]) {
	return await testbed.runAllById(upsertBy(...columns), items, testbed.as('admin'));
}

/** Runs several executions concurrently, each with its items. */
const runConcurrently = async (lists: IDataObject[][], columns?: string[]) =>
	await Promise.all(lists.map(async (items) => await upsert(items, columns)));

type Result = Awaited<ReturnType<typeof upsert>>;
const actions = (results: Result[]) => results.flatMap((result) => result.actions);
const failed = (results: Result[]) => results.flatMap(({ errorItems }) => errorItems);

/** Waits until the condition is true. Checks it in each turn of the event loop. */
async function until(isTrue: () => boolean) {
	while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe('concurrent executions while the index lags', () => {
	beforeEach(() => (testbed.service.switches.filterLagMilliseconds = 60_000));

	it.each<[string, string[], IDataObject[]]>([
		['for a new key', [title], [1, 2, 3].map((number) => item('NEW', number))],
		[
			'for several spellings of a key',
			[amount],
			['5', '5.00', '05'].map((value) => item('x', value)),
		],
	])('concurrent executions create one record %s', async (_, columns, items) => {
		const lists = items.map((item) => [item]);
		const results = await runConcurrently(lists, columns);
		expect(actions(results).sort()).toEqual(['created', 'updated', 'updated']);
		expect(results.flatMap((result) => result.records)).toEqual(Array(3).fill('0 #0'));
		expect(records()).toHaveLength(1);
	});

	it('concurrent executions create one record for each key of overlapping batches', async () => {
		const keys = ['KEY-0', 'KEY-1', 'KEY-2', 'KEY-3'];
		const shifted = keys.map((_, shift) => [...keys.slice(shift), ...keys.slice(0, shift)]);
		const results = await runConcurrently(
			shifted.map((keysOfRun) => keysOfRun.map((key) => item(key))),
		);
		expect(failed(results)).toEqual([]);
		expect(actions(results).filter((action) => action === 'created')).toHaveLength(4);
		const stored = records().map((record) => record.text(title));
		expect(stored.sort()).toEqual(keys);
		expect(testbed.reads.filter(isLookUp).length).toBeLessThanOrEqual(4 * (1 + 4));
	});

	it.each<[string, () => void]>([
		['deleted', () => sheetNow().records.delete(0)],
		['given another value', () => sheetNow().record(0).set(title, 'OTHER')],
	])(
		'concurrent executions create a record again that was %s in the meantime',
		async (_, change) => {
			await upsert([item('NEW', 1)]);
			change();
			expect(actions([await upsert([item('NEW', 2)])])).toEqual(['created']);
			expect(records().filter((record) => record.text(title) === 'NEW')).toHaveLength(1);
			expect(testbed.writes.map(({ path }) => path.split('/').at(-1))).toEqual(['9', '9']);
		},
	);

	it('an execution continues if the creation in another execution is rejected', async () => {
		testbed.refuse(isCreation);
		const results = await runConcurrently([[item('NEW', 1)], [item('NEW', 2)]]);
		expect(failed(results)).toHaveLength(1);
		expect(actions(results)).toEqual(['created']);
		expect(records()).toHaveLength(1);
	});

	it('an execution creates no second record if the execution that creates it is canceled', async () => {
		testbed.inject({ kind: 'hang', when: isCreation });
		const cancel = startCancellable(upsertBy(title), [item('NEW', 1)]);
		await until(() => testbed.writes.length === 1);
		const otherRun = upsert([item('NEW', 2)]);
		await cancel();
		// The canceled creation may have been carried out, and filters would not find the record yet.
		testbed.expectErrors(await otherRun, /unknown whether an earlier write created/);
		expect(testbed.writes).toHaveLength(1);
	});
});

it('an execution looks the record up if the creation in another execution has an unknown outcome', async () => {
	testbed.inject({ kind: 'resetAfterWork', when: isCreation });
	const results = await runConcurrently([[item('NEW', 1)], [item('NEW', 2)]]);
	expect(failed(results)).toHaveLength(1);
	expect(actions(results)).toEqual(['updated']);
	expect(records()).toHaveLength(1);
});

describe('a field that is unique in the sheet', () => {
	beforeEach(() => {
		const field = sheetNow().field(title);
		if (field) field.unique = true;
	});

	it('a record that another process created in the meantime is updated if the match field is unique', async () => {
		let isOvertaken = false;
		testbed.service.beforeRequest((request) => {
			if (!isCreation(request) || isOvertaken) return;
			isOvertaken = true;
			addRecord(testbed, title, 'NEW');
		});
		const result = await upsert([item('NEW', 5)]);
		expect(result.outcomes).toEqual(['0 updated #0']);
		const stored = records().map((record) => `${record.text(title)} ${record.text(amount)}`);
		expect(stored).toEqual(['NEW 5']);
		expect(testbed.writes).toHaveLength(2);
	});

	it('a rejected record stays the error if its second look-up fails', async () => {
		addRecord(testbed, title, 'TAKEN').set(amount, '1');
		let isRejected = false;
		testbed.service.beforeRequest((request) => {
			isRejected ||= isCreation(request);
		});
		testbed.refuse((request) => isRejected && isLookUp(request), Infinity);
		const result = await upsert([item('TAKEN', 2)], [amount]);
		expect(String(result.errorItems[0]?.json.error)).toContain('"TAKEN" already exists');
		// The key may match a record.
		expect(JSON.stringify(result.errorItems)).not.toContain('No record matches');
		expect(testbed.writes).toHaveLength(1);
	});

	it('a unique field other than the match field rejects the record, and no other record is updated', async () => {
		addRecord(testbed, title, 'TAKEN').set(amount, '1');
		const result = await upsert([item('TAKEN', 2)], [amount]);
		expect(String(result.errorItems[0]?.json.error)).toContain('"TAKEN" already exists');
		expect(JSON.stringify(result.errorItems)).toContain('No record matches');
		expect(records().map((record) => record.text(amount))).toEqual(['1']);
		expect(testbed.writes).toHaveLength(1);
	});
});
