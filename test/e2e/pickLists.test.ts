import { orders } from '../service';
import { ordersLocator, recordLocator } from './chain';
import type { PickListRequest, SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields, subtables } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

/** What the editor asks about the orders. */
function about(method: string, path: string, more: object = {}): PickListRequest {
	return {
		method,
		path: `parameters.${path}`,
		credential,
		parameters: {
			authentication: 'apiKey',
			resource: 'record',
			operation: 'create',
			sheet: ordersLocator,
			recordId: recordLocator(1),
			...more,
		},
	};
}

describe('in the editor', () => {
	it('sheets can be picked, by all nodes', async () => {
		for (const node of ['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger']) {
			const { results } = await testbed.editor.search({ ...about('searchSheets', 'sheet'), node });
			expect(results).toContainEqual({
				name: 'Sales / Orders',
				value: 'sales/orders/1',
				url: `${testbed.service.baseUrl}/acme/sales/orders/1`,
			});
		}
	});

	it('sheets can be searched', async () => {
		const { results } = await testbed.editor.search({
			...about('searchSheets', 'sheet'),
			filter: 'sommer',
		});
		expect(results.map(({ value }) => value)).toEqual(['küche/é t é/5']);
	});

	it('records can be picked page by page', async () => {
		const first = await testbed.editor.search(about('searchRecords', 'recordId'));
		expect(first.results).toHaveLength(50);
		const second = await testbed.editor.search({
			...about('searchRecords', 'recordId'),
			paginationToken: String(first.paginationToken),
		});
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(100);
	});

	it('fields can be picked, and those that every sheet has', async () => {
		const options = await testbed.editor.options(
			about('getFilterFields', 'filters.conditions[0].field'),
		);
		expect(options).toContainEqual({ name: 'Reference', value: fields.reference });
		expect(options).toContainEqual({ name: 'Create Date (System)', value: '105' });
	});

	it('the mapper gets the fields with their types', async () => {
		const { fields: columns } = await testbed.editor.mapperFields(
			about('getRecordFields', 'fields'),
		);
		expect(columns).toContainEqual(
			expect.objectContaining({
				id: `Customer Number (${fields.customerNumber})`,
				displayName: 'Customer Number',
				required: true,
			}),
		);
		expect(columns).toContainEqual(
			expect.objectContaining({
				id: `Order Date (${fields.orderDate})`,
				type: 'dateTime',
				required: false,
			}),
		);
		expect(JSON.stringify(columns)).not.toContain(fields.total);
	});

	it('subtables and their fields can be picked', async () => {
		const more = { resource: 'subtableRow', operation: 'add', subtableId: subtables.lines.id };
		const options = await testbed.editor.options(about('getSubtables', 'subtableId', more));
		expect(options.map(({ value }) => value)).toContain(subtables.lines.id);
		const rows = await testbed.editor.mapperFields(about('getRowFields', 'fields', more));
		expect(rows.fields.map(({ displayName }) => displayName)).toEqual(
			expect.arrayContaining(['Article', 'Quantity', 'Unit Price']),
		);
	});

	it('action buttons can be picked', async () => {
		const more = { resource: 'actionButton', operation: 'run' };
		const { results } = await testbed.editor.search(about('searchActionButtons', 'buttonId', more));
		expect(results).not.toHaveLength(0);
	});

	it('an empty list says why it is empty', async () => {
		const outsider = await testbed.apiKey('outsider');
		await expect(
			testbed.editor.search({ ...about('searchSheets', 'sheet'), credential: outsider }),
		).rejects.toThrow('The service does not list its sheets for this user');
	});
});
