import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { amount } from '../../amount';
import { orders } from '../../service';
import { timeLimit } from '../../timeLimit';
import { passTime } from '../clock';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';
import { storedValues } from './storedValues';

// One test runs dozens of executions, or six times as many in long runs.
jest.setTimeout(timeLimit(amount(90, 360)));

const testbed = useRecordTestbed({ demoRecords: 24 });
const { fields } = orders;
const timezone = 'UTC';

/** Distinct keys. A filter of the service treats some of them as equal. */
const keys = 'A-1|a-1|612|0612|1.1|1.10|x, y|ä%25|***|2031/01/31|é'.split('|');
const odd =
	'|plain| padded |***|*|a, b|<b>x</b> &amp; y|[b]x[/b]|100%25|"q"|2031-01-31|31.01.2031|0612|1e5|Yes|null|a\nb|🎉|=1|x@y';
const oddTexts = fc.constantFrom<string | number | boolean>(...odd.split('|'), 0, 12.5, true);
const among = (texts: string) => fc.constantFrom(...texts.split('|'));
const values = fc.record(
	{
		[fields.remark]: oddTexts,
		[fields.city]: oddTexts,
		[fields.status]: among('Open|Shipped|Nowhere||***'),
		[fields.tags]: fc.oneof(among('Gift, Bulk|Repeat, large|'), fc.subarray(['Gift', 'Bulk'])),
		[fields.orderDate]: among('2031-01-31|2031/01/31|asap|31.01.2031|2031-01-31T00:00:00.000Z|'),
		[fields.deliveryTime]: among('2031-01-31T09:30|2031/01/31 09:30:00|soon|'),
		[fields.express]: fc.constantFrom<string | boolean>(true, false, 'Yes', 'No', 'maybe'),
		[fields.description]: among('[b]x[/b]|<b>x</b>|plain'),
	},
	{ requiredKeys: [] },
);
const ids = fc.integer({ min: 1, max: 8 });
const item = fc.record({
	id: ids,
	/** Whether the item contains all read values of its record, overwritten with `values`. */
	isRead: fc.boolean(),
	values: fc
		.tuple(fc.constantFrom(...keys), values)
		.map(([key, fieldValues]): IDataObject => ({ ...fieldValues, [fields.reference]: key })),
});
const execution = fc.record({
	operation: fc.constantFrom('create', 'update', 'upsert'),
	identity: fc.constantFrom('admin', 'member'),
	isMapped: fc.boolean(),
	options: fc.record({ skipUnchanged: fc.boolean(), clearEmpty: fc.boolean() }),
	items: fc.array(item, { minLength: 1, maxLength: 5 }),
	/** Event before a write of the node: a user changes a record, time passes, or the service fails briefly. */
	interference: fc.record({
		before: fc.integer({ min: 1, max: 8 }),
		id: ids,
		what: fc.constantFrom('delete', 'note', 'remark', 'minutes', 'refusal'),
	}),
	/** Whether the service returns the schema. Without it, masked values cannot be distinguished from texts. */
	hasSchema: fc.boolean(),
});
type Execution = typeof execution extends fc.Arbitrary<infer Made> ? Made : never;

/** Expected values of a record by field: the stored value, or a written one. Several if two executions write at the same time. */
type Intended = Map<string, Array<{ stored: unknown } | { input: unknown }>>;

const record = (id: number) => testbed.order(id);
const storedRecords = () => testbed.orders.records;
const asStored = (id: number): Intended =>
	new Map(Object.entries(storedValues(record(id))).map(([key, stored]) => [key, [{ stored }]]));

/** Pattern of a text, written or stored, and the canonical form of equal texts. */
const sameForms: Array<[RegExp, string]> = [
	[/^true$/, 'Yes'],
	[/^false$/, 'No'],
	[/<(\/?b)>/g, '[$1]'],
	[/^(\d{4})-(\d\d)-(\d\d)(?:T|$)/, '$1/$2/$3 '],
	[/ 00:00:00(\.000Z)?$| $/, ''],
	[/( \d\d:\d\d)$/, '$1:00'],
];

function normal(value: unknown): string {
	const texts = [value ?? ''].flat().flatMap((text) => String(text).split(', '));
	const inForm = (text: string) =>
		sameForms.reduce((made, [from, to]) => made.replace(from, to), text);
	return texts.map(inForm).sort().join(', ');
}

