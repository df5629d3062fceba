import { orders } from '../../service';
import { errorsOf, outcomesOf, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;
const upsert = { operation: 'upsert', sheet: sheet(orders) };
const record = (id: number) => testbed.service.data.record(orders, id);
const items = [
	{ _recordId: '', Remark: 'new', 'Customer Number': 'C-0001' },
	{ _recordId: 7, Remark: 'changed' },
	{ _recordId: 9_999, Remark: 'nowhere' },
	{ _recordId: 'seven', Remark: 'no id' },
	{ Remark: 'new, too', 'Customer Number': 'C-0001' },
];

it.each([
	['the item', autoMapped(['_recordId'])],
	[
		'the mapper',
		mapped(
			{
				_recordId: '={{ $json._recordId }}',
				Remark: '={{ $json.Remark }}',
				'Customer Number': '={{ $json["Customer Number"] }}',
			},
			['_recordId'],
		),
	],
	['JSON', { ...asJson('={{ $json }}'), matchFields: ['_recordId'] }],
])('matches on the ID that %s gives, without a look-up', async (_, input) => {
	const result = await testbed.run({ ...upsert, ...input }, items, {
		onError: 'continueErrorOutput',
	});
	expect(outcomesOf(result)).toEqual([
		[61, 'created', { item: 0 }],
		[7, 'updated', { item: 1 }],
		[62, 'created', { item: 4 }],
	]);
	expect(errorsOf(result.errorItems)).toEqual([
		[expect.stringMatching(/no record|not found/i), { item: 2 }],
		[expect.stringContaining("'seven' is not a record ID"), { item: 3 }],
	]);
	expect([7, 61].map((id) => record(id).text(fields.remark))).toEqual(['changed', 'new']);
	expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='))).toEqual([]);
});

it('keeps to the mode, leaves out what is unchanged, and refuses other fields beside', async () => {
	record(7).set(fields.remark, 'held');
	const two = [
		{ _recordId: 7, Remark: 'held' },
		{ Remark: 'x', 'Customer Number': 'C-0001' },
	];
	const actions: unknown[] = [];
	for (const options of [
		{ skipUnchanged: true, upsertMode: 'updateOnly' },
		{ upsertMode: 'createOnly' },
	]) {
		const { items: made } = await testbed.run(
			{ ...upsert, ...autoMapped(['_recordId']), options },
			two,
		);
		actions.push(...made.map(({ json }) => json._action));
	}
	expect(actions).toEqual(['unchanged', 'skipped', 'skipped', 'created']);
	const dry = { ...upsert, ...autoMapped(['_recordId']), options: { dryRun: true } };
	const { items: planned } = await testbed.run(dry, items.slice(0, 2));
	expect(planned.map(({ json }) => json._action)).toEqual(['wouldCreate', 'wouldUpdate']);
	const both = await testbed.run({ ...upsert, ...autoMapped(['_recordId', 'Remark']) }, two);
	expect(both.error?.message).toContain('together with other fields');
});
