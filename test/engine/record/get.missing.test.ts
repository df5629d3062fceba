import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getMissing = { operation: 'get', sheet: sheet(orders), recordId: recordId(99_999) };

/** The ways in which the service says that there is no such record. */
const forms = ['empty', 'code404', 'http404'] as const;

describe.each(forms)('a record that is missing, told by %s', (form) => {
	beforeEach(() => {
		testbed.service.switches.missingRecord = form;
	});

	it('is an error of its item', async () => {
		const result = await testbed.run({ ...getMissing, recordId: recordId('={{ $json.id }}') }, [
			{ id: 1 },
			{ id: 99_999 },
		]);
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			message: 'There is no record 99999 on this sheet',
			context: { itemIndex: 1 },
		});
		expect(testbed.reads).toHaveLength(2);
	});

	it('yields nothing on request, and the other items go on', async () => {
		const result = await testbed.run(
			{ ...getMissing, recordId: recordId('={{ $json.id }}'), options: { emptyResult: 'none' } },
			[{ id: 1 }, { id: 99_999 }, { id: 2 }],
		);
		expect(result.status).toBe('success');
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[1, { item: 0 }],
			[2, { item: 2 }],
		]);
		expect(testbed.reads).toHaveLength(3);
	});

	it('yields an empty item on request, linked to its input', async () => {
		const result = await testbed.run(
			{
				...getMissing,
				recordId: recordId('={{ $json.id }}'),
				options: { emptyResult: 'emptyItem' },
			},
			[{ id: 1 }, { id: 99_999 }],
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.items[1]?.json).toEqual({ _recordId: 99_999, _missing: true });
	});

	it('goes to the error output with its item', async () => {
		const result = await testbed.run(getMissing, [{ order: 'wanted' }], {
			onError: 'continueErrorOutput',
		});
		expect(result.items).toEqual([]);
		expect(result.errorItems.map(({ json, pairedItem }) => [json.order, pairedItem])).toEqual([
			['wanted', { item: 0 }],
		]);
		expect(result.errorItems[0]?.json.error).toContain('99999');
	});
});

it('does not take a wrong sheet for a missing record', async () => {
	for (const errorTransport of ['status200', 'httpStatus'] as const) {
		testbed.service.switches.errorTransport = errorTransport;
		const result = await testbed.run({
			...getMissing,
			sheet: sheet({ path: 'sales/order', index: 1 }),
			options: { emptyResult: 'emptyItem' },
		});
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('Invalid path'),
			context: { itemIndex: 0 },
		});
	}
});
