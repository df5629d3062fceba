import { customers } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const startImport = {
	resource: 'sheet',
	operation: 'importFromUrl',
	sheet: { ...sheet(customers), value: '={{ $json.sheet }}' },
};
const asAdmin = () => testbed.as('admin');
const ofCustomers = { sheet: 'sales/customers/2' };
const ofOrders = { sheet: 'sales/orders/1' };

const cityOf = (id: number) =>
	testbed.service.data.record(customers, id).text(customers.fields.city);

beforeEach(() => {
	testbed.service.data.sheet(customers).periodicImport.enabled = true;
});

it('Import From URL starts the import, and returns the message of the service', async () => {
	const result = await testbed.run(startImport, [ofCustomers, ofCustomers], asAdmin());
	expect(result.items).toEqual(
		[0, 1].map((item) => ({
			json: { started: true, message: 'Import started.' },
			pairedItem: { item },
		})),
	);
	expect(cityOf(2)).toBe('Reykjavík');
	expect(cityOf(301)).toBe('Porto');
	expect(testbed.writes.map(({ rawUrl, body }) => [rawUrl, body])).toEqual([
		['/acme/sales/customers/2?api', [['importData', '']]],
		['/acme/sales/customers/2?api', [['importData', '']]],
	]);
});

it('Import From URL returns a warning of the service', async () => {
	const body = JSON.stringify({ status: 'SUCCESS', msg: 'Started.', warning: '2 columns are new' });
	testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
	const { json } = await testbed.run(startImport, [ofCustomers], asAdmin());
	expect(json).toEqual([{ started: true, message: 'Started.', _warning: '2 columns are new' }]);
});

it('Import From URL names the missing permission', async () => {
	const result = await testbed.run(startImport, [ofCustomers]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('No access right');
	expect(result.error?.description).toContain('SYSAdmin');
	expect(result.error?.context).toMatchObject({ itemIndex: 0 });
	expect(testbed.service.data.sheet(customers).records.size).toBe(300);
});

it('Import From URL names the setting of the sheet that must be on, and continues', async () => {
	const result = await testbed.runAll(startImport, [ofOrders, ofCustomers], asAdmin());
	const expectedError = /not enabled on this sheet.*code 202.*periodic import from URL turned on/s;
	const json = { ...ofOrders, error: expect.stringMatching(expectedError) };
	expect(result.errorItems).toEqual([expect.objectContaining({ json, pairedItem: { item: 0 } })]);
	expect(cityOf(2)).toBe('Reykjavík');
	expect(testbed.orders.records.size).toBe(300);
});
