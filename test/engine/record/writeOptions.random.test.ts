import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runs } from '../../amount';
import { orders, type IdentityName } from '../../service';
import { timeLimit } from '../../timeLimit';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { forgetPreviousTest } from '../runner';
import { itemWithFiles, storedFiles, textFile } from './filesOnItem';
import { asJson, autoMapped, filesOption } from './recordValues';

// One test runs dozens of scenarios three times each, or thousands in long runs.
jest.setTimeout(timeLimit(runs(90, 300, 3_000)));

const testbed = useRecordTestbed({ demoRecords: 8 });
const { fields } = orders;
const { reference, remark, city, contract, customerNumber } = fields;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const linesKey = `_subtable_${lines.id}`;

const texts = fc.constantFrom('a', 'b', '');
const row = fc.record({ [article]: fc.constantFrom('Pen', 'Ink', 'Cap'), [quantity]: texts });
const rows = fc.uniqueArray(row, { maxLength: 2, selector: (values) => values[article] });
const item = fc.record({
	/** Orders 4 to 6 exist, and 9 is missing. */
	id: fc.constantFrom(4, 5, 6, 9),
	remark: texts,
	city: texts,
	rows: fc.option(rows),
	/** IDs of rows to delete. Only the first one may exist. */
	deleted: fc.uniqueArray(fc.constantFrom(400, 999), { maxLength: 2 }),
});
const scenario = fc.record({
	operation: fc.constantFrom('update', 'upsert'),
	user: fc.constantFrom<IdentityName>('member', 'admin', 'reader'),
	isJson: fc.boolean(),
	hasFiles: fc.boolean(),
	items: fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
	options: fc.record({
		skipUnchanged: fc.boolean(),
		onConflict: fc.constantFrom('overwrite', 'error'),
		rowsMode: fc.constantFrom('append', 'upsert', 'replace'),
		filesMode: fc.constantFrom('add', 'replace'),
		clearEmpty: fc.boolean(),
	}),
	/** Order that a person changes after it was read. */
	edited: fc.option(fc.constantFrom(4, 5)),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;
type Item = Scenario['items'][number];

/** Gives orders 4 to 6 a key, values and a file, and the first two a row. Returns the date of their last change. */
function prepare({ edited }: Scenario): string {
	testbed.service.reset();
	forgetPreviousTest();
	testbed.service.clock.set(Date.UTC(2026, 5, 1));
	for (const id of [4, 5, 6]) {
		const file = testbed.service.data.storeFile('old.txt', 'text/plain', Buffer.from('old'));
		const order = testbed.order(id).set(reference, `K${id}`).set(remark, 'a').set(city, 'b');
		order.set(contract, [file]);
		order.rows(lines.id).clear();
		const values = Object.entries({ [article]: 'Pen', [quantity]: 'a' });
		// Order 6 has no rows, so reads leave out its subtable.
		if (id < 6) order.rows(lines.id).set(id * 100, new Map(values));
	}
	if (edited !== null) testbed.service.people.edit(orders, edited, { [remark]: 'theirs' });
	return edited === null ? '2026/12/31 00:00:00' : '2026/01/01 00:00:00';
}

async function inputOf({ items, hasFiles, operation }: Scenario, updateDate: string) {
	const inputs = items.map(async ({ id, rows: setup, deleted, ...values }) => {
		const isUpsert = operation === 'upsert';
		const json: IDataObject = {
			...{ [remark]: values.remark, [city]: values.city },
			...(setup ? { [linesKey]: setup } : {}),
			...(deleted.length > 0 ? { [`_DELSUB_${lines.id}`]: deleted } : {}),
			...(isUpsert ? { [reference]: `K${id}`, [customerNumber]: 'C-0001' } : {}),
		};
		const all = { ...json, _update_date: updateDate, _id: id, _json: JSON.stringify(json) };
		return await itemWithFiles(all, hasFiles ? { data: textFile('new.txt') } : {});
	});
	return await Promise.all(inputs);
}

function parametersOf(all: Scenario, more: INodeParameters = {}): INodeParameters {
	const { operation, isJson, options, hasFiles } = all;
	const isUpsert = operation === 'upsert';
	const where = isUpsert ? onOrders('upsert') : onOrder('update', '={{ $json._id }}');
	const input = isJson
		? { ...asJson('={{ $json._json }}'), ...(isUpsert ? { matchFields: [reference] } : {}) }
		: autoMapped(isUpsert ? [reference] : []);
	return {
		...{ ...where, ...input },
		options: {
			...{ ...options, ...(options.rowsMode === 'append' ? {} : { rowMatchFields: article }) },
			...{ ...(isJson ? {} : { ignoreFields: '_id, _json' }), ...more },
			...(hasFiles ? filesOption([contract, 'data']) : {}),
		},
	};
}

async function run(all: Scenario, date: string, more?: INodeParameters) {
	testbed.service.requests.clear();
	const overrides = { ...testbed.as(all.user), onError: 'continueRegularOutput' } as const;
	const result = await testbed.runById(
		parametersOf(all, more),
		await inputOf(all, date),
		overrides,
	);
	return { json: result.json, writes: testbed.writes.length };
}

/** Returns the records with the keys of the scenario, as text. */
const stateOf = () =>
	JSON.stringify(
		[...testbed.orders.records.values()]
			.filter((record) => record.text(reference).startsWith('K'))
			.map((record) => [record.id, record.text(remark), record.text(city), rowsOf(record.id)]),
	);

const rowsOf = (id: number) =>
	[...testbed.order(id).rows(lines.id).values()].map((values) => [
		String(values.get(article) ?? ''),
		String(values.get(quantity) ?? ''),
	]);

/** Expects the record of an item to hold what the item says. */
function expectStored(setup: Item, { hasFiles, options }: Scenario, output: IDataObject): void {
	const id = Number(output._recordId);
	const isNew = output._action === 'created';
	const before = isNew ? { remark: '', city: '' } : { remark: 'a', city: 'b' };
	const expected = (name: 'city' | 'remark') =>
		setup[name] !== '' || options.clearEmpty ? setup[name] : before[name];
	if (setup.remark !== '' || options.clearEmpty) {
		expect(testbed.order(id).text(remark)).toBe(expected('remark'));
	}
	expect(testbed.order(id).text(city)).toBe(expected('city'));
	const files = storedFiles(testbed.service, orders, id, contract).length;
	const oldFiles = isNew || (hasFiles && options.filesMode === 'replace') ? 0 : 1;
	expect(files).toBe(oldFiles + (hasFiles ? 1 : 0));
	if (!setup.rows) return;
	const articles = rowsOf(id).map(([name]) => name);
	expect(articles).toEqual(expect.arrayContaining(setup.rows.map((values) => values[article])));
	const hasRow = id === 5 || (id === 4 && !setup.deleted.includes(400));
	const kept = options.rowsMode === 'replace' || !hasRow ? [] : ['Pen'];
	const added = setup.rows.map((values) => values[article]);
	const count =
		options.rowsMode === 'append' ? kept.length + added.length : new Set([...kept, ...added]).size;
	expect(articles).toHaveLength(count);
}

/** Returns the values, files and rows of an order as texts, by field ID and key of the subtable. */
function contentOf(id: number): Record<string, string> {
	const order = testbed.order(id);
	const names = [reference, remark, city, contract, customerNumber];
	const values = names.map((fieldId) => [fieldId, order.text(fieldId)]);
	const rows = [...order.rows(lines.id)].map(([rowId, row]) => [rowId, ...row]);
	return Object.fromEntries([...values, [linesKey, JSON.stringify(rows)]]);
}

/** Expects a dry run and `_changed` to name exactly the fields, files and rows that an update has changed. */
function expectNamed(before: Record<string, string>, plan: IDataObject, output: IDataObject): void {
	const after = contentOf(Number(output._recordId));
	const changed = Object.keys(after).filter((key) => after[key] !== before[key]);
	expect(Object.keys(Object(plan._changes)).sort()).toEqual(changed.sort());
	const { _changed: named } = output;
	if (Array.isArray(named)) expect(named.map(String).sort()).toEqual(changed);
}

const actionsAfter: Record<string, string[]> = {
	wouldCreate: ['created'],
	wouldUpdate: ['updated'],
	unchanged: ['updated', 'unchanged'],
};

async function check(all: Scenario): Promise<void> {
	const date = prepare(all);
	const before = stateOf();
	const dry = await run(all, date, { dryRun: true });
	expect([dry.writes, stateOf()]).toEqual([0, before]);

	const contents = new Map([4, 5, 6].map((id) => [id, contentOf(id)]));
	const first = await run(all, date);
	if (all.user === 'reader')
		expect(first.json.some(({ _action }) => _action === 'updated')).toBe(false);
	for (const [index, output] of first.json.entries()) {
		const [setup] = all.items.slice(index);
		const { _action: action } = output;
		if (typeof action !== 'string' || !setup) continue;
		const planned = String(dry.json[index]?._action);
		expect(actionsAfter[planned]).toContain(action);
		expectStored(setup, all, output);
		const content = contents.get(Number(output._recordId));
		if (content) expectNamed(content, dry.json[index] ?? {}, output);
	}

	const canRepeat = !all.hasFiles && all.options.rowsMode !== 'append' && all.user !== 'reader';
	if (!canRepeat || first.json.some(({ _action }) => _action === undefined)) return;
	const again = await run(all, '', { skipUnchanged: true, onConflict: 'overwrite' });
	expect(again.writes).toBe(0);
	expect(again.json.map(({ _action }) => _action)).toEqual(first.json.map(() => 'unchanged'));
	const keysOf = (json: IDataObject) =>
		Object.keys({ ...json, _changed: [] })
			.filter((key) => key !== '_warning')
			.sort();
	expect(again.json.map(keysOf)).toEqual(first.json.map(keysOf));
}

it('with any options, a dry run writes nothing and foretells the actions and changes, values are stored, and the same items again are unchanged', async () => {
	const parameters = {
		numRuns: runs(60, 150, 1_500),
		seed: Number(process.env.SHEET_RECORDS_SEED ?? 1),
	};
	await fc.assert(fc.asyncProperty(scenario, check), parameters);
});
