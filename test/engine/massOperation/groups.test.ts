import { orders } from '../../service';
import { numbers, useRecordTestbed } from '../recordTestbed';
import { assign, byConditions, byIds, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = orders;

const massLock = '/acme/sales/orders/1/massOperation/massLock?api&';
const sent = () => testbed.writeUrls.map((url) => url.replace(massLock, ''));

describe('items that each select their own record', () => {
	it('items with different changes make one group for each change', async () => {
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
		{ items: ['10 A', '10 B', '10 A'], sent: ['10 A', '10 B', '10 A'] },
		{ items: ['11 A', '10 A', '10 B', '10 A', '12 A'], sent: ['11,10 A', '10 B', '10,12 A'] },
		{ items: ['10 A', '11 B', '10 B', '10 B'], sent: ['10 A', '11,10 B'] },
		{ items: ['10 B', '11 A', '10 B', '11 B'], sent: ['10 B', '11 A', '11 B'] },
	])('of several items for one record, the last one wins: $items', async ({ items, sent }) => {
		const update = mass('update', {
			...byItems(),
			...assign([fields.remark, '={{ $json.remark }}']),
		});
		const result = await testbed.run(
			update,
			items.map((text) => ({ _recordId: text.slice(0, 2), remark: text.slice(3) })),
		);
		expect(result.error).toBeUndefined();
		expect(
			testbed.writes.map(({ query, body }) => {
				const ids = query.filter(([name]) => name === 'recordId').map(([, id]) => id);
				return `${ids.join()} ${Object(body).action[0].value}`;
			}),
		).toEqual(sent);
	});

	it.each([
		{ value: '={{ $now }}', writes: 1 },
		{ value: '={{ $now.plus({ days: 1 }).toISO() }}', writes: 1 },
		{ value: '=Changed {{ $today.toISO() }} at {{ $now.toFormat("HH:mm:ss.SSS") }}', writes: 1 },
		{ value: '={{ DateTime.now().toISO() }}', writes: 1 },
		{ value: '={{ new Date() }}', writes: 1 },
		{ value: '={{ Date.now() }}', writes: 1 },
		{ value: '={{ $vars.missing ?? "same" }}', writes: 1 },
		{ value: '={{ $json._recordId > 0 }}', writes: 1 },
		{ value: '={{ Math.random() }}', writes: 40 },
		{ value: '={{ $json._recordId }}', writes: 40 },
		{ value: '={{ $now.toISO() + $json._recordId }}', writes: 40 },
		{ value: '={{ ["a", "b"].randomItem() }}', writes: 2 },
	])(
		'with the value $value make $writes groups, although the time changes',
		async ({ value, writes }) => {
			const ids = numbers(40);
			const parameters = { ...byItems(), ...assign([fields.remark, value]) };
			const options = { preview: false };
			const update = mass('update', { ...parameters, options, waitForCompletion: false });
			await testbed.run(update, itemsOf(ids));
			expect(testbed.writes).toHaveLength(writes);
		},
	);

	it.each(['NaN', '1 / 0'])(
		'an item whose value is %s is not taken for one without a value',
		async (bad) => {
			const value = `={{ $json._recordId === 11 ? ${bad} : null }}`;
			const update = mass('update', { ...byItems(), ...assign([fields.remark, value]) });
			const result = await testbed.runAll(update, itemsOf([10, 11, 12]));
			expect(testbed.writeUrls.map((url) => url.split('api&')[1])).toEqual([
				'recordId=10&recordId=12',
			]);
			testbed.expectErrors(result, { 1: 'cannot be used: the expression returned' });
		},
	);

	it('items with different Authentication make one group for each credential', async () => {
		const lock = mass('lock', byItems());
		const authentication = "={{ $json._recordId === 11 ? 'session' : 'apiKey' }}";
		const credentials = {
			...testbed.credentials('member'),
			...testbed.sessionCredentials('admin'),
		};
		const result = await testbed.run({ ...lock, authentication }, itemsOf([10, 11, 12]), {
			credentials,
		});
		expect(
			testbed.writes.map(({ identity, rawUrl }) => [identity, rawUrl.split('api&')[1]]),
		).toEqual([
			['member', expect.stringMatching(/^recordId=10&recordId=12$/)],
			['admin', expect.stringMatching(/^recordId=11/)],
		]);
		expect(result.links).toEqual([[{ item: 0 }, { item: 2 }], { item: 1 }]);
	});

	it('items without an ID fail alone, on request', async () => {
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
	])('by %s run one operation for all items, and a hint says so', async (_, selection) => {
		const items = Array.from({ length: 20 }, () => ({ city: 'Oslo' }));
		const result = await testbed.run(mass('approve', selection), items);
		expect(result.error).toBeUndefined();
		expect(testbed.writes).toHaveLength(1);
		expect(result.links).toEqual([items.map((_item, item) => ({ item }))]);
		expect(result.hintTexts).toContain(
			'20 input items have the same change of the same records, so the operation ran once for all of them.',
		);
	});

	it.each([
		{ items: ['10 A', '10 B', '10 A'], sent: ['10 A', '10 B', '10 A'] },
		{ items: ['10,11 A', '12 B', '11 B', '10,11 A'], sent: ['10,11 A', '12 B', '11 B', '10,11 A'] },
		{ items: ['10 A', '11 A', '10 A', '11 A'], sent: ['10 A', '11 A'] },
		{ items: ['10 B', '11 A', '12 A', '11 A'], sent: ['10 B', '11 A', '12 A'] },
	])('are not combined across another change, so the last one wins: $items', async (each) => {
		const parameters = {
			...byIds('={{ $json.ids }}'),
			...assign([fields.remark, '={{ $json.r }}']),
		};
		const items = each.items.map((text) => {
			const [ids = '', r = ''] = text.split(' ');
			return { ids, r };
		});
		expect((await testbed.run(mass('update', parameters), items)).error).toBeUndefined();
		const sentItems = testbed.writes.map(({ query, body }) => {
			const ids = query.filter(([name]) => name === 'recordId').map(([, id]) => id);
			return `${ids.join()} ${Object(body).action[0].value}`;
		});
		expect(sentItems).toEqual(each.sent);
	});
});
