import { customers, orders } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';

/** The editor stores a mapped field as `<name> (<id>)`, and keeps it when another sheet is chosen. */
const testbed = useRecordTestbed();
const { name } = customers.fields;
const mapped = (value: object, matchingColumns: string[] = []) => ({
	fields: { mappingMode: 'defineBelow', value: { ...value }, matchingColumns, schema: [] },
});
const status = { [`Status (${orders.fields.status})`]: 'Open' };
const ofCustomers = { [`Name (${name})`]: 'Moved' };

it.each([
	['Create', { ...onOrders('create'), ...mapped({ ...status, ...ofCustomers }) }],
	['Update', { ...onOrder('update', 5), ...mapped({ ...status, ...ofCustomers }) }],
	[
		'Create or Update',
		{ ...onOrders('upsert'), ...mapped({ ...status, ...ofCustomers }, [`Name (${name})`]) },
	],
])(
	'a field that was mapped for another sheet is named, and nothing is sent: %s',
	async (_, parameters) => {
		const { error } = await testbed.run(parameters);
		expect(error?.message).toContain(`'Name (${name})' is not a field of the sheet`);
		expect(error?.description).toContain('It was chosen for another sheet');
		expect(testbed.writes).toEqual([]);
	},
);

it('a renamed field is still found by its ID', async () => {
	const parameters = {
		...onOrder('update', 5),
		...mapped({ [`State (${orders.fields.status})`]: 'Open' }),
	};
	const { error } = await testbed.run(parameters);
	expect(error).toBeUndefined();
	expect(testbed.writes).toHaveLength(1);
});

it('the ID alone is sent, because the service may have a field that it does not list', async () => {
	const { error } = await testbed.run({ ...onOrder('update', 5), ...mapped({ [name]: 'x' }) });
	expect(error?.message).toContain(`Error processing parameter: ${name}`);
	expect(testbed.writes).toHaveLength(1);
});

it('without a complete list of fields, the ID after a name is sent', async () => {
	Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });
	const { error } = await testbed.run({ ...onOrder('update', 5), ...mapped(ofCustomers) });
	expect(error?.message).toContain(`Error processing parameter: ${name}`);
});
