import { orders, tasks } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { assign, byItems, itemsOf, mass } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = orders;

const urls = () =>
	testbed.writes.map(({ rawUrl }) => rawUrl.replace('/massOperation/massLock', ''));

it('items that want different things make a group for each of them', async () => {
	const result = await testbed.run(
		mass('lock', { ...byItems(), lockAction: '={{ $json.action }}' }),
		[
			{ _recordId: 10, action: 'lock' },
			{ _recordId: 11, action: 'unlock' },
			{ _recordId: 12, action: 'lock' },
			{ _recordId: 10, action: 'lock' },
		],
	);
	expect(testbed.writes.map(({ rawUrl, body }) => [rawUrl.split('api&')[1], body])).toEqual([
		['recordId=10&recordId=12', { action: 'lock' }],
		['recordId=11', { action: 'unlock' }],
	]);
	expect(result.items.map(({ json, pairedItem }) => [json.total, pairedItem])).toEqual([
		[2, [{ item: 0 }, { item: 2 }, { item: 3 }]],
		[1, [{ item: 1 }]],
	]);
	expect(result.hints.map(({ message }) => message)).toEqual(['2 tasks ended: 3 of 3 records']);
});

it('as many items as there are cost as many operations as there are values, each for its records', async () => {
	const items = Array.from({ length: 60 }, (_, index) => ({
		_recordId: index + 1,
		day: `2026/03/0${1 + (index % 3)}`,
	}));
	const assignments = assign([fields.status, 'Shipped'], [fields.orderDate, '={{ $json.day }}']);
	const result = await testbed.run(mass('update', { ...byItems(), ...assignments }), items);
	expect(result.status).toBe('success');
	expect(testbed.writes).toHaveLength(3);
	const dates = items.map(({ _recordId }) =>
		testbed.service.data.record(orders, _recordId).text(fields.orderDate),
	);
	expect(dates).toEqual(items.map(({ day }) => day));
});

it('each sheet has a group of its own', async () => {
	await testbed.run(
		mass('lock', { ...byItems(), sheet: { ...sheet(orders), value: '={{ $json.sheet }}' } }),
		[
			{ _recordId: 10, sheet: `${orders.path}/${orders.index}` },
			{ _recordId: 10, sheet: `${tasks.path}/${tasks.index}` },
			{ _recordId: 11, sheet: `${orders.path}/${orders.index}` },
		],
	);
	expect(urls()).toEqual([
		'/acme/sales/orders/1?api&recordId=10&recordId=11',
		'/acme/archive/2024/tasks/7?api&recordId=10',
	]);
});

it.each(['={{ $now }}', '={{ new Date() }}'])(
	'%s is the same for all items, although time passes',
	async (now) => {
		const ids = Array.from({ length: 200 }, (_, index) => index + 1);
		const parameters = mass('update', { ...byItems(), ...assign([fields.remark, now]) });
		await testbed.run(parameters, itemsOf(ids));
		expect(testbed.writes).toHaveLength(1);
	},
);

it('moments of the past are not taken for now', async () => {
	await testbed.run(
		mass('update', { ...byItems(), ...assign([fields.remark, '={{ $json.at }}']) }),
		[
			{ _recordId: 10, at: '2026-01-01T00:00:00.000Z' },
			{ _recordId: 11, at: '2026-01-01T00:00:00.001Z' },
		],
	);
	expect(testbed.writes).toHaveLength(2);
});
