import { orders, salaries } from '../../service';
import { errorsOf, linksOf, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const perItem = {
	...create,
	...asJson(`={{ ({ "${fields.customerNumber}": $json.customer }) }}`),
};
const one = [{ customer: 'C-0001' }];

describe('refusals of the service itself', () => {
	afterEach(() => expect(testbed.service.data.sheet(orders).records.size).toBeLessThan(302));

	it('INVALID by a rule of a field, with Validate, and without: a required field is empty', async () => {
		const record = '={{ $json }}';
		const options = { doValidation: '={{ $itemIndex === 0 }}' };
		const result = await testbed.run(
			{ ...create, ...asJson(record), options },
			[
				{ [fields.customerNumber]: 'C-0001', [fields.total]: 'much' },
				{ [fields.remark]: 'No customer' },
			],
			{ onError: 'continueErrorOutput' },
		);
		expect(errorsOf(result.errorItems)).toEqual([
			[expect.stringContaining('Total'), { item: 0 }],
			[expect.stringMatching(/was not saved.*Customer Number/), { item: 1 }],
		]);
	});

	it('109: the account is full, after the records that fitted', async () => {
		testbed.service.data.sheet(orders).maximumRecords = 301;
		const result = await testbed.run(perItem, [...one, ...one], { onError: 'continueErrorOutput' });
		expect(linksOf(result.items)).toEqual([{ item: 0 }]);
		expect(result.errorItems[0]?.json.error).toContain('Cannot create more records');
	});

	it('106: who may not write, or not see the sheet', async () => {
		for (const [identity, parameters] of [
			['reader', perItem],
			[
				'member',
				{ ...create, sheet: sheet(salaries), ...asJson({ [salaries.fields.person]: 'Me' }) },
			],
		] as const) {
			const credentials = testbed.credentials(identity);
			const { error } = await testbed.run(parameters, one, { credentials });
			expect(error?.message).toContain('No access right');
			expect(error?.description).toContain('Tried 2 times');
		}
	});
});
