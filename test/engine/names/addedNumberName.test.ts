import { asJson, autoMapped } from '../record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';

/**
 * A number may be a field ID or a name, such as the year of a column. The list of fields decides. It is loaded again for a number
 * that it lacks, because the field may have been added after the list was loaded.
 */
const testbed = useRecordTestbed();
const id = '1000096';
const name = '2027';

/** Loads the list of fields, and adds a field afterwards. */
beforeEach(async () => {
	await testbed.run({ ...onOrder('update', 5), ...asJson({ Remark: 'x', '512': 'y' }) });
	testbed.orders.fields.push({ id, name, type: 'text' });
	testbed.order(5).set(id, 'mine');
	testbed.service.requests.forget();
});

const stored = () => testbed.order(5).value(id);

it('a new field whose name is a number is written under its ID', async () => {
	const parameters = { ...onOrder('update', 5), ...autoMapped() };
	const result = await testbed.run(parameters, [{ [name]: 'a' }]);
	expect([result.error, stored()]).toEqual([undefined, 'a']);
	await testbed.run({ ...onOrder('update', 5), ...asJson({ [name]: 'b' }) });
	expect(stored()).toBe('b');
});

it('a new field whose name is a number is not lost in a service that ignores unknown fields', async () => {
	testbed.service.switches.unknownBodyField = 'ignored';
	const { warnings } = await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, [
		{ [name]: 'a' },
	]);
	expect([stored(), warnings]).toEqual(['a', [undefined]]);
});

it('a read returns a new field under its name and ID', async () => {
	for (const parameters of [onOrder('get', 5), { ...onOrders('getAll'), returnAll: true }]) {
		const { json } = await testbed.run(parameters);
		const read = json.find(({ _recordId }) => _recordId === 5);
		expect(read).toMatchObject({ [`${name} (${id})`]: 'mine' });
		expect(read).not.toHaveProperty('_warning');
	}
});

it('a condition finds the record by a new field', async () => {
	const conditions = [{ field: name, operator: 'eq', value: 'mine' }];
	const { ids, error } = await testbed.run({ ...onOrders('getAll'), filters: { conditions } });
	expect([error, ids]).toEqual([undefined, [5]]);
});

it('an unlisted number is sent as an ID, and several items load the list of fields once', async () => {
	const reads = [];
	for (const items of [[{ '999': 'a' }], [{ '999': 'a' }, { '999': 'b' }, { '998': 'c' }]]) {
		testbed.service.requests.forget();
		await testbed.runAll({ ...onOrder('update', 5), ...autoMapped() }, items);
		expect(testbed.bodies).toEqual(items);
		reads.push(testbed.reads.length);
	}
	expect(reads[0]).toBe(reads[1]);
});
