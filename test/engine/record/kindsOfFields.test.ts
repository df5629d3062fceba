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

// Each user once: what the first run has loaded is kept for the second.
it.each([
	{ identity: 'admin', first: 1, second: 0 },
	{ identity: 'member', first: 3, second: 1 },
] as const)(
	'a run of $identity loads the kinds of fields once, before its first write',
	async ({ identity, first, second }) => {
		expect(await readsOf(identity)).toBe(first);
		expect(await readsOf(identity)).toBeLessThanOrEqual(second);
	},
);

it('a plain text is written while the service does not answer questions about fields, and a value that needs its kind is not', async () => {
	const isRead = ({ method }: SeenRequest) => method === 'GET';
	testbed.inject({ kind: 'status', status: 500, when: isRead, times: Infinity });
	const items = ['plain', '2031-01-31', true, 'Gift, Bulk'].map((value) => ({ value }));
	const { city } = customers.fields;
	// A sheet of which nothing was loaded before.
	const ofCustomer = { ...update, sheet: sheet(customers) };
	const values = asJson(`={{ ({ "${city}": $json.value }) }}`);
	const result = await testbed.runAllById({ ...ofCustomer, ...values }, items);
	expect(testbed.bodies).toEqual([{ [city]: 'plain' }]);
	testbed.expectErrors(result, { 1: 'HTTP 500', 2: 'HTTP 500', 3: 'HTTP 500' });
});
