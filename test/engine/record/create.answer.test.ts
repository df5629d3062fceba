import { empty, orders } from '../../service';
import { recordsOf, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = {
	operation: 'create',
	sheet: sheet(orders),
	...asJson({ [fields.customerNumber]: 'C-0001', [fields.remark]: 'Hello' }),
};
const inEmpty = { operation: 'create', sheet: sheet(empty) };

it('is the saved record, with what the service made itself', async () => {
	const result = await testbed.run(create);
	expect(result.items).toEqual([
		{
			json: expect.objectContaining({
				...{ _recordId: 301, _title: 'SO-00301', _starred: false },
				[fields.orderNumber]: 'SO-00301',
				[fields.remark]: 'Hello',
				[fields.workflowStamp]: 'Checked for member',
			}),
			pairedItem: { item: 0 },
		},
	]);
	expect(result.items[0]?.json).not.toHaveProperty('_warning');
	expect(testbed.service.requests.count).toBe(1);
});

it('is the id and the answer when the service sends no record', async () => {
	testbed.service.switches.answerCarriesData = false;
	const result = await testbed.run(create);
	expect(result.items).toEqual([
		{
			json: expect.objectContaining({ _recordId: 301, status: 'SUCCESS', rv: '0' }),
			pairedItem: { item: 0 },
		},
	]);
	expect(testbed.service.requests.count).toBe(1);
});

describe.each([true, false])('with the record or without: %s', (answerCarriesData) => {
	beforeEach(() => Object.assign(testbed.service.switches, { answerCarriesData }));

	it('tells a warning of the service', async () => {
		testbed.service.switches.writeWarning = 'Stock is low';
		const [item] = (await testbed.run(create)).items;
		expect(item?.json).toMatchObject({ _recordId: 301, _warning: 'Stock is low' });
	});

	it('is read in the other dialect as well', async () => {
		testbed.service.switches.dialect = 'ragic';
		expect(recordsOf(await testbed.run(create, [{}, {}]))).toEqual([
			[301, { item: 0 }],
			[302, { item: 1 }],
		]);
	});

	it('takes the record id 0 for an id', async () => {
		const result = await testbed.run({ ...inEmpty, ...asJson({ Title: 'The first' }) });
		expect(recordsOf(result)).toEqual([[0, { item: 0 }]]);
		expect(testbed.service.data.record(empty, 0).text(empty.fields.title)).toBe('The first');
	});
});

it('that names no record is an error which says that one may have been created', async () => {
	const when = ({ method }: { method: string }) => method === 'POST';
	testbed.service.faults.inject({ kind: 'body', body: '{"status":"SUCCESS","rv":"0"}', when });
	const result = await testbed.run(create);
	expect(result.error?.message).toContain('did not say which');
	expect(testbed.writes).toHaveLength(1);
});
