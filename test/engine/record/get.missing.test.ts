import { orders } from '../../service';
import { recordId, recordsOf, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const getOrder = { operation: 'get', sheet: sheet(orders), recordId: recordId('={{ $json.id }}') };
const items = [{ id: 1 }, { id: 99_999 }, { id: 2 }];

/** The ways in which the service says that there is no such record. */
describe.each(['empty', 'code404', 'http404'] as const)(
	'a record that is missing, told by %s',
	(form) => {
		beforeEach(() => {
			testbed.service.switches.missingRecord = form;
		});

		it('is an error of its item', async () => {
			const { error } = await testbed.run(getOrder, items);
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: 'There is no record 99999 on this sheet',
				context: { itemIndex: 1 },
			});
			expect(testbed.reads).toHaveLength(2);
		});

		it('yields nothing on request, and the other items go on', async () => {
			const result = await testbed.run({ ...getOrder, options: { emptyResult: 'none' } }, items);
			expect(recordsOf(result)).toEqual([
				[1, { item: 0 }],
				[2, { item: 2 }],
			]);
			expect(testbed.reads).toHaveLength(3);
		});
	},
);

it('a missing record yields an empty item on request, linked to its input', async () => {
	const result = await testbed.run({ ...getOrder, options: { emptyResult: 'emptyItem' } }, items);
	expect(recordsOf(result)).toEqual([
		[1, { item: 0 }],
		[99_999, { item: 1 }],
		[2, { item: 2 }],
	]);
	expect(result.items[1]?.json).toEqual({ _recordId: 99_999, _missing: true });
});

it('a wrong sheet is not taken for a missing record', async () => {
	for (const errorTransport of ['status200', 'httpStatus'] as const) {
		testbed.service.switches.errorTransport = errorTransport;
		const { error } = await testbed.run(
			{ ...getOrder, sheet: sheetAt('sales/order/1'), options: { emptyResult: 'emptyItem' } },
			[{ id: 99_999 }],
		);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('Invalid path'),
			context: { itemIndex: 0 },
		});
	}
});
