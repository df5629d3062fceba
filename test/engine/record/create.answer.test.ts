import { empty, orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 2_500 });
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const record = asJson({ [fields.customerNumber]: 'C-0001', [fields.remark]: 'Hello' });

it('is the saved record, with what the service made itself', async () => {
	const result = await testbed.run({ ...create, ...record });
	expect(result.items).toEqual([
		{
			json: expect.objectContaining({
				_recordId: 2501,
				_title: 'SO-02501',
				_starred: false,
				[fields.orderNumber]: 'SO-02501',
				[fields.remark]: 'Hello',
				[fields.workflowStamp]: 'Checked for member',
				[`_subtable_${orders.subtables.lines.id}`]: [],
			}),
			pairedItem: { item: 0 },
		},
	]);
	expect(result.items[0]?.json).not.toHaveProperty('_warning');
	expect(testbed.service.requests.count).toBe(1);
});

it('is the id and the answer when the service sends no record', async () => {
	testbed.service.switches.answerCarriesData = false;
	const result = await testbed.run({ ...create, ...record });
	expect(result.items).toEqual([
		{
			json: expect.objectContaining({ _recordId: 2501, status: 'SUCCESS', rv: '0', svcId: 2501 }),
			pairedItem: { item: 0 },
		},
	]);
	expect(testbed.service.requests.count).toBe(1);
});

it.each([true, false])(
	'tells a warning of the service (with the record: %s)',
	async (withRecord) => {
		Object.assign(testbed.service.switches, {
			answerCarriesData: withRecord,
			writeWarning: 'Stock is low',
		});
		const result = await testbed.run({ ...create, ...record });
		expect(result.status).toBe('success');
		expect(result.items[0]?.json).toMatchObject({ _recordId: 2501, _warning: 'Stock is low' });
	},
);

it.each([true, false])(
	'is read in the other dialect as well (with the record: %s)',
	async (data) => {
		Object.assign(testbed.service.switches, { dialect: 'ragic', answerCarriesData: data });
		const result = await testbed.run({ ...create, ...record }, [{}, {}]);
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[2501, { item: 0 }],
			[2502, { item: 1 }],
		]);
	},
);

it.each([true, false])('takes the record id 0 for an id (with the record: %s)', async (data) => {
	testbed.service.switches.answerCarriesData = data;
	const result = await testbed.run({
		operation: 'create',
		sheet: sheet(empty),
		...asJson({ Title: 'The first' }),
	});
	expect(result.items[0]?.json._recordId).toBe(0);
	expect(testbed.service.data.record(empty, 0).text(empty.fields.title)).toBe('The first');
});

it('keeps the digits of long numbers that the service answers', async () => {
	testbed.service.switches.numbersAsText = false;
	const result = await testbed.run({
		operation: 'create',
		sheet: sheet(empty),
		...asJson('{ "Title": "Big", "Amount": 98765432109876543210 }'),
	});
	expect(result.items[0]?.json[empty.fields.amount]).toBe('98765432109876543210');
});

it('that names no record is an error which says that one may have been created', async () => {
	const when = ({ method }: { method: string }) => method === 'POST';
	testbed.service.faults.inject({ kind: 'body', body: '{"status":"SUCCESS","rv":"0"}', when });
	const result = await testbed.run({ ...create, ...record });
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('did not say which');
	expect(testbed.writes).toHaveLength(1);
});
