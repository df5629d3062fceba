import { orders } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

/** Masked values, for a user with access to them but not to the schema. */
const testbed = useRecordTestbed({ demoRecords: 20 });
const quiet = { doWorkflow: false };

beforeEach(() => (testbed.service.switches.schema = 'code106'));

it.each([{ skipUnchanged: true }, { dryRun: true }])(
	'a record with masked fields that was read and not changed has no warning without the schema: %j',
	async (option) => {
		const as = testbed.as('admin');
		const { json } = await testbed.run(onOrder('get', 12), [{}], as);
		expect(json[0]?.['Internal Margin']).toBe('****');
		const update = { ...onOrder('update', 12), ...autoMapped(), options: { ...quiet, ...option } };
		const { actions, warnings } = await testbed.run(update, [json[0] ?? {}], as);
		expect([actions, warnings]).toEqual([['unchanged'], [undefined]]);
		expect(testbed.writes).toEqual([]);
	},
);

it('a text of stars that is not a mask is named in the warning', async () => {
	const as = testbed.as('admin');
	const { json } = await testbed.run(onOrder('get', 12), [{}], as);
	const update = { ...onOrder('update', 12), ...autoMapped(), options: quiet };
	const { warnings } = await testbed.run(update, [{ ...json[0], City: '***' }], as);
	expect(warnings).toEqual(["Check what was saved: 'City' (masked)."]);
	expect(testbed.order(12).text(orders.fields.city)).not.toBe('***');
});

describe.each(['admin', 'member'] as const)(
	'a mask in values of %s that are no read item',
	(identity) => {
		const { internalMargin, city } = orders.fields;
		const values = { [internalMargin]: '****', [city]: 'Ulm' };

		it.each([
			['JSON', asJson(values)],
			['JSON from a read item', asJson('={{ ({ ...$json, City: "Ulm" }) }}')],
			['the mapper', mapped(values)],
		])('does not replace the masked value: %s', async (_, input) => {
			testbed.service.switches.schema = 'on';
			const item = { 'Internal Margin': '****' };
			const update = { ...onOrder('update', 12), ...input, options: quiet };
			const { hintTexts } = await testbed.run(update, [item], testbed.as(identity));
			expect(testbed.order(12).text(internalMargin)).toBe('22%');
			expect(testbed.bodies).toEqual([{ [city]: 'Ulm' }]);
			expect(hintTexts).toContain("Not written: 'Internal Margin' (masked).");
		});
	},
);
