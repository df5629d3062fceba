import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { asJson } from './record/recordValues';
import { recordId, sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;

/** Which sources are open, and those that are asked then by a user without admin rights. */
const sources = [
	['schema and definition are open', [], ['schema', 'definition']],
	['both are closed', ['schema', 'definition'], ['schema', 'definition', 'EID', 'FNAME']],
] as const;

it.each(sources)('an ordinary user writes by names when %s', async (_, closed, asked) => {
	for (const source of closed) testbed.service.switches[source] = 'code106';
	const values = asJson({ Remark: 'by name', City: 'Graz' });
	const update = { operation: 'update', sheet: sheet(orders), recordId: recordId(4), ...values };
	expect((await testbed.run(update)).status).toBe('success');
	expect(testbed.asked).toEqual(asked);
	const order = testbed.service.data.record(orders, 4);
	expect([order.text(fields.remark), order.text(fields.city)]).toEqual(['by name', 'Graz']);
});
