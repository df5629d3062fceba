import { orders } from '../../service';
import { useTriggerTestbed } from './triggerTestbed';

/** 'Is One Of' in the filters of the webhook trigger. */
const trigger = useTriggerTestbed(30);
const { status, remark, total, express } = orders.fields;

const bodyOf = (id: number, values: Record<string, string>) =>
	trigger.readdressed([{ _svcId: id, ...values }]);

it.each<[what: string, field: string, value: string, texts: string[], matching: string[]]>([
	[
		'a text with one value per line',
		status,
		'Open\nShipped, in part',
		['Open', 'open', 'Closed', 'Shipped, in part', ''],
		['Open', 'Shipped, in part'],
	],
	[
		'a list',
		status,
		'={{ ["Open", "Closed"] }}',
		['Open', 'Shipped', 'Closed'],
		['Open', 'Closed'],
	],
	['numbers in other spellings', total, '10\n20.5', ['10.00', '20.50', '30'], ['10.00', '20.50']],
	['a boolean for a checkbox', express, '={{ [true] }}', ['Yes', 'No', ''], ['Yes']],
])('deliveries start the workflow if they match %s', async (_, field, value, texts, matching) => {
	const filters = { conditions: [{ field, operator: 'in', value }] };
	const credentials = trigger.credentials('admin');
	const listener = await trigger.listen({ filters }, { credentials });
	for (const text of texts) await listener.post(bodyOf(1, { [field]: text }));
	const records = (await listener.items()).map(({ record }) => Object(record)[field]);
	expect(records).toEqual(matching);
});

it('a delivery must match Is One Of and the conditions on other fields', async () => {
	const conditions = [
		{ field: status, operator: 'in', value: 'Open\nShipped' },
		{ field: status, operator: 'ne', value: 'Shipped' },
		{ field: remark, operator: 'like', value: 'urgent' },
	];
	const listener = await trigger.listen({ filters: { conditions } });
	const deliveries = [
		['Open', 'urgent'],
		['Open', 'later'],
		['Shipped', 'urgent'],
		['Closed', 'urgent'],
	] as const;
	for (const [index, [text, note]] of deliveries.entries())
		await listener.post(bodyOf(index + 1, { [status]: text, [remark]: note }));
	expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([1]);
});

it('a long list is applied to a delivery without a request', async () => {
	const value = '={{ Array.from({ length: 2_000 }, (_, index) => "KEY-" + index) }}';
	const filters = { conditions: [{ field: remark, operator: 'in', value }] };
	const listener = await trigger.listen({ filters });
	const before = trigger.reads.length;
	for (const text of ['KEY-1999', 'KEY-2000']) await listener.post(bodyOf(1, { [remark]: text }));
	expect(await listener.items()).toHaveLength(1);
	expect(trigger.reads.length).toBe(before);
});

it.each([
	['an empty list', '={{ [] }}', 'has no value'],
	['a list in the list', '={{ [["a"]] }}', 'returned a list'],
])('%s is refused on activation', async (_, value, words) => {
	const filters = { conditions: [{ field: remark, operator: 'in', value }] };
	await expect(trigger.listen({ filters })).rejects.toThrow(words);
});
