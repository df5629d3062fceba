import { orders } from '../../service';
import { autoMapped } from './recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

const update = {
	...{ operation: 'update', sheet: sheet(orders), recordId: recordId(12), ...autoMapped() },
	options: { doWorkflow: false },
};
const items = [{ Status: 'Zzzz' }, { Status: 'Shipped' }, { Remark: 'Something new' }];
const identities = ['admin', 'member'] as const;

/** Removes the choices from the service's schema. The member has no access to the schema. */
beforeEach(() => (testbed.service.switches.schemaChoices = false));

it.each(identities)(
	'a value that no record contains is written with a warning if the choices are unknown: %s',
	async (identity) => {
		const { warnings } = await testbed.runAllById(update, items, testbed.as(identity));
		expect(warnings).toEqual([
			"Check what was saved: 'Status' (not among the values in use in the newest 200 records; check the spelling).",
			...[undefined, undefined],
		]);
		expect(testbed.order(12).text(fields.status)).toBe('Shipped');
	},
);

it.each(identities)(
	'Unknown Choices rejects a value that no record contains, but not in free-text fields: %s',
	async (identity) => {
		const options = { ...update.options, unknownChoices: 'error' };
		const parameters = { ...update, options };
		const result = await testbed.runAllById(parameters, items, testbed.as(identity));
		testbed.expectErrors(result, {
			0: /^'Zzzz' is not among the values in use of 'Status' \(newest 200 records\): .*Open/,
		});
		expect(testbed.bodies).toEqual([
			{ [fields.status]: 'Shipped' },
			{ [fields.remark]: 'Something new' },
		]);
	},
);
