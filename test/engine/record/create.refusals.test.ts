import { orders, salaries } from '../../service';
import type { Fault, SeenRequest } from '../../service';
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

const body = (text: string): Fault => ({ kind: 'body', body: text });

type Details = { code?: number; msg?: string; httpStatus?: number };

/** Ways in which the service says no to a write, and what n8n must show of it; `test/unit/api/http` has the others. */
const refusals: Array<[name: string, fault: Fault, shown: RegExp, details: Details]> = [
	...[101, 102, 103, 104, 105, 107, 108, 109, 201, 202, 203, 301, 302, 303, 304, 402, 404].map(
		(code): [string, Fault, RegExp, Details] => [
			`code ${code} in HTTP 200`,
			body(JSON.stringify({ status: 'ERROR', code, msg: `Reason ${code}` })),
			new RegExp(`Reason ${code}`),
			{ code, msg: `Reason ${code}`, httpStatus: 200 },
		],
	),
	['no status', body('{"svcId":12}'), /did not confirm/, { httpStatus: 200 }],
	['HTTP 402', { kind: 'status', status: 402 }, /could not be carried out/, { httpStatus: 402 }],
	['HTTP 413', { kind: 'status', status: 413 }, /larger/, { httpStatus: 413 }],
];

describe('what the service refuses', () => {
	/** The item of each refusal has one in front of it and one behind it that is written. */
	const items = ['C-0001', ...refusals.flatMap((_, index) => [`REFUSED-${index}`, 'C-0001'])].map(
		(customer) => ({ customer }),
	);
	const isOf = (index: number) => (request: SeenRequest) =>
		JSON.stringify(request.body ?? '').includes(`"REFUSED-${index}"`);

	beforeEach(() => {
		refusals.forEach(([, fault], index) => {
			testbed.service.faults.inject({ ...fault, when: isOf(index), times: Infinity });
		});
	});

	it('is sent once, and stays between the others on the regular output', async () => {
		const result = await testbed.run(perItem, items, { onError: 'continueRegularOutput' });
		expect(linksOf(result.items)).toEqual(items.map((_, item) => ({ item })));
		for (const [index, [name, , shown, details]] of refusals.entries()) {
			expect([name, result.items[2 * index + 1]?.json]).toEqual([
				name,
				{ error: expect.stringMatching(shown), details: expect.objectContaining(details) },
			]);
		}
		expect(testbed.writes).toHaveLength(items.length);
		expect(testbed.service.data.sheet(orders).records.size).toBe(301 + refusals.length);
	});
});

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
