import fc from 'fast-check';
import { amount } from '../../amount';
import { orders } from '../../service';
import { timeLimit } from '../../timeLimit';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { clearProcessState } from '../runner/typeLibrary';
import { autoMapped } from './recordValues';

// One test runs a dozen histories, or hundreds in long runs.
jest.setTimeout(timeLimit(amount(30, 240)));

const testbed = useRecordTestbed({ demoRecords: 5 });
const { fields } = orders;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;

/** Values of a record in the source of a sync, and on the sheet. `rows` maps articles to quantities. */
interface Order {
	remark: string;
	rows: Record<string, string>;
}
type Orders = Record<string, Order>;

const remarks = fc.constantFrom('a', 'b', '0612', 'Yes');
const rows = fc.dictionary(fc.constantFrom('Chair', 'Lamp', 'Vase'), fc.constantFrom('1', '2'));
const targetOrders = fc.dictionary(
	fc.constantFrom('K1', 'K2', 'K3'),
	fc.record({ remark: remarks, rows }),
	{ minKeys: 1 },
);
const steps = fc.array(
	fc.oneof(
		fc.record({
			kind: fc.constantFrom('reset', 'resetAfterWork'),
			wanted: targetOrders,
			/** Number of requests before the fault. */
			after: fc.nat(8),
		}),
		fc.record({ kind: fc.constant('edit'), key: fc.constantFrom('K1', 'K2'), remark: remarks }),
	),
	{ maxLength: 4 },
);

function stored(): Orders {
	const storedOrders: Orders = {};
	for (const record of testbed.orders.records.values()) {
		const key = record.text(fields.reference);
		if (!key.startsWith('K')) continue;
		expect(storedOrders).not.toHaveProperty(key);
		const rows = [...record.rows(lines.id).values()].map((row) => [
			String(row.get(article)),
			String(row.get(quantity)),
		]);
		storedOrders[key] = { remark: record.text(fields.remark), rows: Object.fromEntries(rows) };
		expect(Object.keys(storedOrders[key].rows)).toHaveLength(rows.length);
	}
	return storedOrders;
}

/** Simple model of a sync: returns the expected orders. */
function synced(before: Orders, source: Orders, mode: string): Orders {
	const after = { ...before };
	for (const [key, order] of Object.entries(source)) {
		const kept = mode === 'upsert' ? before[key]?.rows : {};
		after[key] = { remark: order.remark, rows: { ...kept, ...order.rows } };
	}
	return after;
}

async function sync(source: Orders, rowsMode: string) {
	const items = Object.entries(source).map(([key, order]) => ({
		...{ [fields.reference]: key, [fields.customerNumber]: 'C-0001', Remark: order.remark },
		[`_subtable_${lines.id}`]: Object.entries(order.rows).map(([name, count]) => ({
			...{ Article: name, Quantity: count },
		})),
	}));
	const options = { rowsMode, rowMatchFields: 'Article', skipUnchanged: true };
	const parameters = { ...onOrders('upsert'), ...autoMapped([fields.reference]) };
	return await testbed.runById({ ...parameters, options }, items, {
		onError: 'continueRegularOutput',
	});
}

/** Changes a record as another user, adds a row, and deletes another row. */
function edit(key: string, remark: string): void {
	const { records } = testbed.orders;
	const record = [...records.values()].find(
		(candidate) => candidate.text(fields.reference) === key,
	);
	if (!record) return;
	const [first] = record.rows(lines.id).keys();
	record.set(fields.remark, remark);
	if (first !== undefined) record.rows(lines.id).delete(first);
	const hasOwnRow = [...record.rows(lines.id).values()].some((row) => row.get(article) === 'Own');
	const rowId = testbed.orders.takeRowId();
	const row = new Map(Object.entries({ [article]: 'Own', [quantity]: '9' }));
	if (!hasOwnRow) record.rows(lines.id).set(rowId, row);
}

it('after interrupted runs and edits, a sync has the result of a simple model, and a second sync writes nothing', async () => {
	const modes = fc.constantFrom('replace', 'upsert');
	const together = fc.constantFrom('together', 'refused', 'passedOver');
	await fc.assert(
		fc.asyncProperty(
			steps,
			targetOrders,
			modes,
			together,
			async (history, last, mode, position) => {
				testbed.service.reset();
				testbed.service.switches.deletionsWithRows = position;
				for (const step of history) {
					if ('key' in step) edit(step.key, step.remark);
					else {
						let passed = 0;
						const kind = step.kind === 'reset' ? 'reset' : 'resetAfterWork';
						testbed.inject({
							...{ kind, times: 2 },
							when: ({ method }) => method === 'POST' && ++passed > step.after,
						});
						await sync(step.wanted, mode);
						testbed.service.faults.clear();
					}
				}
				// Ten minutes pass, after which a record whose creation had an unknown outcome is created again if it is missing.
				clearProcessState('uncertainCreations');
				const expected = synced(stored(), last, mode);
				const result = await sync(last, mode);
				expect(result.json.filter(({ error }) => error)).toEqual([]);
				expect(stored()).toEqual(expected);
				const before = testbed.writes.length;
				const again = await sync(last, mode);
				expect(again.actions).toEqual(again.items.map(() => 'unchanged'));
				expect(testbed.writes).toHaveLength(before);
			},
		),
		{ numRuns: amount(6, 80), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});
