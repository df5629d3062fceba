import { orders, type IdentityName } from '../../service';
import { onOrders, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const getFields = { resource: 'sheet', ...onOrders('getFields') };
const asAdmin = () => testbed.as('admin');
const { fields, subtables } = orders;
const { lines } = subtables;
/** Properties that most fields do not have. All fields have the same keys. */
const none = { choices: null, subtableId: null, subtableName: null };
/** Properties of most fields. */
const plain = { ...none, required: false, readOnly: false, hidden: false, typeSource: 'schema' };

it('Get Fields returns every field with all properties for an administrator', async () => {
	testbed.service.switches.schemaChoices = true;
	const result = await testbed.run(getFields, [{}], asAdmin());
	const { json } = result;
	const [keys, ...otherKeys] = json.map((field) => Object.keys(field));
	expect(otherKeys).toEqual(otherKeys.map(() => keys));
	expect(json).toHaveLength(Object.keys(fields).length + Object.keys(lines.fields).length);
	expect(json).toEqual(
		expect.arrayContaining([
			{
				...{ ...plain, required: true },
				...{ fieldId: fields.customerNumber, name: 'Customer Number', type: 'link' },
			},
			{ ...plain, fieldId: fields.total, name: 'Total', type: 'number', readOnly: true },
			{
				...{ ...plain, fieldId: fields.status, name: 'Status', type: 'singleSelection' },
				choices: ['Open', 'Confirmed', 'Shipped', 'Cancelled'],
			},
			expect.objectContaining({ fieldId: fields.unnamed, hidden: true }),
			{
				...{ ...plain, fieldId: lines.fields.quantity, name: 'Quantity', type: 'number' },
				...{ subtableId: lines.id, subtableName: 'Order Lines' },
			},
		]),
	);
	const notes = json.filter(({ name }) => String(name).startsWith('Note'));
	expect(notes.map(({ name, fieldId }) => [name, fieldId])).toEqual([
		['Note', fields.note],
		['Note2', fields.secondNote],
	]);
});

it.each<IdentityName>(['admin', 'member'])(
	'Get Fields returns a field that was added or renamed since it ran last: %s',
	async (identity) => {
		const namesOf = async () =>
			(await testbed.run(getFields, [{}], testbed.as(identity))).json.map(({ name }) => name);
		expect(await namesOf()).toContain('City');
		const listed = testbed.orders.fields;
		for (const field of listed) if (field.id === fields.city) field.name = 'Town';
		listed.push({ id: '1000099', name: 'Added', type: 'text' });
		expect(await namesOf()).toEqual(expect.arrayContaining(['Town', 'Added']));
	},
);

it('Get Fields returns names and IDs for a user without admin rights', async () => {
	const result = await testbed.run(getFields, [{}], testbed.as('reader'));
	expect(result.json.find(({ name }) => name === 'Quantity')).toEqual({
		...{ fieldId: lines.fields.quantity, name: 'Quantity', subtableId: lines.id },
		...{ required: false, readOnly: false, hidden: null, type: 'number', typeSource: 'records' },
		...{ choices: null, subtableName: null },
	});
	const ids = result.json.map(({ fieldId }) => fieldId);
	expect(ids).toEqual(expect.arrayContaining(Object.values(fields)));
});

it.each<IdentityName>(['admin', 'member'])(
	'Get Fields returns the listed fields if the records that show their types cannot be read: %s',
	async (identity) => {
		const isList = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes('naming=');
		testbed.inject({ kind: 'status', status: 500, when: isList, times: Infinity });
		const { status, json } = await testbed.run(getFields, [{}], testbed.as(identity));
		expect(status).toBe('success');
		expect(json.map(({ fieldId }) => fieldId)).toEqual(
			expect.arrayContaining(Object.values(fields)),
		);
		const { type } = json.find(({ fieldId }) => fieldId === fields.total) ?? {};
		expect(type).toBe(identity === 'admin' ? 'number' : null);
	},
);

it('Get Fields uses records if no other source is available', async () => {
	Object.assign(testbed.service.switches, { schema: 'http404', definition: 'html' });
	const result = await testbed.run(getFields);
	const named = new Map(result.items.map(({ json }) => [json.fieldId, json.name]));
	expect(named.get(fields.customerNumber)).toBe('Customer Number');
	expect(named.get(fields.reference)).toBe('Reference');
	expect(named.get(lines.fields.quantity)).toBe('Quantity');
});

it('Get Fields reports that no source lists the fields, and continues', async () => {
	Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });
	const parameters = { ...getFields, sheet: { ...sheet(orders), value: '={{ $json.sheet }}' } };
	const items = [{ sheet: 'sales/empty/9' }, { sheet: 'sales/orders/1' }];
	const result = await testbed.runAll(parameters, items);
	const expectedHint = 'The service does not return the fields of this sheet to this user';
	const error = `${expectedHint}. Look up the field IDs in the field settings of the sheet.`;
	const failed = result.errorItems.map(({ json, pairedItem }) => [json, pairedItem]);
	expect(failed).toEqual([[{ ...items[0], error }, { item: 0 }]]);
	expect(result.items.length).toBeGreaterThan(10);
});
