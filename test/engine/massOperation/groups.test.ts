import { orders } from '../../service';
import { numbers, useRecordTestbed } from '../recordTestbed';
import { assign, byConditions, byIds, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = orders;

const massLock = '/acme/sales/orders/1/massOperation/massLock?api&';
const sent = () => testbed.writeUrls.map((url) => url.replace(massLock, ''));

describe('items with records of their own', () => {
	it('make a group for each of the things that they want', async () => {
		const lock = mass('lock', { ...byItems(), lockAction: '={{ $json.action }}' });
		const result = await testbed.run(lock, [
			{ _recordId: 10, action: 'lock' },
			{ _recordId: 11, action: 'unlock' },
			{ _recordId: 12, action: 'lock' },
			{ _recordId: 10, action: 'lock' },
		]);
		expect(testbed.writes.map(({ rawUrl, body }) => [rawUrl.split('api&')[1], body])).toEqual([
			['recordId=10&recordId=12', { action: 'lock' }],
			['recordId=11', { action: 'unlock' }],
		]);
		expect(result.items.map(({ json, pairedItem }) => [json.total, pairedItem])).toEqual([
			[2, [{ item: 0 }, { item: 2 }, { item: 3 }]],
			[1, { item: 1 }],
		]);
		expect(result.hintTexts).toEqual(['2 tasks ended: 3 of 3 records, failures not reported']);
	});

	it.each([
		['={{ $now }}', 1],
		['={{ Math.random() }}', 200],
		['={{ $json._recordId }}', 200],
	])('make one group of %s, although time passes: %i', async (value, writes) => {
		const ids = numbers(200);
		const parameters = { ...byItems(), ...assign([fields.remark, value]) };
		const options = { preview: false };
		const update = mass('update', { ...parameters, options, waitForCompletion: false });
		await testbed.run(update, itemsOf(ids));
		expect(testbed.writes).toHaveLength(writes);
	});

	it('go on without one that has no id, on request', async () => {
		const items = [{ _recordId: 10 }, { title: 'none' }, { _recordId: 12 }];
		const result = await testbed.runAll(mass('lock', byItems()), items);
		expect(sent()).toEqual(['recordId=10&recordId=12']);
		const message = "The item has no record ID in the field '_recordId'";
		testbed.expectErrors(result, { 1: `${message}. Set 'Record ID Field' to the name` });
		expect(result.links).toEqual([[{ item: 0 }, { item: 2 }]]);
	});
});

describe('items that select records of the sheet', () => {
	it.each([
		['record IDs', byIds('10, 12')],
		['a moment in a filter', byConditions(['Order Date', 'lt', '={{ $now.plus({ days: 1 }) }}'])],
		[
			'values of the item that are the same',
			byConditions(
				[fields.city, 'eq', '={{ $json.city }}'],
				['Order Date', 'lt', '={{ $now.minus({ days: 9 }) }}'],
			),
		],
	])('by %s run one operation together, and a hint says so', async (_, selection) => {
		const items = Array.from({ length: 20 }, () => ({ city: 'Oslo' }));
		const result = await testbed.run(mass('approve', selection), items);
		expect(result.error).toBeUndefined();
		expect(testbed.writes).toHaveLength(1);
		expect(result.links).toEqual([items.map((_item, item) => ({ item }))]);
		expect(result.hintTexts).toContain(
			'20 input items ask for the same change of the same records, so it was made once, for all of them.',
		);
	});
});
