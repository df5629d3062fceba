import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { asJson, autoMapped, mapped } from './record/recordValues';
import { recordId, sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;

/** Which sources are open, and those that are asked then by a user without admin rights. */
const sources = [
	['schema and definition are open', [], ['schema', 'definition']],
	['both are closed', ['schema', 'definition'], ['schema', 'definition', 'EID', 'FNAME']],
] as const;

const inputs = [
	['JSON', asJson({ Remark: 'by name', City: 'Graz' })],
	['the mapper', mapped({ Remark: 'by name', City: 'Graz' })],
	['the item itself', autoMapped()],
] as const;

describe.each(sources)('an ordinary user, when %s', (_, closed, asked) => {
	beforeEach(() => {
		for (const source of closed) testbed.service.switches[source] = 'code106';
	});

	it.each(inputs)('writes by the names of fields with %s', async (_input, values) => {
		const result = await testbed.run(
			{ operation: 'update', sheet: sheet(orders), recordId: recordId(4), ...values },
			[{ Remark: 'by name', City: 'Graz' }],
		);
		expect(result.status).toBe('success');
		expect(testbed.asked).toEqual(asked);
		const order = testbed.service.data.record(orders, 4);
		expect([order.text(fields.remark), order.text(fields.city)]).toEqual(['by name', 'Graz']);
	});
});
