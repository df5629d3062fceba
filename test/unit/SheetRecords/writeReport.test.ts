import { writeReport } from '../../../nodes/SheetRecords/run/writeReport';
import { everyEntryMatters } from '../everyEntry';

type Report = typeof writeReport;

/** Returns the report of a run with items of these actions; undefined stands for an item without one. */
const reportOf = (
	report: Report,
	operation: string | undefined,
	actions: Array<string | undefined>,
	milliseconds = 1_000,
) => {
	const outputs = actions.map((_action) => [{ json: { _action } }]);
	return report(operation, { outputs, failed: new Set() }, { requests: 1, milliseconds });
};
const hundred = Array.from({ length: 100 }, () => undefined);
const operations = {
	'record.create': 'created',
	'record.update': 'updated',
	'record.upsert': 'updated',
};
const actions = {
	...{ created: 'created', updated: 'updated', wouldCreate: 'would be created' },
	...{ wouldUpdate: 'would be updated', unchanged: 'unchanged', skipped: 'skipped' },
};

it.each(Object.entries(operations))(
	'the items of %s without an action are %s',
	(operation, words) => {
		expect(reportOf(writeReport, operation, hundred)).toContain(`: 100 ${words}. `);
	},
);

it.each(['record.delete', 'record.get', undefined])('%s has no report', (operation) => {
	expect(reportOf(writeReport, operation, hundred)).toBeUndefined();
});

it.each(Object.entries(actions))('items with the action %s are "%s"', (action, words) => {
	const items = hundred.map(() => action);
	expect(reportOf(writeReport, 'record.upsert', items)).toContain(`: 100 ${words}. `);
});

it('several actions are named in one order', () => {
	const items = Object.keys(actions).reverse();
	const report = reportOf(writeReport, 'record.upsert', [...hundred.slice(0, 94), ...items]);
	expect(report).toBe(
		'100 items: 1 created, 95 updated, 1 would be created, 1 would be updated, 1 unchanged, 1 skipped. The run took 1 requests and 1 s.',
	);
});

it('a report is shown for 100 items and more', () => {
	expect(reportOf(writeReport, 'record.create', hundred.slice(1))).toBeUndefined();
});

it.each([
	{ milliseconds: 0, duration: '1 s' },
	{ milliseconds: 120_000, duration: '120 s' },
	{ milliseconds: 121_000, duration: '2 minutes' },
])('a run of $milliseconds ms took $duration', ({ milliseconds, duration }) => {
	const report = reportOf(writeReport, 'record.create', hundred, milliseconds);
	expect(report).toContain(`and ${duration}.`);
});

everyEntryMatters<{ writeReport: Report }>('nodes/SheetRecords/run/writeReport.ts', (tested) => [
	Object.keys(operations).map((operation) => reportOf(tested.writeReport, operation, hundred)),
	Object.keys(actions).map((action) =>
		reportOf(
			tested.writeReport,
			'record.upsert',
			hundred.map(() => action),
		),
	),
]);
