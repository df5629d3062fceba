import { onOrders, useRecordTestbed } from './recordTestbed';

const testbed = useRecordTestbed();

const customApiCall = '__CUSTOM_API_CALL__';

describe("'Custom API Call', which n8n adds to the lists,", () => {
	it.each([
		{ list: 'Operation', parameters: { operation: customApiCall } },
		{ list: 'Resource', parameters: { resource: customApiCall } },
		{ list: 'both', parameters: { resource: customApiCall, operation: customApiCall } },
	])(
		'chosen in $list, is an error with advice about the HTTP Request node',
		async ({ parameters }) => {
			const result = await testbed.run({ ...onOrders('getAll'), ...parameters });
			expect(result.items).toEqual([]);
			expect(result.error).toMatchObject({
				name: 'NodeOperationError',
				message: "Use n8n's HTTP Request node for a custom API call",
				description: expect.stringMatching(/'Predefined Credential Type'.*'Sheet Records API'/),
				context: { itemIndex: 0 },
			});
			expect(testbed.service.requests.count).toBe(0);
		},
	);

	it('is an error of each item on the error output', async () => {
		const result = await testbed.runAll(onOrders(customApiCall), [{ id: 1 }, { id: 2 }]);
		expect(result.items).toEqual([]);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
		for (const { json } of result.errorItems) {
			expect(json.error).toMatch(/HTTP Request.*Predefined Credential Type/);
		}
		expect(testbed.service.requests.count).toBe(0);
	});
});
