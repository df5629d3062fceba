import { orders } from '../../service';
import { onOrders, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const getFields = { resource: 'sheet', ...onOrders('getFields') };
const asAdmin = () => testbed.as('admin');
const { fields, subtables } = orders;

it('yields every field with what an administrator may know of it', async () => {
	testbed.service.switches.schemaChoices = true;
	const result = await testbed.run(getFields, [{}], asAdmin());
	expect(result.items).toHaveLength(
		Object.keys(fields).length + Object.keys(subtables.lines.fields).length,
	);
	const json = result.items.map((item) => item.json);
	expect(json).toEqual(
		expect.arrayContaining([
			{
				fieldId: fields.customerNumber,
				name: 'Customer Number',
				type: 'link',
				required: true,
				readOnly: false,
				hidden: false,
			},
			{
				fieldId: fields.total,
				name: 'Total',
				type: 'number',
				required: false,
				readOnly: true,
				hidden: false,
			},
			{
				fieldId: fields.status,
				name: 'Status',
				type: 'singleSelection',
				required: false,
				readOnly: false,
				hidden: false,
				choices: ['Open', 'Confirmed', 'Shipped', 'Cancelled'],
			},
			expect.objectContaining({ fieldId: fields.unnamed, hidden: true }),
			{
				fieldId: subtables.lines.fields.quantity,
				name: 'Quantity',
				type: 'number',
				required: false,
				readOnly: false,
				hidden: false,
				subtableId: subtables.lines.id,
				subtableName: 'Order Lines',
			},
		]),
	);
	const notes = json.filter(({ name }) => String(name).startsWith('Note'));
	expect(notes.map(({ name, fieldId }) => [name, fieldId])).toEqual([
		['Note', fields.note],
		['Note2', fields.secondNote],
	]);
});

it('yields names and ids to a user without admin rights', async () => {
	const result = await testbed.run(getFields, [{}], testbed.as('reader'));
	const quantity = result.items.find(({ json }) => json.name === 'Quantity');
	expect(quantity?.json).toEqual({
		fieldId: subtables.lines.fields.quantity,
		name: 'Quantity',
		required: false,
		readOnly: false,
		subtableId: subtables.lines.id,
	});
	expect(result.items.map(({ json }) => json.fieldId)).toEqual(
		expect.arrayContaining(Object.values(fields)),
	);
});

it('learns from records when nothing else is open', async () => {
	testbed.service.switches.schema = 'http404';
	testbed.service.switches.definition = 'html';
	const result = await testbed.run(getFields);
	const named = new Map(result.items.map(({ json }) => [json.fieldId, json.name]));
	expect(named.get(fields.customerNumber)).toBe('Customer Number');
	expect(named.get(fields.reference)).toBe('Reference');
	expect(named.get(subtables.lines.fields.quantity)).toBe('Quantity');
});

it('says so when no source tells, and goes on', async () => {
	testbed.service.switches.schema = 'code106';
	testbed.service.switches.definition = 'code106';
	const parameters = { ...getFields, sheet: { ...sheet(orders), value: '={{ $json.sheet }}' } };
	const items = [{ sheet: 'sales/empty/9' }, { sheet: 'sales/orders/1' }];
	const result = await testbed.runAll(parameters, items);
	const said = "The service does not tell this sheet's fields to this user";
	const error = `${said}. The field settings of the sheet show their IDs.`;
	expect(result.errorItems).toEqual([
		expect.objectContaining({ json: { ...items[0], error }, pairedItem: { item: 0 } }),
	]);
	expect(result.items.length).toBeGreaterThan(10);
});
