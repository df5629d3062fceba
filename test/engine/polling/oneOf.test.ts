import type { NodeParameterValueType } from 'n8n-workflow';
import { orders } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

/** 'Is One Of' in the filters of the polling trigger. */
const polling = usePollingTestbed();
const { fields } = orders;

const isOneOf = (value: NodeParameterValueType, field: string = fields.remark) => ({
	conditions: [{ field, operator: 'in', value }],
});

function change(texts: Record<number, string>): void {
	polling.passMinutes(1);
	for (const [id, text] of Object.entries(texts))
		polling.people.edit(orders, Number(id), { [fields.remark]: text });
}

it.each([
	['a text with one value per line', 'first\nsecond, with a comma'],
	['a list', '={{ ["first", "second, with a comma"] }}'],
])('a poll emits the changes of records with one of the values of %s', async (_, value) => {
	const poller = await polling.begun({ filters: isOneOf(value) });
	change({ 4: 'first', 5: 'third', 6: 'second, with a comma' });
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 4', 'UPDATE 6']);
	expect(polling.requests.filter(({ rawUrl }) => rawUrl.includes('where='))).toHaveLength(1);
});

it('a poll applies Is One Of together with other conditions', async () => {
	const conditions = [
		...isOneOf('first\nsecond').conditions,
		{ field: fields.status, operator: 'ne', value: 'Open' },
		{ field: fields.total, operator: 'gte', value: '0' },
	];
	const poller = await polling.begun({ filters: { conditions } });
	for (const [id, status] of [
		[4, 'Open'],
		[5, 'Shipped'],
		[6, 'Shipped'],
	] as const)
		polling.service.data.record(orders, id).set(fields.status, status);
	change({ 4: 'first', 5: 'second', 6: 'third' });
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
});

it('a record that leaves the list of values and comes back is emitted again', async () => {
	const poller = await polling.begun({ filters: isOneOf('first\nsecond') });
	change({ 4: 'first' });
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 4']);
	change({ 4: 'third' });
	expect(await poller.poll()).toEqual([]);
	change({ 4: 'second' });
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 4']);
});

it.each([
	['an empty list', '={{ [] }}', 'has no value'],
	[
		'a list that is too long for the request of a poll',
		'={{ Array.from({ length: 150 }, (_, index) => "x".repeat(60) + index) }}',
		"The list of 'Is One Of' in 'Filters' is too long for the one request of a poll",
	],
])('%s is rejected on activation, before a request', async (_, value, words) => {
	const poller = await polling.activate({ filters: isOneOf(value) });
	await expect(poller.poll()).rejects.toThrow(words);
	expect(polling.requests.filter(({ rawUrl }) => rawUrl.includes('where='))).toEqual([]);
	expect(poller.staticData).toEqual({});
});
