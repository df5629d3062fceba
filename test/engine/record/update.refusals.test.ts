import { orders } from '../../service';
import { errorsOf, linksOf, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const update = {
	operation: 'update',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
	...asJson({ [fields.remark]: 'written' }),
};
const checked = { ...update, options: { checkLock: true } };
/** Order 3 is locked. */
const items = [{ id: 2 }, { id: 3 }, { id: 5 }];

const remark = (id: number) => testbed.service.data.record(orders, id).text(fields.remark);

describe('a locked record', () => {
	it('is changed without Check Lock', async () => {
		const result = await testbed.run(update, items);
		expect(result.status).toBe('success');
		expect(remark(3)).toBe('written');
	});

	it('is not changed with Check Lock: code 402 stops the workflow and tells how to go on', async () => {
		const before = remark(3);
		const result = await testbed.run(checked, items);
		expect(result.error).toMatchObject({
			message: expect.stringContaining('Record locked'),
			description: expect.stringMatching(/(?=.*402).*Unlock/s),
			context: { itemIndex: 1 },
		});
		expect([remark(2), remark(3)]).toEqual(['written', before]);
		expect(testbed.writes).toHaveLength(2);
	});
});

it('a record that is not there is refused, and a required field that is cleared', async () => {
	const before = remark(2);
	const result = await testbed.run(
		{ ...update, ...asJson('={{ $json.record }}'), options: { clearEmpty: true } },
		[
			{ id: 99999, record: { [fields.remark]: 'written' } },
			{ id: 2, record: { [fields.customerNumber]: '', [fields.remark]: 'written' } },
			{ id: 5, record: { [fields.remark]: 'written' } },
		],
		{ onError: 'continueErrorOutput' },
	);
	expect(errorsOf(result.errorItems)).toEqual([
		[expect.stringMatching(/Record not found.*\bcode 404\b/i), { item: 0 }],
		[expect.stringContaining('Customer Number'), { item: 1 }],
	]);
	expect(linksOf(result.items)).toEqual([{ item: 2 }]);
	expect([remark(2), remark(5)]).toEqual([before, 'written']);
});
