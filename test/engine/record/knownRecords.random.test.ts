import fc from 'fast-check';
import { amount } from '../../amount';
import { orders, type Fault, type IdentityName, type SeenRequest } from '../../service';
import { timeLimit } from '../../timeLimit';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { forgetPreviousTest } from '../runner';
import { asJson, autoMapped } from './recordValues';

// One test runs a hundred histories, or two thousand in long runs.
jest.setTimeout(timeLimit(amount(120, 2_400)));

const testbed = useRecordTestbed({ demoRecords: 3 });
const { reference, remark, city, customerNumber } = orders.fields;

/** Two users write and delete, the service refuses, people edit, delete and restore, and filters lag. */
const keys = fc.constantFrom('K1', 'K2', 'K3');
const texts = fc.constantFrom('a', 'b', 'c');
const users = fc.constantFrom<IdentityName>('member', 'admin');
const faults: Record<string, Partial<Fault> | undefined> = {
	none: undefined,
	code404: { body: '{"status":"ERROR","code":404,"msg":"No row 9."}' },
	code202: { body: '{"status":"ERROR","code":202,"msg":"No."}' },
	code402: { body: '{"status":"ERROR","code":402,"msg":"Locked."}' },
	http404: { kind: 'status', status: 404, body: '' },
	page404: { kind: 'status', status: 404, body: '<html><body>No</body></html>' },
	reset: { kind: 'reset' },
	resetAfterWork: { kind: 'resetAfterWork' },
};
const fault = fc.constantFrom(...Object.keys(faults));
const item = fc.record({ key: keys, remark: texts, city: texts });
const edit = fc.record({ key: keys, field: fc.constantFrom(remark, city), text: texts });

const step = fc.oneof(
	fc.record({
		kind: fc.constant('upsert' as const),
		user: users,
		items: fc.array(item, { minLength: 1, maxLength: 5 }),
		skipUnchanged: fc.boolean(),
		fault,
		/** Made by a person while the first write is on its way. */
		edit: fc.option(edit),
	}),
	fc.record({ kind: fc.constant('update' as const), user: users, item, fault }),
	fc.record({
		kind: fc.constant('delete' as const),
		user: users,
		key: keys,
		isById: fc.boolean(),
		fault,
	}),
	fc.record({ kind: fc.constant('personDeletes' as const), key: keys }),
	fc.record({ kind: fc.constant('personRestores' as const) }),
	fc.record({ kind: fc.constant('indexCatchesUp' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

const recordsOf = (key: string) =>
	[...testbed.orders.records.values()].filter((record) => record.text(reference) === key);
const lag = 60_000;
const isWrite = ({ method }: SeenRequest) => method !== 'GET';
const goOn = { onError: 'continueRegularOutput' } as const;

function injectFault(name: string): void {
	const injected = faults[name];
	if (injected) testbed.inject({ kind: 'body', when: isWrite, ...injected });
}

/** Changes a record as a person when the next write arrives. Returns a function that cancels it. */
function editDuringWrite({ key, field, text }: { key: string; field: string; text: string }) {
	const [record] = recordsOf(key);
	let isDone = record === undefined;
	return testbed.service.beforeRequest((request) => {
		if (!isWrite(request) || isDone || !record) return;
		isDone = true;
		testbed.service.people.edit(orders, record.id, { [field]: text });
	});
}

async function upsert({ user, items, skipUnchanged, ...history }: StepOf<'upsert'>): Promise<void> {
	injectFault(history.fault);
	const cancelEdit = history.edit ? editDuringWrite(history.edit) : undefined;
	const parameters = {
		...onOrders('upsert'),
		...autoMapped([reference]),
		options: { skipUnchanged },
	};
	const inputs = items.map((values) => ({
		...{ [reference]: values.key, [customerNumber]: 'C-0001' },
		...{ [remark]: values.remark, [city]: values.city },
	}));
	const { json } = await testbed.runById(parameters, inputs, { ...testbed.as(user), ...goOn });
	cancelEdit?.();
	const actions = json.map(({ _action }) => _action);
	const firstWrite = actions.findIndex((action) => action !== 'unchanged');
	for (const [index, { key, ...values }] of items.entries()) {
		const isLast = !items.slice(index + 1).some((later) => later.key === key);
		if (!isLast || actions[index] === undefined) continue;
		// The person's edit came with the first write, after this item was decided.
		if (index < firstWrite) continue;
		const [stored] = recordsOf(key);
		expect([stored?.text(remark), stored?.text(city)]).toEqual([values.remark, values.city]);
	}
}

async function update({ user, item: values, fault: name }: StepOf<'update'>): Promise<void> {
	const [record] = recordsOf(values.key);
	if (!record) return;
	injectFault(name);
	const parameters = { ...onOrder('update', record.id), ...asJson({ [remark]: values.remark }) };
	const { json } = await testbed.runById(parameters, [{}], { ...testbed.as(user), ...goOn });
	if (json[0]?._action === 'updated') expect(record.text(remark)).toBe(values.remark);
}

async function remove({ user, key, isById, fault: name }: StepOf<'delete'>): Promise<void> {
	const [record] = recordsOf(key);
	if (isById && !record) return;
	injectFault(name);
	const byMatch = { ...onOrders('delete'), deleteBy: 'match', matchFields: [reference] };
	const parameters = isById ? onOrder('delete', record?.id) : byMatch;
	const options = { ...testbed.as(user), ...goOn };
	const { json } = await testbed.run(parameters, [{ [reference]: key }], options);
	for (const output of json.filter(({ deleted }) => deleted === true)) {
		expect(testbed.orders.records.has(Number(output._recordId))).toBe(false);
	}
}

/** Carries out a step. `deleted` holds the records that people have deleted, by key. */
async function carryOut(next: Step, deleted: Map<string, number>): Promise<void> {
	if (next.kind === 'upsert') await upsert(next);
	if (next.kind === 'update') await update(next);
	if (next.kind === 'delete') await remove(next);
	const [record] = next.kind === 'personDeletes' ? recordsOf(next.key) : [];
	if (record) {
		deleted.set(record.text(reference), record.id);
		testbed.service.people.delete(orders, record.id);
	}
	if (next.kind === 'personRestores') {
		const restored = [...deleted].find(([key]) => recordsOf(key).length === 0);
		if (restored) testbed.service.people.restore(orders, restored[1]);
		if (restored) deleted.delete(restored[0]);
	}
	testbed.service.faults.clear();
	// The edits of people are known to the index only.
	const isOver = ['indexCatchesUp', 'personRestores'].includes(next.kind);
	if (isOver) testbed.service.clock.advance(lag + 1_000);
}

it('in any history of two users, refusals and people, a key has one record, and items say only what is stored', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (history) => {
			testbed.service.reset();
			forgetPreviousTest();
			testbed.service.switches.filterLagMilliseconds = lag;
			const deleted = new Map<string, number>();
			for (const next of history) {
				await carryOut(next, deleted);
				const counts = ['K1', 'K2', 'K3'].map((key) => recordsOf(key).length);
				expect(Math.max(...counts)).toBeLessThanOrEqual(1);
			}
		}),
		{
			numRuns: amount(40, 200, 2_000),
			endOnFailure: true,
			seed: Number(process.env.SHEET_RECORDS_SEED ?? 1),
		},
	);
});