/** Expected content of all records, derived from the items and their outputs. */
class Model {
	/** Records that a user has edited. While the index lags, filters do not find them. */
	readonly edited = new Set<number>();
	readonly records = new Map<number, Intended>();
	/** Fields of records for which an item has a warning. */
	private readonly warned = new Set<string>();
	private touched = new Set<string>();

	constructor() {
		for (const id of storedRecords().keys()) this.records.set(id, asStored(id));
	}

	/** Applies the reported result of an item. Throws if the item was not intended for this record. */
	apply({ operation, options }: Execution, { id: wantedId, input, read }: Item, json: IDataObject) {
		const id = Number(json._recordId);
		const isNew = json._action === 'created' || operation === 'create';
		const key = input[fields.reference];
		const matching = [...this.records].filter(([, intended]) =>
			intended.get(fields.reference)?.some((value) => Object.values(value).includes(key)),
		);
		const findable = matching.filter(([id]) => !this.edited.has(id));
		if (operation === 'upsert' && isNew) expect(findable).toEqual([]);
		if (!isNew && !this.records.has(id)) return;
		if (operation === 'update') expect(id).toBe(wantedId);
		if (operation === 'upsert' && !isNew)
			expect(matching.map(([recordId]) => recordId)).toContain(id);
		const intended: Intended = (isNew ? undefined : this.records.get(id)) ?? new Map();
		this.records.set(id, intended);
		// A value that was read and not changed may be written back.
		const fieldIds = [...intended.keys(), fields.note, fields.remark];
		for (const fieldId of read ? new Set([...read.keys(), ...fieldIds]) : []) {
			const before = read?.get(fieldId) ?? [{ stored: undefined }];
			intended.set(fieldId, [...(intended.get(fieldId) ?? []), ...before]);
			// Read-only values and rows differ in a copy, or in another record with the same key.
			if (isNew || id !== wantedId) this.warned.add(`${id} ${fieldId}`);
			this.touched.add(`${id} ${fieldId}`);
		}
		for (const [fieldId, value] of Object.entries(input)) {
			if (normal(value) === '' && !options.clearEmpty) continue;
			const isNamed = [fieldId, nameOf(fieldId)].some((name) =>
				String(json._warning ?? '').includes(`'${name}'`),
			);
			if (isNamed) this.warned.add(`${id} ${fieldId}`);
			intended.set(fieldId, [{ input: value }]);
			this.touched.add(`${id} ${fieldId}`);
		}
	}

	/** Applies a change by a user, which may have come before or after the changes of the items. */
	change(id: number, fieldId: string, stored: string): void {
		const earlier = this.touched.has(`${id} ${fieldId}`) ? this.records.get(id)?.get(fieldId) : [];
		this.records.get(id)?.set(fieldId, [...(earlier ?? []), { stored }]);
	}

	/** Compares the model with all stored records. */
	compare(): void {
		this.touched = new Set();
		expect([...storedRecords().keys()].sort()).toEqual([...this.records.keys()].sort());
		for (const [id, intended] of this.records) {
			const storedNow = new Map(Object.entries(storedValues(record(id))));
			for (const fieldId of new Set([...storedNow.keys(), ...intended.keys()])) {
				if (this.warned.has(`${id} ${fieldId}`) || isFilledIn(fieldId, intended)) continue;
				const value = storedNow.get(fieldId);
				// A value that looks like a mask may or may not be one.
				if (/^\*+$/.test(String(value))) continue;
				const allowedValues = intended.get(fieldId) ?? [{ stored: undefined }];
				if (!allowedValues.some((allowed) => isIntended(allowed, value))) {
					expect({ id, fieldId, value }).toEqual({ id, fieldId, value: allowedValues });
				}
			}
		}
	}
}

const isIntended = (allowed: { stored: unknown } | { input: unknown }, value: unknown) =>
	'input' in allowed
		? normal(allowed.input) === normal(value)
		: JSON.stringify(allowed.stored) === JSON.stringify(value);

/** Returns whether the service assigns the number of a new record. */
const isFilledIn = (fieldId: string, intended: Intended) =>
	fieldId === fields.orderNumber && !intended.has(fieldId);

