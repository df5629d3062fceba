import { orders } from '../service';
import { ordersLocator, recordLocator } from './chain';
import type { PickListRequest, SavedCredential } from './editor';
import { useSharedN8n } from './n8nTestbed';

const testbed = useSharedN8n();
const { fields } = orders;

let credential: SavedCredential;

beforeAll(async () => {
	credential = await testbed.apiKey('admin');
});

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
});
