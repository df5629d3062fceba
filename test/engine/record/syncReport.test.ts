import type { INodeParameters } from 'n8n-workflow';
import { empty, orders } from '../../service';
import { numbers, onOrder, sheet, useRecordTestbed } from '../recordTestbed';
import { refusal, retrying } from '../retryOnFail/retrying';
import type { RunNodeOptions, RunResult } from '../runner';
import { asJson, autoMapped } from './recordValues';
import { addRecord } from './upserts';

/** The hint with the numbers of records at the end of a run over many items. */
const testbed = useRecordTestbed({ demoRecords: 300 });
const { title } = empty.fields;
const { fields } = orders;

afterEach(() => jest.restoreAllMocks());

const titles = (count: number) => numbers(count).map((id) => ({ [title]: `Title ${id}` }));
const upsert = (options: INodeParameters = {}) => ({
	...{ operation: 'upsert', sheet: sheet(empty), ...autoMapped([title]), options },
});

/** Returns the report of a run. Expects at most one report. */
function reportOf({ hints, error }: RunResult): string | undefined {
	expect(error).toBeUndefined();
	const reports = hints.filter(({ message }) => /\d items: .* requests and /.test(message));
	expect(reports.length).toBeLessThan(2);
	return reports[0]?.message;
}

async function reported(
	parameters: INodeParameters,
	items: RunNodeOptions['items'],
	overrides: Partial<RunNodeOptions> = {},
): Promise<string | undefined> {
	return reportOf(await testbed.runAllById(parameters, items, overrides));
}

it('a sync of 120 items reports what it did with them, with its requests', async () => {
	for (const id of numbers(70)) addRecord(testbed, title, `Title ${id}`);
	const report = await reported(upsert({ skipUnchanged: true }), titles(120));
	const { count } = testbed.service.requests;
	expect(count).toBeGreaterThan(50);
	const words = `120 items: 50 created, 70 unchanged. The run took ${count} requests and`;
	expect(report).toMatch(new RegExp(`^${words} \\d+ s\\.$`));
});

it('failed items are counted, and skipped items of Upsert Mode', async () => {
	for (const id of numbers(30)) addRecord(testbed, title, `Title ${id}`);
	const when = ({ method }: { method: string }) => method === 'POST';
	testbed.refuse(when, 3);
	const report = await reported(upsert({ upsertMode: 'createOnly' }), titles(100));
	expect(report).toContain(': 67 created, 30 skipped, 3 failed.');
});

it.each([
	[
		'create',
		{ operation: 'create', sheet: sheet(empty), ...autoMapped() },
		'100 items: 100 created.',
	],
	[
		'update',
		{ ...onOrder('update'), ...asJson({ [fields.remark]: 'new' }) },
		'100 items: 100 updated.',
	],
	[
		'dry run',
		{ operation: 'upsert', sheet: sheet(empty), ...autoMapped([title]), options: { dryRun: true } },
		'100 items: 100 would be created.',
	],
])('a %s over 100 items has a report, one over 99 items has none', async (_, parameters, words) => {
	const items = numbers(100).map((id) =>
		parameters.operation === 'update' ? { id } : { [title]: `Title ${id}` },
	);
	expect(await reported(parameters, items)).toContain(words);
	expect(await reported(parameters, items.slice(1))).toBeUndefined();
});

it('several records of one item are counted, and the time is given in minutes', async () => {
	for (const id of numbers(100)) testbed.order(id).set(fields.reference, 'same');
	let now = performance.now();
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	testbed.service.beforeRequest(() => {
		now += 2_000;
	});
	const parameters = {
		...{ operation: 'upsert', sheet: sheet(orders), ...autoMapped([fields.reference]) },
		options: { onMultipleMatches: 'updateAll' },
	};
	const items = numbers(100).map((id) => ({
		[fields.reference]: id === 1 ? 'same' : `other ${id}`,
		[fields.customerNumber]: 'C-0001',
	}));
	const report = await reported(parameters, items);
	expect(report).toMatch(
		/^100 items: 99 created, 100 updated\. The run took \d+ requests and \d+ minutes\.$/,
	);
});

it('a report after Retry On Fail counts the requests and items of all attempts', async () => {
	testbed.inject({ ...refusal, when: ({ method }) => method === 'POST' });
	const report = reportOf(await testbed.runById(upsert(), titles(100), retrying));
	const { count } = testbed.service.requests;
	expect(report).toContain(`took ${count} requests and `);
	expect(report).toContain('100 items: 100 created.');
});

it('a read has no report', async () => {
	expect(
		await reported(
			onOrder('get'),
			numbers(120).map((id) => ({ id })),
		),
	).toBeUndefined();
});