/** Item of an execution. */
interface Item {
	id: number;
	json: IDataObject;
	input: IDataObject;
	/** Values of the record that the item was read from. */
	read?: Intended;
}

const nameOf = (fieldId: string) => testbed.orders.field(fieldId)?.name ?? '';

async function makeItem(
	execution: Execution,
	{ id, isRead, values: input }: Execution['items'][0],
) {
	const { operation, identity, isMapped } = execution;
	if (!isMapped) return { id, input, json: { id, record: input } };
	const named = Object.fromEntries(
		Object.entries(input).map(([key, value]) => [nameOf(key), value]),
	);
	if (!isRead || operation === 'create' || !storedRecords().has(id)) {
		return { id, input, json: { ...named, _id: id } };
	}
	const parameters = onOrder('get', id);
	const credentials = testbed.credentials(identity);
	const { items: found } = await testbed.run(parameters, [{}], { credentials, timezone });
	const json: IDataObject = { ...found[0]?.json, ...named, _id: id };
	// The record is found again by its own key.
	const key = record(id).text(fields.reference);
	json[nameOf(fields.reference)] = key;
	return { id, json, input: { ...input, [fields.reference]: key }, read: asStored(id) };
}

/** Advances the clock by more time than the nodes cache fields, records and error responses. */
function letMinutesPass(): void {
	const milliseconds = 11 * 60_000;
	passTime(milliseconds);
	testbed.service.clock.advance(milliseconds);
}

/** Makes the service reject the next write and the next read as too frequent. */
function refuseNextRequests(): void {
	const busy = { kind: 'status', status: 429 } as const;
	testbed.inject({ ...busy, when: ({ method }) => method !== 'GET' });
	testbed.inject({ ...busy, when: ({ method }) => method === 'GET' });
}

async function execute(execution: Execution, model: Model): Promise<void> {
	const { operation, identity, isMapped, options, interference } = execution;
	const made: Item[] = [];
	for (const item of execution.items) made.push(await makeItem(execution, item));
	const parameters = {
		...onOrder(operation, '={{ $json._id ?? $json.id }}'),
		...(isMapped ? autoMapped([fields.reference]) : asJson('={{ $json.record }}')),
		matchFields: [fields.reference],
		options: { ...options, doWorkflow: false, ...(isMapped ? { ignoreFields: ['_id'] } : {}) },
	};
	testbed.service.switches.schema = execution.hasSchema ? 'on' : 'code106';
	const { id, what } = interference;
	let writes = 0;
	let isDone = false;
	const endInterference = testbed.service.beforeRequest(({ method }) => {
		if (method === 'GET' || ++writes !== interference.before) return;
		if (what === 'minutes') return letMinutesPass();
		if (what === 'refusal') return refuseNextRequests();
		if (!storedRecords().has(id)) return;
		isDone = true;
		if (what === 'delete') testbed.service.people.delete(orders, id);
		else testbed.service.people.edit(orders, id, { [fields[what]]: 'person' });
	});
	const items = made.map(({ json }) => json);
	const credentials = testbed.credentials(identity);
	const result = await testbed.runAllById(parameters, items, { credentials, timezone });
	endInterference();
	if (isDone && what === 'delete') model.records.delete(id);
	else if (isDone) model.edited.add(id);
	expect(result.items.length + result.errorItems.length).toBe(made.length);
	for (const { json, pairedItem } of result.items) {
		const item = made[Number(Object(pairedItem).item)];
		if (item) model.apply(execution, item, json);
	}
	if (isDone && (what === 'note' || what === 'remark')) model.change(id, fields[what], 'person');
	model.compare();
}

it('the record after any executions has the intended values, and every deviation is reported', async () => {
	let writes = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(execution, { minLength: 1, maxLength: 3 }),
			fc.boolean(),
			async (all, lags) => {
				testbed.service.reset();
				testbed.service.switches.filterLagMilliseconds = lags ? 60_000 : 0;
				for (const [index, key] of keys.slice(0, 6).entries()) {
					record(index + 1).set(fields.reference, key);
				}
				const model = new Model();
				for (const execution of all) await execute(execution, model);
				writes += testbed.writes.length;
			},
		),
		{ numRuns: amount(20, 120), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
	expect(writes).toBeGreaterThan(0);
});
