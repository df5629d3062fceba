import { customers, orders, type IdentityName, type SeenRequest } from '../../service';
import { onOrder, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 40 });
const { fields } = orders;
const values = { [fields.remark]: 'x', [fields.orderDate]: '2031-01-31', [fields.express]: true };
const update = { ...onOrder('update', 5), ...asJson(values), options: { doWorkflow: false } };

/** Returns the number of reads of a run with five items. */
async function readsOf(identity: IdentityName): Promise<number> {
	testbed.service.requests.clear();
	const { errorItems } = await testbed.runAllById(update, Array(5).fill({}), testbed.as(identity));
	expect(errorItems).toEqual([]);
	const methods = testbed.service.requests.all().map(({ method }) => method);
	expect(methods.lastIndexOf('GET')).toBeLessThan(methods.indexOf('POST'));
	return testbed.reads.length;
}

// The second run of each user uses the cached fields of the first run.
it.each([
	// The schema, and the newest records for the words of the checkbox.
	{ identity: 'admin', first: 2, second: 0 },
	{ identity: 'member', first: 4, second: 0 },
] as const)(
	'a run of $identity loads the kinds of fields once, before its first write',
	async ({ identity, first, second }) => {
		expect(await readsOf(identity)).toBe(first);
		expect(await readsOf(identity)).toBeLessThanOrEqual(second);
	},
);

it('while the service lists no fields, plain texts are written, and values whose kind matters are rejected', async () => {
	const isRead = ({ method }: SeenRequest) => method === 'GET';
	testbed.inject({ kind: 'status', status: 500, when: isRead, times: Infinity });
	const items = ['plain', '2031-01-31', true, 'Gift, Bulk'].map((value) => ({ value }));
	const { city } = customers.fields;
	// Use a sheet without cached fields.
	const ofCustomer = { ...update, sheet: sheet(customers) };
	const values = asJson(`={{ ({ "${city}": $json.value }) }}`);
	const result = await testbed.runAllById({ ...ofCustomer, ...values }, items);
	expect(testbed.bodies).toEqual([{ [city]: 'plain' }]);
	testbed.expectErrors(result, { 1: 'HTTP 500', 2: 'HTTP 500', 3: 'HTTP 500' });
});
