import { orders, type IdentityName, type SeenRequest } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { clearProcessState } from '../runner/typeLibrary';

const testbed = useRecordTestbed({ demoRecords: 30 });
const { remark, reference } = orders.fields;

/** Two fields swap their names in the sheet's design. No name is unknown after it. */
function swapNames(): void {
	const [first, second] = [remark, reference].map((fieldId) =>
		testbed.orders.fields.find(({ id }) => id === fieldId),
	);
	if (first && second) [first.name, second.name] = [second.name, first.name];
}

async function read(identity: IdentityName, options = {}) {
	const { items } = await testbed.run(
		{ ...onOrder('get', 5), options },
		[{}],
		testbed.as(identity),
	);
	return items[0]?.json ?? {};
}

/** Writes an item back with *Map Automatically*. */
async function writeBack(identity: IdentityName, item: object): Promise<void> {
	const fields = { mappingMode: 'autoMapInputData', value: null };
	const parameters = {
		...onOrder('update', '={{ $json._recordId }}'),
		inputMode: 'fields',
		fields,
	};
	const { error } = await testbed.run(parameters, [{ ...item }], testbed.as(identity));
	expect(error).toBeUndefined();
}

// The order of the fields in earlier reads is known for ten minutes.
beforeEach(() => clearProcessState('sheetFields'));

describe.each<IdentityName>(['admin', 'member'])(
	'after two fields swapped names, as %s',
	(identity) => {
		beforeEach(() => {
			testbed.order(5).set(remark, 'in Remark');
			testbed.order(5).set(reference, 'in Reference');
		});

		const stored = () => [remark, reference].map((id) => testbed.order(5).values.get(id));

		it.each([
			{ before: 'nothing was read', isReadBefore: false },
			{ before: 'records were read', isReadBefore: true },
		])(
			'a record that was read is written back unchanged, if before $before',
			async ({ isReadBefore }) => {
				if (isReadBefore) await read(identity);
				// The first write loads the list of fields, which is kept for ten minutes.
				await writeBack(identity, { _recordId: 6, Remark: 'new' });
				swapNames();
				const item = await read(identity);
				expect(item).toMatchObject({ Remark: 'in Reference', Reference: 'in Remark' });
				await writeBack(identity, { ...item, City: 'Oslo' });
				expect(stored()).toEqual(['in Remark', 'in Reference']);
			},
		);

		it('filters and writes by name use the new names after a read', async () => {
			await writeBack(identity, { _recordId: 6, Remark: 'new' });
			swapNames();
			await read(identity);
			const conditions = [{ field: 'Remark', operator: 'eq', value: 'in Reference' }];
			const found = await testbed.run(
				{ ...onOrders('getAll'), filters: { conditions } },
				[{}],
				testbed.as(identity),
			);
			expect(found.items.map(({ json }) => json._recordId)).toEqual([5]);
		});
	},
);

it('reads with a part of the fields, or with IDs as keys, load no list of fields', async () => {
	await read('member');
	await writeBack('member', { _recordId: 6, Remark: 'new' });
	testbed.service.requests.forget();
	for (const options of [{ onlyFields: ['Remark', 'City'] }, { fieldKeys: 'id' }, {}]) {
		await read('member', options);
	}
	await writeBack('member', { _recordId: 6, Remark: 'newer' });
	expect(testbed.reads.filter(({ query }) => query.some(([name]) => name === 'def'))).toEqual([]);
});

it('a service that lists the fields in another order than it reads them singly is asked for the names once', async () => {
	const { fields } = testbed.orders;
	const isSingle = ({ path }: SeenRequest) => /\/1\/\d+$/.test(path);
	const usual = [...fields];
	testbed.service.beforeRequest((request) => {
		fields.splice(0, fields.length, ...(isSingle(request) ? [...usual].reverse() : usual));
	});
	const list = async () => await testbed.run(onOrders('getAll'), [{}], testbed.as('member'));
	await list();
	await read('member');
	await writeBack('member', { _recordId: 6, Remark: 'new' });
	testbed.service.requests.forget();
	for (const each of [list, read]) {
		await each('member');
		await writeBack('member', { _recordId: 6, Remark: 'newer' });
	}
	expect(testbed.reads.filter(({ query }) => query.some(([name]) => name === 'def'))).toEqual([]);
});

it('fields that swap their names are noticed although a read left them out', async () => {
	await read('member');
	await writeBack('member', { _recordId: 6, Remark: 'new' });
	const { fields } = testbed.orders;
	const hidden = fields.splice(0, fields.length);
	fields.push(...hidden.filter(({ id }) => id !== remark));
	await read('member');
	fields.splice(0, fields.length, ...hidden);
	swapNames();
	const item = await read('member');
	await writeBack('member', { ...item, City: 'Oslo' });
	expect(await read('member')).toMatchObject({ Remark: item.Remark, Reference: item.Reference });
});
